"""The plugin as the way in: berth-scheduler, a kube-scheduler that has Berth inside."""

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import control_plane
import scheduler_config
import waiting
import workload
from berth import Service, port_of
from control_plane import ControlPlane
from metrics import scrape
from processes import Process
from relay import Relay
from scheduler_config import NO_LEASE, edited
from scheduler_log import VERBOSITY, SchedulerLog
from way import Edits, Place, Ranking, Unanswered

NAME = "plugin"
PODS = "/api/v1/namespaces/default/pods"
UNANSWERED = "berth_plugin_stepped_aside_total"
UNAVAILABLE, LATE, PAUSED = (
    f'{UNANSWERED}{{cause="{cause}"}}' for cause in ("Unavailable", "DeadlineExceeded", "Paused")
)
SECONDS = "berth_plugin_call_duration_seconds"


@dataclass
class Plugin:
    scheduler: Process
    service: Service
    stock: Path
    log: SchedulerLog
    plane: ControlPlane
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _forgotten: Counter[str] = field(default_factory=Counter)  # the metrics at that time

    name = NAME
    helpers = ()
    lost = "the plugin steps aside"
    found = "Berth's service is back"
    rates = ("pods_per_second_with_plugin", "pods_per_second_with_plugin_ratio")

    @property
    def asker(self) -> Process:
        return self.scheduler

    def await_ready(self) -> None:
        """The service is told the cluster when it is asked first, and says no before."""
        self.service.await_alive()

    def await_known(self, bound: int) -> None:
        """The books change with the question about a pod, so ask one until they do."""

        def known() -> bool:
            self._ask()
            return self.service.bound_pods() == bound

        waiting.until(known, f"Berth to know {bound} bound pods", 60)

    def rankings(self) -> dict[str, Ranking]:
        return self.log.rankings()

    def tried(self) -> int:
        return self.log.tried()

    def forget(self) -> None:
        self.log.forget()
        self._forgotten = self.metrics()

    def decided(self, pods: list[dict]) -> list[dict]:
        return [pod for pod in pods if pod["metadata"]["uid"] in self.log.rankings()]

    def failures(self) -> int:
        """Without the answers that were too late, as they may be on a busy machine."""
        since = self._since_forgotten()
        return int(total(since, UNANSWERED) - since[LATE] - since[PAUSED])

    def unanswered(self) -> Unanswered:
        metrics = self.metrics()
        return Unanswered(*(metrics[name] for name in (UNAVAILABLE, LATE, PAUSED)))

    def seconds(self) -> float:
        return total(self.metrics(), f"{SECONDS}_sum")

    def figures(self) -> dict[str, object]:
        metrics = self._since_forgotten()
        seconds, calls = (total(metrics, f"{SECONDS}_{what}") for what in ("sum", "count"))
        return {
            "call_ms_mean": 1000 * seconds / calls,
            "calls_too_late": metrics[LATE],
            "left_to_kube_scheduler": total(metrics, UNANSWERED),
        }

    def asks_apiserver(self) -> list[tuple[Process, str]]:
        return [(self.scheduler, "Caches are synced")]

    def undisturbed(self) -> Edits:
        return ()

    def alone(self) -> Edits:
        return ((r"^ {6}multiPoint:\n( {8}.*\n)*", ""), (r"^ {4}pluginConfig:\n( {6}.*\n)*", ""))

    @contextlib.contextmanager
    def relayed(self) -> Iterator[Relay]:
        with Relay(port_of(self.service.address())) as relay:
            elsewhere = (self.service.address(), f"127.0.0.1:{relay.port}")
            with self.reconfigured(elsewhere, NO_LEASE):
                yield relay

    def refusing(self) -> contextlib.AbstractContextManager[None]:
        """Pods that Berth does not answer about wait."""
        return self.reconfigured(argument("onUnavailable: refuse"), NO_LEASE)

    @contextlib.contextmanager
    def patient(self, *edits: tuple[str, str], **options: str) -> Iterator[None]:
        """Berth is waited for, however busy the machine, so that it decides about every pod."""
        with self.reconfigured(argument("deadline: 10s"), *edits, **options):
            yield

    @contextlib.contextmanager
    def reconfigured(self, *edits: tuple[str, str], **options: str) -> Iterator[None]:
        """berth-scheduler with an edited configuration and other options."""
        config = Path(self.scheduler.option("config"))
        usual = config.read_text()
        self.scheduler.stop()
        try:
            config.write_text(edited(usual, edits))
            with self.scheduler.with_options(**options):
                self._start()
                yield
                self.scheduler.stop()
        finally:
            config.write_text(usual)
            self.scheduler.stop()
            self._start()

    def _start(self) -> None:
        self.scheduler.start()
        control_plane.await_scheduler(self.scheduler)

    def metrics(self) -> Counter[str]:
        """kube-scheduler's own, with the plugin's among them; they begin with its start."""
        url, certificate = control_plane.scheduler_address(self.scheduler)
        return Counter(scrape(f"{url}/metrics", certificate, self.plane.token))

    def _since_forgotten(self) -> Counter[str]:
        return self.metrics() - self._forgotten

    def _ask(self) -> None:
        """About a pod that no node is for."""
        name = f"question-{next(self._numbers)}"
        shape = workload.Shape(1, 500, 1000, 1024)
        pod = workload.pod(name, shape, node_selector={"e2e.berth.dev/no": "node"})
        self.plane.api.create(PODS, pod)

        def tried() -> bool:
            return bool(self.plane.api.get(f"{PODS}/{name}")["status"].get("conditions"))

        waiting.until(tried, f"pod {name} to be tried", 30, poll=0.005)
        self.plane.api.delete(f"{PODS}/{name}")


def argument(line: str) -> tuple[str, str]:
    """The edit of kube-scheduler's configuration that adds a line to the plugin's arguments."""
    return r"^( +)(address: .*)$", rf"\g<1>\g<2>\n\g<1>{line}"


def total(metrics: Counter[str], prefix: str) -> float:
    """Of all whose name begins so."""
    return sum(value for name, value in metrics.items() if name.startswith(prefix))


@contextlib.contextmanager
def running(place: Place) -> Iterator[Plugin]:
    config = place.logs / "kube-scheduler-config.yaml"
    config.write_text(
        scheduler_config.adapt(
            place.config,
            scheduler_config.PLUGIN,
            kubeconfig=str(place.kubeconfig),
            address=place.service.address(),
        )
    )
    place.service.await_alive()
    scheduler = control_plane.start_scheduler(
        place.processes,
        place.programs.berth / "berth-scheduler",
        place.state,
        [*place.arguments("scheduler"), f"--vmodule={VERBOSITY}"],
        config,
        place.kubeconfig,
    )
    stock = place.programs.control_plane / "kube-scheduler"
    yield Plugin(scheduler, place.service, stock, SchedulerLog(scheduler.log), place.plane)
