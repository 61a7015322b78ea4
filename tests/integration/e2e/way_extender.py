"""The extender as the way in: an unmodified kube-scheduler, and berth-extender, which it asks."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import control_plane
import scheduler_config
import waiting
from berth import Service, port_of
from metrics import scrape
from processes import Process, http_ok
from recorder import Recorder
from relay import Relay
from way import Edits, Place, Ranking, Unanswered

NAME = "extender"
# kube-scheduler's own: pods per second are measured with it, since all of the nodes are many names.
DEFAULT_PERCENTAGE = ("percentageOfNodesToScore: 100", "percentageOfNodesToScore: 0")


@dataclass(frozen=True)
class Extender:
    scheduler: Process
    service: Service
    extender: Process
    stock: Path
    port: int  # where the extender answers
    recorder: Recorder

    name = NAME
    lost = "requests cannot be answered"
    found = "requests are answered again"
    rates = ("pods_per_second_with_berth", "pods_per_second_ratio")

    @property
    def helpers(self) -> tuple[Process, ...]:
        return (self.extender,)

    @property
    def asker(self) -> Process:
        return self.extender

    def await_ready(self) -> None:
        """The extender has seen the whole cluster and the service knows it."""
        await_ready(self.extender, self.port)
        self.service.await_ready()

    def await_known(self, bound: int) -> None:
        what = f"Berth to know {bound} bound pods"
        waiting.until(lambda: self.service.bound_pods() == bound, what, 60, poll=0.002)

    def rankings(self) -> dict[str, Ranking]:
        return self.recorder.rankings

    def tried(self) -> int:
        return sum(call.verb == "filter" for call in self.recorder.calls)

    def forget(self) -> None:
        self.recorder.calls.clear()
        self.recorder.rankings.clear()

    def asks_apiserver(self) -> list[tuple[Process, str]]:
        return [(self.scheduler, "Caches are synced"), (self.extender, 'msg="serving"')]

    def decided(self, pods: list[dict]) -> list[dict]:
        return pods

    def failures(self) -> int:
        return len(self.recorder.failures())

    def unanswered(self) -> Unanswered:
        """Counts calls, of which there are two per pod."""
        return Unanswered(*map(self.calls, ("unavailable", "deadline", "breaker_open")))

    def calls(self, outcome: str) -> float:
        return sum(
            self.metric(f'berth_extender_requests_total{{outcome="{outcome}",verb="{verb}"}}')
            for verb in ("filter", "prioritize")
        )

    def metric(self, name: str) -> float:
        return scrape(f"http://127.0.0.1:{self.port}/metrics")[name]

    def seconds(self) -> float:
        return sum(call.seconds for call in self.recorder.calls)

    def figures(self) -> dict[str, object]:
        return {
            "extender_ms_median": self.recorder.milliseconds(0.5),
            "extender_ms_99th": self.recorder.milliseconds(0.99),
            "extender_answers_too_late": len(self.recorder.late()),
        }

    def undisturbed(self) -> Edits:
        return ((self.recorder.url, f"http://127.0.0.1:{self.port}"), DEFAULT_PERCENTAGE)

    def alone(self) -> Edits:
        return ((r"^extenders:\n(.*\n)*", ""), DEFAULT_PERCENTAGE)

    @contextlib.contextmanager
    def relayed(self) -> Iterator[Relay]:
        with Relay(port_of(self.service.address())) as relay:
            with self.extender_with(service=f"127.0.0.1:{relay.port}"):
                yield relay

    @contextlib.contextmanager
    def extender_with(self, **options: str) -> Iterator[None]:
        self.extender.stop()
        with self.extender.with_options(**options):
            self.extender.start()
            self.await_ready()
            try:
                yield
            finally:
                self.extender.stop()
        self.extender.start()
        self.await_ready()


@contextlib.contextmanager
def running(place: Place) -> Iterator[Extender]:
    extender = place.processes.start(
        "berth-extender",
        place.programs.berth / "berth-extender",
        *place.arguments("berth-extender"),
        f"--kubeconfig={place.kubeconfig}",
    )
    port = place.ports["8787"]
    await_ready(extender, port)
    place.service.await_ready()
    with Recorder(port) as recorder:
        config = place.logs / "kube-scheduler-config.yaml"
        config.write_text(
            scheduler_config.adapt(
                place.config,
                scheduler_config.EXTENDER,
                kubeconfig=str(place.kubeconfig),
                address=recorder.url,
            )
        )
        stock = place.programs.control_plane / "kube-scheduler"
        scheduler = control_plane.start_scheduler(
            place.processes,
            stock,
            place.state,
            place.arguments("scheduler"),
            config,
            place.kubeconfig,
        )
        yield Extender(scheduler, place.service, extender, stock, port, recorder)


def await_ready(extender: Process, port: int) -> None:
    """It has seen the whole cluster."""
    extender.await_ready(http_ok(f"http://127.0.0.1:{port}/readyz"))
