"""What berth-scheduler's log says: how often it tried, and what Berth answered about which pod."""

import re
from collections import Counter
from pathlib import Path

from way import Ranking

# Only these two files say more than usual: each pod that is tried, and each that Berth ranked.
VERBOSITY = "schedule_one=3,ranking_log=4"

_LINE = re.compile(
    rb'\] "Attempting to schedule pod" pod="(?P<tried>[^"]*)"'
    rb'|\] "Berth ranked pod" pod="[^"]*" uid="(?P<uid>[^"]*)"'
    rb' first="(?P<first>[^"]*)" feasible=(?P<feasible>\d+)'
)


class SchedulerLog:
    """Read as it grows."""

    def __init__(self, path: Path):
        self._path = path
        self._read = 0
        self._rest = b""
        self._tries: Counter[str] = Counter()  # by namespace/name
        self._rankings: dict[str, Ranking] = {}

    def tried(self) -> int:
        """How often any pod was."""
        self._follow()
        return self._tries.total()

    def tries(self, pod: str) -> int:
        """How often this one was, NAMESPACE/NAME."""
        self._follow()
        return self._tries[pod]

    def rankings(self) -> dict[str, Ranking]:
        """The last one of each pod, in their order."""
        self._follow()
        return self._rankings

    def forget(self) -> None:
        self._follow()
        self._tries.clear()
        self._rankings.clear()

    def _follow(self) -> None:
        with self._path.open("rb") as log:
            log.seek(self._read)
            more = log.read()
        self._read += len(more)
        whole, newline, self._rest = (self._rest + more).rpartition(b"\n")
        for line in _LINE.finditer(whole + newline):
            self._take({name: (text or b"").decode() for name, text in line.groupdict().items()})

    def _take(self, said: dict[str, str]) -> None:
        if said["tried"]:
            self._tries[said["tried"]] += 1
            return
        self._rankings.pop(said["uid"], None)  # the last counts, in its place in the order
        self._rankings[said["uid"]] = Ranking(said["first"], int(said["feasible"]))
