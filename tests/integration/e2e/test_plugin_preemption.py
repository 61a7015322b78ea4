"""The stories of preemption: it takes pods where that helps with Berth, and only there."""

import contextlib
from collections.abc import Iterator

import workload
from priorities import urgency, urgent, yielding
from story import NO_SHARE, PluginStory, share


class Preemption(PluginStory):
    def setUp(self) -> None:
        super().setUp()
        self.enterContext(urgency(self.cluster.api))

    def test_an_urgent_pod_takes_just_the_place_that_berth_lacked(self) -> None:
        with self.two_gpus_half_full() as only:
            node = self.place(urgent(workload.pod("urgent", share(800), node_selector=only)))
            self.assertEqual(node, "node-of-its-own")
            self.assertEqual(len(self.left()), 1)
            self.assert_books_are_right()

    def test_nothing_is_taken_where_berth_would_refuse_all_the_same(self) -> None:
        """A model that other nodes have, and one that none has."""
        with self.two_gpus_half_full() as only:
            everywhere = f"{len(self.cluster.nodes())} Preemption is not helpful"
            for model in ("P100", "H100"):
                name = f"urgent-{model.lower()}"
                pod = workload.pod(name, share(800), node_selector=only, models=model)
                self.cluster.create(urgent(pod))
                self.cluster.await_event(name, "FailedScheduling", everywhere)
                self.assert_waits(name)
                self.assertNotIn("nominatedNodeName", self.cluster.pod(name)["status"])
            self.assertEqual(len(self.left()), 2)
            self.assert_books_are_right()

    @contextlib.contextmanager
    def two_gpus_half_full(self) -> Iterator[dict[str, str]]:
        """400 of each are free, on a node whose total would do for 800."""
        with self.node_of_its_own(gpus=2) as only:
            for name in ("left", "right"):
                self.place(yielding(workload.pod(name, share(600), node_selector=only)))
            more = workload.pod("more", share(800), node_selector=only)
            self.cluster.await_known(2)
            self.assertEqual(
                self.cluster.service.refused(more, ["node-of-its-own"]),
                {"node-of-its-own": NO_SHARE},
            )
            yield only

    def left(self) -> list[str]:
        names = [pod["metadata"]["name"] for pod in self.cluster.pods()]
        return [name for name in names if not name.startswith("urgent")]
