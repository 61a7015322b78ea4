"""The stories of where pods go, by either way in."""

import contextlib
import time
from collections.abc import Iterator

import accounting
import workload
from openb_nodes import MILLI, WHOLE
from processes import Process
from story import NO_SHARE, Story, share

MANY = 1500  # pods created at once
IN_TURN = 200  # pods created one after the other


class Placement(Story):
    def test_many_pods_are_all_bound_and_no_node_is_overcommitted(self) -> None:
        start = time.monotonic()
        created = self.cluster.create(*workload.picky_first(workload.pods(MANY, "many")))
        self.cluster.await_all_bound(timeout=300)
        seconds = time.monotonic() - start

        nodes, pods = self.cluster.nodes(), self.cluster.pods()
        overcommitted = accounting.overcommitted(nodes, pods)
        crowded = accounting.crowded(nodes, pods)
        bound = sum("nodeName" in pod["spec"] for pod in pods)
        self.report.note(
            pods_created=len(created),
            pods_bound=bound,
            pods_per_second=bound / seconds,
            overcommitted_nodes=len(overcommitted),
            crowded_nodes=len(crowded),
            **self.cluster.way.figures(),
        )
        self.assertEqual(bound, len(created))
        self.assertEqual(overcommitted, [])
        self.assertEqual(accounting.wrong_model(nodes, self.cluster.way.decided(pods)), [])
        self.assert_berth_always_answered()

    def test_pods_in_turn_each_go_where_berth_ranked_first(self) -> None:
        ranked, first = 0, 0  # not ranked: one node fits, and kube-scheduler asks for no order
        for number, pod in enumerate(workload.pods(IN_TURN, "turn", seed=2), start=1):
            uid = self.cluster.create(pod)[0]["metadata"]["uid"]
            node = self.cluster.await_bound(pod["metadata"]["name"])
            self.cluster.await_known(number)
            if ranking := self.cluster.way.rankings().get(uid):
                ranked += 1
                first += node == ranking.first

        self.report.note(
            ranked_pods=ranked, ranked_first=first, ranked_first_share=first / max(ranked, 1)
        )
        self.assertGreater(ranked, IN_TURN / 2)
        self.assertEqual(first, ranked)
        self.assertEqual(accounting.crowded(self.cluster.nodes(), self.cluster.pods()), [])
        self.assert_berth_always_answered()

    def test_a_share_that_no_single_gpu_has_free_waits_with_the_reason(self) -> None:
        with self.node_of_its_own(gpus=2) as only:
            for name in ("left", "right"):  # 600 of each GPU: 400 and 400 stay free
                self.cluster.create(workload.pod(name, share(600), node_selector=only))
                self.cluster.await_bound(name)
            self.cluster.await_known(2)
            self.cluster.create(workload.pod("wants-800", share(800), node_selector=only))

            message = self.cluster.await_event("wants-800", "FailedScheduling", NO_SHARE)
            self.assertNotIn(f"Insufficient {MILLI}", message)
            self.assertNotIn("nodeName", self.cluster.pod("wants-800")["spec"])

            self.cluster.delete("left")
            start = time.monotonic()
            self.cluster.await_bound("wants-800", timeout=60)  # kube-scheduler looks every 30 s
            self.report.note(freed_gpu_taken_after_seconds=time.monotonic() - start)

    def test_deleted_pods_give_their_gpus_back_in_berths_books(self) -> None:
        names = self.managed_nodes(gpus=8)
        probe = workload.pod("probe", workload.Shape(8, WHOLE, 1000, 1024))
        self.assertEqual(self.cluster.service.refused(probe, names), {})
        self.assertEqual(self.cluster.service.used_gpus(), 0)

        created = self.cluster.create(*workload.pods(300, "leaving", seed=3))
        self.cluster.await_all_bound(timeout=300)
        self.cluster.await_known(len(created))
        in_use = self.nodes_with_gpu_pods() & set(names)
        self.assertTrue(in_use)
        self.assertEqual(set(self.cluster.service.refused(probe, names)), in_use)

        self.cluster.delete_all()
        self.cluster.await_known(0)
        self.assertEqual(self.cluster.service.refused(probe, names), {})
        self.assertEqual(self.cluster.service.used_gpus(), 0)

    def test_without_berth_pods_are_placed_and_berth_catches_up(self) -> None:
        more = workload.pod("more", share(600))
        for program in (*self.cluster.way.helpers, self.cluster.service.process):
            with self.subTest(stopped=program.name), self.node_of_its_own(gpus=1) as only:
                name = f"without-{program.name}"
                with self.stopped(program):
                    self.cluster.create(workload.pod(name, share(500), node_selector=only))
                    node = self.cluster.await_bound(name)
                self.cluster.await_known(1)
                self.assertEqual(self.cluster.service.refused(more, [node]), {node: NO_SHARE})

    @contextlib.contextmanager
    def stopped(self, program: Process) -> Iterator[None]:
        program.stop()
        try:
            yield
        finally:
            program.start()
            self.cluster.way.await_ready()

    def managed_nodes(self, gpus: int) -> list[str]:
        return [
            node["metadata"]["name"]
            for node in self.cluster.nodes()
            if accounting.managed_gpus(node) == gpus
        ]

    def nodes_with_gpu_pods(self) -> set[str]:
        bound = accounting.bound_by_node(self.cluster.pods())
        return {
            node
            for node, pods in bound.items()
            if any(accounting.requests(pod)[MILLI] for pod in pods)
        }

    def assert_berth_always_answered(self) -> None:
        """kube-scheduler goes on without its answer, so that nothing else would show it."""
        self.assertEqual(self.cluster.way.failures(), 0)
        self.assertTrue(self.cluster.way.rankings())
