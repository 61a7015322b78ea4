"""`berth serve` as built, and questions to it."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from accounting import Free
from metrics import scrape
from processes import Process, http_ok


@dataclass(frozen=True)
class Service:
    process: Process
    http: str  # where it has its metrics
    program: Path  # berth

    def await_alive(self) -> None:
        self.process.await_ready(http_ok(f"{self.http}/healthz"))

    def await_ready(self) -> None:
        """Returns once it knows the cluster."""
        self.process.await_ready(http_ok(f"{self.http}/readyz"))

    def refused(self, pod: dict, nodes: list[str]) -> dict[str, str]:
        """The nodes of these that Berth refuses to `pod`, with its reasons. Creates nothing."""
        return {
            verdict["node"]: verdict["reason"]
            for verdict in self._explain(pod)
            if verdict["reason"] and verdict["node"] in nodes
        }

    def free(self) -> dict[str, Free]:
        """By node, what its books say: the whole truth behind its answers."""
        anything = {"metadata": {"name": "anything"}, "spec": {"containers": []}}
        return {
            node["node"]: Free(
                node["freeCpuMilli"], node["freeMemoryMiB"], sum(node["freeGpuMilli"])
            )
            for node in self._explain(anything)
        }

    def bound_pods(self) -> float:
        return self._metric('berth_cluster_pods{state="bound"}')

    def used_gpus(self) -> float:
        return self._metric("berth_cluster_gpus") - self._metric("berth_cluster_free_gpus")

    def overcommitted_nodes(self) -> float:
        return self._metric("berth_cluster_overcommitted_nodes")

    def address(self) -> str:
        """Where it answers."""
        return self.process.option("listen")

    def policy(self) -> Path:
        """What it hosts."""
        return Path(self.process.option("policy"))

    def _explain(self, pod: dict) -> list[dict]:
        """What it says about each node."""
        explanation = subprocess.run(
            [self.program, "explain", "-f", "-", "--json", "--service", self.address()],
            input=json.dumps(pod),
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(explanation.stdout)["nodes"]

    def _metric(self, name: str) -> float:
        return scrape(f"{self.http}/metrics")[name]


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])
