"""The story of exactness: kube-scheduler tells what it has assumed, so that no pod is misplaced."""

import unittest

import accounting
import workload
from cluster import Cluster
from replay import replay
from report import Report

PODS = 3000


class Replay(unittest.TestCase):
    cluster: Cluster  # run.py starts it for all stories
    report: Report

    def test_pods_at_once_go_where_they_would_go_in_turn_to_the_last(self) -> None:
        # An answer that comes too late, as on a busy machine, costs a retry and no blind placement.
        with self.cluster.way.refusing():
            agreement, first_difference = self.place(PODS, "replay")
            tried_again = self.cluster.way.tried() - PODS
        self.report.note(
            replay_pods=PODS, replay_pods_tried_again=tried_again, replay_agreement=agreement
        )
        self.assertEqual(agreement, 1, first_difference)

    def place(self, count: int, prefix: str) -> tuple[float, str]:
        """Share of pods on the node that the replay names; and the first that is not."""
        self.cluster.delete_all()
        self.cluster.await_known(0)
        self.know_just_these_nodes()
        self.cluster.way.forget()
        # Of the models asked for there are few nodes; with fewer such pods all have a place.
        pods = workload.pods(2 * count, prefix, seed=5, picky_share=0.1)
        mix = filter(workload.asks_gpu, pods)
        self.cluster.create(*workload.picky_first(list(mix)[:count]))
        self.cluster.await_all_bound(timeout=400)

        nodes, pods = self.cluster.nodes(), self.cluster.pods()
        self.assertEqual(accounting.overcommitted(nodes, pods), [])
        self.assertEqual(accounting.crowded(nodes, pods), [])
        by_uid = {pod["metadata"]["uid"]: pod for pod in pods}
        in_order = [by_uid[uid] for uid in self.cluster.way.rankings() if uid in by_uid]
        self.assertEqual(len(in_order), count)
        return agreement(in_order, self.placements(nodes, in_order))

    def know_just_these_nodes(self) -> None:
        """A node more or less, as other stories have them for a while, is no other fleet to a service
        that runs; to one that begins, like the replay, it is, and near ties go another way."""
        self.cluster.service.process.kill()
        self.cluster.service.process.start()
        self.cluster.way.await_ready()

    def placements(self, nodes: list[dict], pods: list[dict]) -> dict[str, str]:
        service = self.cluster.service
        return replay(service.program.parent, service.policy(), nodes, pods)["placements"]


def agreement(pods: list[dict], placements: dict[str, str]) -> tuple[float, str]:
    differences = [
        f"{pod['metadata']['name']}: bound to {pod['spec']['nodeName']}, in turn to {node}"
        for pod in pods
        if pod["spec"]["nodeName"] != (node := placements[pod["metadata"]["uid"]])
    ]
    return 1 - len(differences) / len(pods), next(iter(differences), "")
