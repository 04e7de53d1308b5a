"""The benchmark counts processes that its command leaves behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BURN = "import time\nwhile time.process_time() < 0.4: pass"
LEAVE = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BURN!r}])"
WAIT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN!r}])"
MEASURE = """
import sys
from pathlib import Path
from tests.bench.measure import adopt_orphans, measure
adopt_orphans()
print(measure([sys.executable, "-c", sys.argv[1]], output=Path(sys.argv[2])).cpu)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lets a process adopt its orphans")
@pytest.mark.parametrize("command", [LEAVE, WAIT], ids=["left running", "waited for"])
def test_grandchildren_count(command: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", MEASURE, command, str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    assert float(done.stdout) >= 0.4
