"""The file that `berth serve --decision-log` writes, asked as SQLite."""

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import NamedTuple

import waiting
from cluster import NAMESPACE

_QUERY = """
SELECT name, node, asked || ' ' || version, policy || ' ' || version, guard FROM decisions
WHERE namespace = ? AND time_us - latency_ns / 1000 >= ? ORDER BY id
"""


class Decision(NamedTuple):
    pod: str
    node: str
    asked: str  # the policy whose turn it was, and its version
    answered: str  # the same, unless
    guard: str  # this fired


class DecisionLog:
    def __init__(self, path: Path):
        self._path = path

    def decisions(self, since: float = 0) -> list[Decision]:
        """About the pods of the stories, asked since a time of time.time()."""
        url = f"file:{self._path}?mode=ro"
        with contextlib.closing(sqlite3.connect(url, uri=True, timeout=30)) as database:
            rows = database.execute(_QUERY, (NAMESPACE, int(since * 1e6)))
            return [Decision(*row) for row in rows]

    def next(self, count: int, timeout: float = 120) -> list[Decision]:
        """Returns once so many more are written that were asked from now on."""
        now = time.time()

        def written() -> list[Decision]:
            decisions = self.decisions(since=now)
            return decisions if len(decisions) >= count else []

        return waiting.until(written, f"{count} more decisions", timeout, poll=0.2)
