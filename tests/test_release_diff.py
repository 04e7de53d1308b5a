"""Pairs over a whole release whose sites were changed in known ways, so that it is known which is which.

Harder than a real release: twins of a site that is gone are among the new ones, and changes are drawn by lot.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from extractor.config import Config, GitWanted
from extractor.dataset.read import Dataset, read
from extractor.diff.compare import compare
from extractor.model.record import SiteRow
from extractor.pipeline import run
from tests.source.conftest import Repo

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def whole(release: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The dataset of one release."""
    repo = Repo(tmp_path_factory.mktemp("release") / "repo")
    shutil.copytree(release("0.5.18"), repo.path / "python", ignore=shutil.ignore_patterns("*.[!p]*"))
    repo.commit()
    output = repo.path.parent / "dataset"
    run(Config("o/n", GitWanted(str(repo.path), "main"), output, (), (), ("ValueError",), False, None, None, None))
    return read(output)


class Editor:
    """Changes sites as people do; `random` decides which and how."""

    def __init__(self, random: Random, rows: tuple[SiteRow, ...]) -> None:
        self._random = random
        self._words = sorted({word for row in rows for word in row.message.source.split()})
        self._tests = sorted({guard.test for row in rows for guard in row.guards})
        self._folders: dict[str, str] = {}

    def edit(self, row: SiteRow) -> SiteRow:
        """Make one to three changes."""
        for change in self._random.sample(
            (self.move, self.rename, self.reword, self.guard), self._random.randint(1, 3)
        ):
            row = change(row)
        return row

    def move(self, row: SiteRow) -> SiteRow:
        """A file as a whole gets another folder."""
        folder, _, name = row.file_path.rpartition("/")
        folder = self._folders.setdefault(row.file_path, f"{folder}/part{self._random.randint(0, 9)}")
        return structs.replace(row, file_path=f"{folder}/{name}")

    def rename(self, row: SiteRow) -> SiteRow:
        """A function gets another name."""
        return structs.replace(row, qualname=f"{row.qualname}_{self._random.choice(('v2', 'impl', 'inner'))}")

    def reword(self, row: SiteRow) -> SiteRow:
        """A quarter of the words become others, at least one."""
        words = row.message.source.split(" ")
        for place in self._random.sample(range(len(words)), max(1, len(words) // 4)):
            words[place] = self._random.choice(self._words)
        text = " ".join(words)
        return structs.replace(row, message=structs.replace(row.message, source=text, template=text))

    def guard(self, row: SiteRow) -> SiteRow:
        """One guard more, or another one than the innermost."""
        if not row.guards:
            return row
        keep = row.guards if self._random.random() < 0.5 else row.guards[:-1]
        other = structs.replace(row.guards[-1], kind="if", test=self._random.choice(self._tests))
        guards = (other, *keep)
        return structs.replace(row, guards=guards, condition=" and ".join(guard.test for guard in guards))


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_right_and_few_are_missed(whole: Dataset, seed: int) -> None:
    random = Random(seed)  # noqa: S311 (chosen by lot, the same in every run)
    editor = Editor(random, whole.sites)
    old: list[int] = []
    new: list[tuple[int, SiteRow]] = []
    for place, row in enumerate(whole.sites):
        fate = random.random()
        if fate < 0.95:  # The others are new.
            old.append(place)
        if not 0.92 <= fate < 0.95:  # Those are gone.
            new.append((place, editor.edit(row) if fate < 0.2 else row))
    sites = tuple(named(whole.sites[place], "a", place) for place in old)
    before = Dataset(whole.manifest, tuple(whole.records[place] for place in old), sites)
    sites = tuple(named(row, "b", place) for place, row in new)
    after = Dataset(whole.manifest, tuple(whole.records[place] for place, _ in new), sites)
    pairs = [(change.old.id[1:], change.new.id[1:]) for change in compare(before, after).changed]
    known = set(old)
    truth = sum(place in known and row != whole.sites[place] for place, row in new)
    right = sum(one == other for one, other in pairs)
    assert right / len(pairs) >= 0.95, f"{right} of {len(pairs)} pairs are right"
    assert right / truth >= 0.9, f"{right} of {truth} changed sites are found"


def named(row: SiteRow, side: str, number: int) -> SiteRow:
    """An id that tells the test which site it is, and `compare` nothing."""
    return structs.replace(row, id=f"{side}{number:015x}", aliases=())
