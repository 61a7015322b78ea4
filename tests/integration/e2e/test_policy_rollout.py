"""The story of a policy that takes over while pods are placed, as docs/policies.md walks through it."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import accounting
import session
import workload
from arrivals import arriving
from decision_log import Decision
from rollout import Rollout, followed
from story import PluginStory, share

PODS = 2000  # at least
SOME = 150  # of them decide between two steps
OLD = session.ROOT / "policies" / "fgd-bestfit"
OLD_ONE, NEW_ONE = "fgd-bestfit 1", "newcomer 1"


class PolicyRollout(PluginStory):
    def test_a_policy_takes_over_and_leaves_again_while_pods_are_placed(self) -> None:
        place = self.cluster.service.process.log.parent / "rollout"
        with followed(self.cluster.service, OLD, place) as rollout:
            self.cluster.await_known(0)
            self.cluster.way.forget()
            with arriving(self.cluster, small_pods(), at_least=PODS):
                self.walk(rollout)
            self.assert_each_pod_is_placed_at_once_as_decided(rollout.log.decisions())

    def walk(self, rollout: Rollout) -> None:
        self.assert_answers(rollout, OLD_ONE)

        made = rollout.pack("newcomer", session.ROOT / "policies" / "berth")
        self.assertIn("may serve", rollout.policy("verify", made))
        self.assertIn("may serve", rollout.check("newcomer"))

        rollout.change("shadow", "newcomer")
        rollout.await_roles(active=OLD_ONE, shadow=NEW_ONE)
        self.assert_answers(rollout, OLD_ONE)
        self.read_report(rollout, "shadow", SOME)

        rollout.change("canary", "newcomer", "--percent", "10")
        rollout.await_roles(active=OLD_ONE, canary=NEW_ONE, shadow=NEW_ONE)
        turns = Counter(decision.asked for decision in rollout.log.next(2 * SOME))
        self.assertEqual(turns.keys(), {OLD_ONE, NEW_ONE})
        self.report.note(rollout_canary_share=turns[NEW_ONE] / turns.total())
        self.assertLess(turns[NEW_ONE], 0.2 * turns.total())
        self.read_report(rollout, "canary", turns[NEW_ONE])

        rollout.change("promote")
        rollout.await_roles(active=NEW_ONE)
        self.assert_answers(rollout, NEW_ONE)

        rollout.change("rollback")
        rollout.await_roles(active=OLD_ONE)
        self.assert_answers(rollout, OLD_ONE)
        self.assertEqual(
            rollout.reasons(), ["to shadow", "to canary", "to promote", "to rollback"]
        )

    def read_report(self, rollout: Rollout, role: str, decisions: int) -> None:
        report = rollout.await_report(role, decisions)
        self.report.note(
            **{
                f"rollout_{role}_differs": report["differ"] / report["decisions"],
                f"rollout_{role}_regret": report["regret"],
            }
        )
        self.assertEqual((report["guarded"], report["askedAgain"]), (0, 0))

    def assert_answers(self, rollout: Rollout, policy: str) -> None:
        """From now on it is this one's turn, always."""
        self.assertEqual({decision.asked for decision in rollout.log.next(SOME)}, {policy})

    def assert_each_pod_is_placed_at_once_as_decided(self, decisions: list[Decision]) -> None:
        pods = self.cluster.pods()
        figures = self.cluster.way.figures()
        self.report.note(
            rollout_pods=len(pods),
            rollout_pods_bound=sum("nodeName" in pod["spec"] for pod in pods),
            rollout_call_ms_mean=figures["call_ms_mean"],
        )
        self.assertGreaterEqual(len(pods), PODS)
        self.assertEqual(
            {pod["metadata"]["name"]: pod["spec"].get("nodeName") for pod in pods},
            {decision.pod: decision.node for decision in decisions},
        )
        self.assertEqual(len(decisions), len(pods))
        self.assertEqual([d for d in decisions if d.guard or d.answered != d.asked], [])
        self.assertEqual(self.cluster.way.tried(), len(pods))
        self.assertEqual(figures["left_to_kube_scheduler"], 0)
        self.assert_books_are_right()


def small_pods() -> Iterator[dict]:
    chance = random.Random(8)
    for number in itertools.count():
        yield workload.pod(f"small-{number:05}", share(chance.choice((100, 250, 300, 500))))
