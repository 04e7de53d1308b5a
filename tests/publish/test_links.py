from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.publish import links


@pytest.mark.parametrize("name", ["attn-cp-size", "SGLANG_X", "file.py", "a_b.C-1"])
def test_usual_names_stay_as_they_are(name: str) -> None:
    assert links.folder(name) == name


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        pytest.param("a b", "a~20b", id="blank"),
        pytest.param("a/b", "a~2Fb", id="no second folder"),
        pytest.param("p~2", "p~7E2", id="not the second page of a list"),
        pytest.param("..", "~2E.", id="not the folder above"),
        pytest.param(".git", "~2Egit", id="hidden files are special to hosts"),
        pytest.param("index.html", "~69ndex.html", id="not the page of the folder around it"),
        pytest.param("ä", "~C3~A4", id="bytes of UTF-8"),
        pytest.param("", "~30", id="nothing still is a folder"),
    ],
)
def test_other_names_are_escaped(name: str, folder: str) -> None:
    assert links.folder(name) == folder


@given(st.text(max_size=300), st.text(max_size=300))
def test_other_names_give_other_folders(one: str, other: str) -> None:
    assert one == other or links.folder(one) != links.folder(other)
    assert len(links.folder(one)) <= 140
    assert "/" not in links.folder(one)


@pytest.mark.parametrize(("url", "way"), [("", "./"), ("tags/", "../"), ("a/b/c/", "../../../")])
def test_the_way_to_the_root(url: str, way: str) -> None:
    assert links.up(url) == way


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://github.com/o/n/blob/v1/a.py#L1-L2", "https://github.com/o/n/blob/v1/a.py"),
        ("javascript:alert(1)#L1", ""),
    ],
)
def test_only_addresses_become_links(url: str, base: str) -> None:
    assert links.blob_base(url) == base
