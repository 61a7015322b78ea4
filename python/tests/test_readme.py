"""What README.md tells people to run."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
README = TOP / "python/README.md"
PYTHON = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_its_python_runs_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(TOP)
    names: dict[str, object] = {}
    for block in PYTHON:  # one after another, as people follow it
        exec(compile(block, str(README), "exec"), names)
    filled, rule, fgd = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"filled \d\.\d+ of 4 nodes", filled)
    assert re.fullmatch(r"this rule 9\d\.\d\d %", rule)
    assert re.fullmatch(r"FGD       9\d\.\d\d %", fgd)
