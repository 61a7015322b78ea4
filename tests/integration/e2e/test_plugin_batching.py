"""The story of kube-scheduler's batching: equal pods share a placement, but not Berth's."""

import contextlib

import workload
from scheduler_config import NO_LEASE
from story import PluginStory

EQUAL = 100
HINTS = 'scheduler_batch_attempts_total{profile="berth",result="hint_used"}'


class Batching(PluginStory):
    def test_equal_pods_are_each_ranked_for_themselves_and_the_others_are_batched(self) -> None:
        plain = self.hints_used(workload.Shape(0, 0, 100, 64), "plain")
        ranked = self.hints_used(workload.Shape(1, 300, 100, 64), "ranked")
        self.report.note(batched_pods_without_gpus=plain, batched_pods_with_gpus=ranked)
        self.assertGreater(plain, 0)
        self.assertEqual(ranked, 0)
        self.assertEqual(len(self.cluster.way.rankings()), EQUAL)
        self.assert_books_are_right()

    @classmethod
    def configured(cls) -> contextlib.AbstractContextManager[None]:
        """Without the spread over zones that pods have by default: then none would be batched."""
        no_spread = (
            r"^( +)pluginConfig:$",
            r"\g<0>\n\1  - {name: PodTopologySpread, args: {defaultingType: List}}",
        )
        return cls.cluster.way.patient(NO_LEASE, no_spread)

    def hints_used(self, shape: workload.Shape, name: str) -> float:
        """Of the placements of equal pods, how many were the last one's."""
        scheduler = self.cluster.way.scheduler
        before = self.cluster.way.metrics()[HINTS]
        with scheduler.hung():
            self.cluster.create(*(workload.pod(f"{name}-{i}", shape) for i in range(EQUAL)))
        self.cluster.await_all_bound(timeout=60)
        return self.cluster.way.metrics()[HINTS] - before
