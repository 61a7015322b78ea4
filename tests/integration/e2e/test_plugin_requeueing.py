"""The story of a refused pod: what can help it wakes it, and nothing else does."""

import time

import workload
from cluster import NAMESPACE, NODES
from openb_nodes import PRODUCT
from story import NO_SHARE, PluginStory, share

UNRELATED = 200


class Requeueing(PluginStory):
    def test_a_refused_pod_sleeps_through_what_cannot_help_it(self) -> None:
        with self.node_of_its_own(gpus=2) as only:
            for name in ("left", "right"):
                self.place(workload.pod(name, share(600), node_selector=only))
            self.cluster.create(workload.pod("waits", share(800), node_selector=only))
            self.cluster.await_event("waits", "FailedScheduling", NO_SHARE)
            tried = self.tries("waits")

            self.pods_without_gpus_come_and_go()
            self.nodes_change_without_meaning()
            self.place(workload.pod("witness", workload.Shape(1, 500, 1000, 1024)))
            self.report.note(unrelated_wake_ups=self.tries("waits") - tried)
            self.assertEqual(self.tries("waits"), tried)
            self.assert_waits("waits")

            self.cluster.delete("left")
            start = time.monotonic()
            self.cluster.await_bound("waits")
            self.report.note(refused_pod_placed_after_seconds=time.monotonic() - start)
            self.assert_books_are_right()

    def test_a_pod_refused_for_good_wakes_when_a_node_becomes_one_for_it(self) -> None:
        """As when a node's labels are written late."""
        with self.node_of_its_own(gpus=1) as only:
            pod = workload.pod("waits", share(500), node_selector=only, models="H100")
            self.cluster.create(pod)
            self.cluster.await_event("waits", "FailedScheduling", "model")
            node = self.cluster.api.get(f"{NODES}/node-of-its-own")
            node["metadata"]["labels"][PRODUCT] = "NVIDIA-H100"
            self.cluster.api.raw("PUT", f"{NODES}/node-of-its-own", node)
            self.cluster.await_bound("waits")

    def tries(self, name: str) -> int:
        return self.cluster.way.log.tries(f"{NAMESPACE}/{name}")

    def pods_without_gpus_come_and_go(self) -> None:
        shape = workload.Shape(0, 0, 100, 64)
        names = [f"unrelated-{number}" for number in range(UNRELATED)]
        self.cluster.create(*(workload.pod(name, shape) for name in names))
        for name in names:
            self.cluster.await_bound(name)
        self.cluster.delete(*names)

    def nodes_change_without_meaning(self) -> None:
        for node in self.cluster.nodes()[:UNRELATED]:
            path = f"{NODES}/{node['metadata']['name']}"
            node["metadata"]["labels"]["e2e.berth.dev/colour"] = "blue"
            node["metadata"]["annotations"] = {"e2e.berth.dev/colour": "blue"}
            self.cluster.api.raw("PUT", path, node)
