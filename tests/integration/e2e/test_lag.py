"""The story of a watch that cannot keep up: kube-scheduler asks before the last pod is seen."""

import unittest

import accounting
import workload
from cluster import Cluster
from replay import replay
from report import Report

PODS = 3000
CLOSE = 0.002  # 0.2 points of the GPUs of the cluster


class Lag(unittest.TestCase):
    cluster: Cluster  # run.py starts it for all stories
    report: Report
    compare = False  # place all pods again without expectations

    def test_pods_at_once_go_where_berth_ranked_first_as_if_they_came_in_turn(self) -> None:
        first, bound, sequential = self.place("with")
        self.assertGreaterEqual(first, 0.99)
        for what in ("allocated", "fragmented"):
            self.assertAlmostEqual(bound[what], sequential[what], delta=CLOSE, msg=what)

    def test_without_expectations_for_comparison(self) -> None:
        if not self.compare:
            self.skipTest("for minutes; --compare asks for it")
        service = self.cluster.service.process
        service.stop()
        with service.with_options(expectations="off"):
            service.start()
            self.cluster.way.await_ready()
            self.place("without")
            service.stop()
        service.start()
        self.cluster.way.await_ready()

    def place(self, how: str) -> tuple[float, dict, dict]:
        """Returns the share of pods where Berth ranked first, and the shares of GPU as bound and
        as they would be had kube-scheduler asked for one pod after the other."""
        self.cluster.delete_all()
        self.cluster.await_known(0)
        self.cluster.way.forget()
        self.cluster.create(*workload.picky_first(workload.pods(PODS, "lag", seed=5)))
        self.cluster.await_all_bound(timeout=400)
        self.cluster.await_known(PODS)

        nodes, rankings = self.cluster.nodes(), self.cluster.way.rankings()
        pods = {pod["metadata"]["uid"]: pod for pod in self.cluster.pods()}
        self.assertEqual(accounting.overcommitted(nodes, list(pods.values())), [])
        first = sum(pods[uid]["spec"]["nodeName"] == rank.first for uid, rank in rankings.items())
        in_order = [pods.pop(uid) for uid in rankings] + list(pods.values())
        service = self.cluster.service
        replayed = replay(service.program.parent, service.policy(), nodes, in_order)
        self.report.note(
            **{
                f"lag_ranked_pods_{how}": len(rankings),
                f"lag_first_ranked_share_{how}": first / len(rankings),
                f"lag_crowded_nodes_{how}": len(accounting.crowded(nodes, in_order)),
            },
            **{
                f"lag_{what}_{how}{suffix}": replayed[key][what]
                for key, suffix in (("bound", ""), ("sequential", "_in_turn"))
                for what in ("allocated", "fragmented")
            },
        )
        self.assertEqual(replayed["sequential"]["refused"], 0)
        return first / len(rankings), replayed["bound"], replayed["sequential"]
