"""The plugin as the way in: berth-scheduler, a kube-scheduler that has Berth inside."""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import control_plane
import scheduler_config
import waiting
import workload
from api import Api
from berth import Service, port_of
from processes import Process
from relay import Relay
from scheduler_config import edited
from scheduler_log import VERBOSITY, SchedulerLog
from way import Edits, Place, Ranking, Unanswered

NAME = "plugin"
PODS = "/api/v1/namespaces/default/pods"
E2E_PODS = "/api/v1/namespaces/e2e/pods"


@dataclass(frozen=True)
class Plugin:
    scheduler: Process
    service: Service
    stock: Path
    log: SchedulerLog
    api: Api  # as an administrator
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    name = NAME
    helpers = ()
    lost = "Berth does not answer"
    found = "Berth answers again"

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
        return len(self.log.tried())

    def forget(self) -> None:
        self.log.forget()

    def failures(self) -> int:
        pods = self.api.get(E2E_PODS)["items"]
        names = {f"e2e/{pod['metadata']['name']}" for pod in pods if workload.asks_gpu(pod)}
        return len(names & self.log.alone())

    def figures(self) -> dict[str, object]:
        return {}

    def asks_apiserver(self) -> list[tuple[Process, str]]:
        return [(self.scheduler, "Caches are synced")]

    def undisturbed(self) -> Edits:
        return ()

    def alone(self) -> Edits:
        return ((r"^ {6}multiPoint:\n( {8}.*\n)*", ""), (r"^ {4}pluginConfig:\n( {6}.*\n)*", ""))

    @contextlib.contextmanager
    def relayed(self) -> Iterator[Relay]:
        with Relay(port_of(self.service.address())) as relay:
            config = Path(self.scheduler.option("config"))
            usual = config.read_text()
            config.write_text(edited(usual, ((self.service.address(), f"127.0.0.1:{relay.port}"),)))
            try:
                self._restart()
                yield relay
            finally:
                config.write_text(usual)
                self._restart()

    def _restart(self) -> None:
        self.scheduler.stop()
        self.scheduler.start()

    def _ask(self) -> None:
        """About a pod that no node is for."""
        name = f"question-{next(self._numbers)}"
        shape = workload.Shape(1, 500, 1000, 1024)
        self.api.create(PODS, workload.pod(name, shape, node_selector={"e2e.berth.dev/no": "node"}))

        def tried() -> bool:
            return bool(self.api.get(f"{PODS}/{name}")["status"].get("conditions"))

        waiting.until(tried, f"pod {name} to be tried", 30, poll=0.005)
        self.api.delete(f"{PODS}/{name}")


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
    log = SchedulerLog(scheduler.log)
    stock = place.programs.control_plane / "kube-scheduler"
    yield Plugin(scheduler, place.service, stock, log, place.plane.api)
