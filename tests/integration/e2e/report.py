"""What the run found out, for people and as build/e2e/report.json."""

import json
from pathlib import Path


class Report:
    def __init__(self, facts: dict[str, object] | None = None, suffix: str = "") -> None:
        self._facts = {} if facts is None else facts
        self._suffix = suffix

    def suffixed(self, suffix: str) -> "Report":
        """The same report; names that do not hold the suffix end in it."""
        return Report(self._facts, suffix)

    def note(self, **facts: object) -> None:
        for name, value in facts.items():
            self._facts[name if self._suffix in name else name + self._suffix] = value

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self._facts, indent=2) + "\n")

    def __str__(self) -> str:
        width = max(map(len, self._facts), default=0)
        return "\n".join(
            f"  {name:{width}}  {_shown(value)}" for name, value in self._facts.items()
        )


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
