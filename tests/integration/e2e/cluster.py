"""Everything together on loopback, and what the stories do with it."""

import contextlib
import http.client
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import control_plane
import deployed
import openb_nodes
import waiting
import way_extender
import way_plugin
from api import Api, ApiError
from berth import Service
from kubectl import Kubectl
from ports import free_port
from processes import Processes
from replay import PROFILE
from way import Place, Programs, Way

WAYS = {way_plugin.NAME: way_plugin.running, way_extender.NAME: way_extender.running}
NAMESPACE = "e2e"
NODES = "/api/v1/nodes"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"


@dataclass(frozen=True)
class Cluster:
    api: Api  # as an administrator
    account: Api  # as the service account that all of deploy/ runs under
    kubectl: Kubectl  # as an administrator
    service: Service
    way: Way
    ports: Mapping[str, int]  # of this run, by those of deploy/
    processes: Processes

    def version(self) -> str:
        return self.api.get("/version")["gitVersion"]

    def nodes(self) -> list[dict]:
        return self.api.get(NODES)["items"]

    def pods(self, **query: str) -> list[dict]:
        return self.api.get(PODS, **query)["items"]

    def pod(self, name: str) -> dict:
        return self.api.get(f"{PODS}/{name}")

    def create(self, *pods: dict) -> list[dict]:
        return self.api.create_all(PODS, pods)

    def delete(self, *names: str) -> None:
        for name in names:
            self.api.delete(f"{PODS}/{name}")

    def delete_all(self) -> None:
        """A call gets a minute: too little for thousands of pods on a busy machine."""

        def deleted() -> bool:
            with contextlib.suppress(OSError, http.client.HTTPException, ApiError):
                self.api.delete(PODS)
            return not self.pods(limit="1")

        waiting.until(deleted, "all pods to be deleted", 300)

    def await_all_bound(self, timeout: float) -> None:
        """Returns once no pod is pending, or raises with the reasons of some that are."""

        def pending() -> list[dict]:
            return self.pods(fieldSelector="spec.nodeName=", resourceVersion="0")

        try:
            waiting.until(lambda: not pending(), "all pods to be bound", timeout, poll=0.2)
        except TimeoutError as late:
            reasons = [f"  {pod['metadata']['name']}: {why_pending(pod)}" for pod in pending()]
            raise TimeoutError(
                "\n".join([f"{late}; {len(reasons)} pending, for example", *reasons[:5]])
            ) from None

    def await_bound(self, name: str, timeout: float = 15) -> str:
        """Returns the node."""

        def node() -> str:
            return self.pod(name)["spec"].get("nodeName", "")

        return waiting.until(node, f"pod {name} to be bound", timeout, poll=0.005)

    def await_known(self, bound: int) -> None:
        """Returns once Berth's books hold this many bound pods, as kube-apiserver does."""
        try:
            self.way.await_known(bound)
        except TimeoutError as late:
            raise TimeoutError(f"{late}; it knows {self.service.bound_pods():g}") from None

    def await_api(self) -> None:
        """Returns once kube-apiserver serves."""

        def serves() -> bool:
            with contextlib.suppress(OSError, http.client.HTTPException, ApiError):
                return self.api.raw("GET", "/readyz") == b"ok"
            return False

        waiting.until(serves, "kube-apiserver to serve", 60)

    def await_event(self, pod: str, reason: str, text: str, timeout: float = 15) -> str:
        """Returns the message of an event about the pod that contains `text`."""

        def message() -> str:
            events = self.api.get(
                f"/api/v1/namespaces/{NAMESPACE}/events",
                fieldSelector=f"involvedObject.name={pod},reason={reason}",
            )
            return next(
                (event["message"] for event in events["items"] if text in event["message"]), ""
            )

        return waiting.until(message, f"an event {reason} of pod {pod} that says '{text}'", timeout)


def why_pending(pod: dict) -> str:
    conditions = {condition["type"]: condition for condition in pod["status"].get("conditions", [])}
    return conditions.get("PodScheduled", {}).get("message", "not tried yet")


@contextlib.contextmanager
def running(programs: Programs, logs: Path, way: str) -> Iterator[Cluster]:
    """With the way in of that name."""
    logs.mkdir(parents=True, exist_ok=True)
    with _fresh_folder(logs / "state") as state, Processes(logs) as processes:
        plane = control_plane.start(processes, programs.control_plane, state)
        kubectl = Kubectl(programs.control_plane / "kubectl", plane.admin, state)
        deployed.apply(kubectl, way)
        token = deployed.token(plane.api)
        account, kubeconfig = plane.login(token), plane.kubeconfig(deployed.ACCOUNT, token)
        deployed.await_rights(account)
        _populate(plane.api, openb_nodes.nodes())
        ports = defaultdict(free_port)  # of this run, by the deployed ones

        def arguments(container: str) -> list[str]:
            given = deployed.container(plane.api, container)["args"]
            return deployed.on_loopback(given, ports)

        service = _start_service(processes, programs, arguments("berth"), ports)
        place = Place(
            programs,
            processes,
            plane,
            kubeconfig,
            logs,
            state,
            service,
            deployed.scheduler_config(plane.api),
            arguments,
            ports,
        )
        with WAYS[way](place) as asked:
            yield Cluster(plane.api, account, kubectl, service, asked, ports, processes)


def _start_service(
    processes: Processes, programs: Programs, arguments: list[str], ports: Mapping[str, int]
) -> Service:
    program = programs.berth / "berth"
    # One mix throughout, so that berth-replay makes the same decisions.
    given = [f"--policy={programs.policy}", f"--profile={PROFILE}"]
    process = processes.start("berth-serve", program, *arguments, *given)
    return Service(process, f"http://127.0.0.1:{ports['8791']}", program)


@contextlib.contextmanager
def _fresh_folder(path: Path) -> Iterator[Path]:
    """Holds tokens and etcd's data; one that a killed run left behind is replaced."""
    shutil.rmtree(path, ignore_errors=True)
    try:
        path.mkdir(mode=0o700)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _populate(api: Api, nodes: Iterable[dict]) -> None:
    api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    api.create_all(NODES, nodes)
