"""What the stories ask of a way in, be it the extender or the plugin."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from berth import Service
from control_plane import ControlPlane
from processes import Process, Processes
from relay import Relay


@dataclass(frozen=True)
class Programs:
    """Where the programs are, and what they are told."""

    control_plane: Path
    berth: Path
    policy: Path


@dataclass(frozen=True)
class Place:
    """What is there before a way in starts."""

    programs: Programs
    processes: Processes
    plane: ControlPlane
    kubeconfig: Path  # of the service account that all of deploy/ runs under
    logs: Path
    state: Path
    service: Service
    config: str  # of kube-scheduler, as deployed
    arguments: Callable[[str], list[str]]  # of a deployed container, with the ports of this run
    ports: Mapping[str, int]  # of this run, by the deployed ones


class Ranking(NamedTuple):
    """Berth's last answer about a pod."""

    first: str  # the node that it ranked first, or "" where several are
    candidates: int


class Unanswered(NamedTuple):
    """How often Berth was to be asked since it was started, and did not answer."""

    unavailable: float  # there was nobody
    late: float  # it was waited for in vain
    spared: float  # it was not asked, because it had been late


Edits = tuple[tuple[str, str], ...]  # each a pattern that is there once, and what replaces it


class Way(Protocol):
    name: str  # the folder of deploy/
    scheduler: Process
    stock: Path  # kube-scheduler as it is without Berth
    helpers: tuple[Process, ...]  # Berth's own programs besides the service
    asker: Process  # the program that asks the service, and says so in its log when it cannot
    lost: str  # what it says then
    found: str  # and afterwards
    rates: tuple[str, str]  # names in the report of pods per second with Berth, and as a share

    def await_ready(self) -> None:
        """Returns once the programs of this way would be asked."""

    def await_known(self, bound: int) -> None:
        """Returns once Berth's books hold this many bound pods, as kube-apiserver does."""

    def rankings(self) -> dict[str, Ranking]:
        """By pod UID, in the order of Berth's last answers about each."""

    def tried(self) -> int:
        """How often kube-scheduler has set out to place a pod."""

    def forget(self) -> None:
        """What happened before: rankings and tries."""

    def asks_apiserver(self) -> list[tuple[Process, str]]:
        """The programs that do, each with what its log says once it has come so far."""

    def decided(self, pods: list[dict]) -> list[dict]:
        """Those that kube-scheduler has not placed by itself for want of an answer."""

    def failures(self) -> int:
        """How often kube-scheduler asked since the last forget(), and went on without an answer."""

    def unanswered(self) -> Unanswered: ...

    def seconds(self) -> float:
        """What kube-scheduler has spent on asking Berth, whatever came of it."""

    def figures(self) -> dict[str, object]:
        """For the report: what placing cost since the last forget()."""

    def undisturbed(self) -> Edits:
        """Of kube-scheduler's configuration: nothing of the harness between it and Berth."""

    def alone(self) -> Edits:
        """Of kube-scheduler's configuration: without Berth."""

    def relayed(self) -> contextlib.AbstractContextManager[Relay]:
        """What is asked of the service goes through here."""
