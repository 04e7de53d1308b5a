"""Small datasets for tests of the site: ordinary errors, hostile ones, and settings that guards test."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from extractor.dataset.write import write
from extractor.model.linked import LinkedSite
from tests.builders import build, guard, linked, message, text, value

SCRIPT = "<script>window.hacked = 1</script>"
HOSTILE = (
    linked(
        SCRIPT + " is a message",
        path="evil/a.py",
        line=20,
        excerpt=f"x = 1\n{SCRIPT}\n</pre></code></main>\nraise ValueError(1)",
    ),
    linked('quotes " and \' and </pre><img src=x onerror="window.hacked=1">', path="evil/a.py", line=60),
    linked("javascript:window.hacked=1", path="evil/javascript:x.py", line=5),
    linked("long " + "<&\"'" * 5000, path="evil/long.py", line=5, excerpt="\n".join(["<" * 20_000] * 37)),
    linked(
        "turned \u202etxet\u202c around \u200b\x00\x1b[31m \ufffe",
        path="evil/\u202eyp.a.py",
        line=5,
        excerpt="\u2028 \u202e \x07\x0c",
    ),
    linked("-->]]></script><!-- {{ 7*7 }} {% raw %}", path="evil/{{x}}/% #?.py", line=5, qualname="<f>&amp;"),
    linked(
        message(text("value ", value("'</script>' + \"x\""), " of <b>")),
        path="evil/index.html/p~2/..py",
        line=5,
        guards=(guard("'</code><script>window.hacked=1</script>' in x"), guard("y" * 3000, holds=False)),
    ),
)
ORDINARY = (
    linked("plain text here", guards=(guard("x > 0", line=15),)),
    linked(
        message(text("bad size ", value("size", "r"), " given for ", value("name"))),
        line=40,
        qualname="C.g",
        guards=(guard("size < 1", line=39), guard("not self.ready", holds=False, line=2)),
    ),
    linked(message(text("first text here"), text("second text ", value("a")), resolution="resolved"), path="pkg/b.py"),
    linked(
        message(text(value("error")), resolution="unresolved"), path="pkg/c.py", guards=(guard("E", kind="except"),)
    ),
    linked("plain text here", path="pkg/d.py", qualname="other"),
)
MANY = tuple(
    linked(f"generated error number {n} of a long list", path="many/list.py", line=20 + n * 50, qualname=f"f{n}")
    for n in range(220)
)

INPUTS: list[dict[str, Any]] = [
    {
        "kind": "option",
        "name": "--attn-cp-size",
        "expression": "cfg.attn_cp_size",
        "declaredAt": {"path": "pkg/args.py", "line": 7},
        "type": "int",
        "default": "1",
        "choices": ["1", "2"],
        "help": "Size of <groups>",
    },
    {
        "kind": "environment",
        "name": "SOME_MODE",
        "expression": "mode",
        "declaredAt": None,
        "type": None,
        "default": "'static'",
        "choices": None,
        "help": None,
    },
]
CALLERS = [
    {
        "hop": 1,
        "qualname": "main",
        "path": "pkg/m.py",
        "line": 3,
        "call": "f",
        "guards": [],
        "arguments": [],
        "entry": "command-line",
    }
]


def dataset(folder: Path, *sites: LinkedSite, inputs: bool = False, **changes: str) -> Path:
    """Write a dataset; `inputs` adds settings and callers to its first row."""
    write(folder, build(*sites, **changes))
    if inputs:
        _add(
            folder,
            {
                "surface": "server-launch",
                "inputs": INPUTS,
                "callers": CALLERS,
            },
        )
    return folder


def _add(folder: Path, fields: dict[str, Any]) -> None:
    lines = (folder / "sites.jsonl").read_text().splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | fields)
    data = "".join(f"{line}\n" for line in lines).encode()
    (folder / "sites.jsonl").write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"]["sites.jsonl"] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps(manifest))
