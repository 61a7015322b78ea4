"""Berth itself: `berth serve` and `berth-extender` as built, and questions to them."""

import json
import re
import subprocess
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from accounting import Free
from processes import Process, Processes, http_ok


@dataclass(frozen=True)
class Berth:
    service: Process
    extender: Process
    extender_port: int
    service_http: str  # where berth serve has its metrics
    program: Path  # berth

    def await_ready(self) -> None:
        """Returns once the extender has seen the whole cluster and the service knows it."""
        self.extender.await_ready(http_ok(f"http://127.0.0.1:{self.extender_port}/readyz"))
        self.service.await_ready(http_ok(f"{self.service_http}/readyz"))

    def refused(self, pod: dict, nodes: list[str]) -> dict[str, str]:
        """The nodes that berth-extender refuses to `pod`, with its reasons. Creates nothing."""
        name = pod["metadata"]["name"]
        pending = {
            **pod,
            "metadata": {**pod["metadata"], "namespace": "probe", "uid": f"probe-{name}"},
        }
        question = json.dumps({"Pod": pending, "Nodes": None, "NodeNames": nodes}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.extender_port}/filter",
            question,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            answer = json.load(response)
        if answer.get("Error"):
            raise RuntimeError(f"berth-extender: {answer['Error']}")
        return {
            **(answer.get("FailedNodes") or {}),
            **(answer.get("FailedAndUnresolvableNodes") or {}),
        }

    def free(self) -> dict[str, Free]:
        """By node, what the service's books say: the whole truth behind its answers."""
        anything = {"metadata": {"name": "anything"}, "spec": {"containers": []}}
        explanation = subprocess.run(
            [self.program, "explain", "-f", "-", "--json", "--service", self._rpc()],
            input=json.dumps(anything),
            capture_output=True,
            text=True,
            check=True,
        )
        return {
            node["node"]: Free(
                node["freeCpuMilli"], node["freeMemoryMiB"], sum(node["freeGpuMilli"])
            )
            for node in json.loads(explanation.stdout)["nodes"]
        }

    def bound_pods(self) -> float:
        return _sample(self.service_http, 'berth_cluster_pods{state="bound"}')

    def used_gpus(self) -> float:
        return _sample(self.service_http, "berth_cluster_gpus") - _sample(
            self.service_http, "berth_cluster_free_gpus"
        )

    def overcommitted_nodes(self) -> float:
        return _sample(self.service_http, "berth_cluster_overcommitted_nodes")

    def extender_metric(self, name: str) -> float:
        return _sample(f"http://127.0.0.1:{self.extender_port}", name)

    def _rpc(self) -> str:
        return self.service.option("listen")


def _sample(server: str, name: str) -> float:
    """The current value of a metric, labels included in the name."""
    with urllib.request.urlopen(f"{server}/metrics", timeout=10) as page:
        sample = re.search(rf"^{re.escape(name)} (\S+)$", page.read().decode(), re.MULTILINE)
    if not sample:
        raise RuntimeError(f"{server}/metrics has no {name}")
    return float(sample[1])


def start(
    processes: Processes,
    programs: Path,
    policy: Path,
    kubeconfig: Path,
    arguments: Callable[[str], list[str]],
    ports: Mapping[str, int],
) -> Berth:
    """Returns once Berth is ready.

    `arguments` are those of the deployed container of that name, with the ports of this run;
    `ports` are these, by the deployed ones.
    """
    service = processes.start(
        "berth-serve",
        programs / "berth",
        *arguments("berth"),
        f"--policy={policy}",
    )
    extender = processes.start(
        "berth-extender",
        programs / "berth-extender",
        *arguments("berth-extender"),
        f"--kubeconfig={kubeconfig}",
    )
    berth = Berth(
        service,
        extender,
        ports["8787"],
        f"http://127.0.0.1:{ports['8791']}",
        programs / "berth",
    )
    berth.await_ready()
    return berth
