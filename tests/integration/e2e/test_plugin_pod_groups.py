"""The stories of Kubernetes' own pod groups: members are assumed and taken back, several times."""

import contextlib
from collections.abc import Iterator

import waiting
import workload
from cluster import NAMESPACE, Cluster
from openb_nodes import WHOLE
from priorities import URGENT, urgency, urgent, yielding
from scheduler_config import NO_LEASE
from story import PluginStory, share

GATE = "GenericWorkload=true"
API = "scheduling.k8s.io/v1beta1"
GROUPS = f"/apis/{API}/namespaces/{NAMESPACE}/podgroups"
BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"
ROLE = "e2e-pod-groups"
TRIES_IN_VAIN = (
    'scheduler_podgroup_schedule_attempts_total{profile="berth",result="unschedulable"}'
)
SIZE = 4  # members of a group


class PodGroups(PluginStory):
    @classmethod
    def configured(cls) -> contextlib.AbstractContextManager[None]:
        return pod_groups_served(cls.cluster)

    def test_a_group_is_placed_whole(self) -> None:
        with self.node_of_its_own(gpus=2) as only:
            self.create_alike("whole", [share(500)] * SIZE, only)
            self.cluster.await_all_bound(timeout=60)
            self.assert_books_are_right()

    def test_a_group_that_berth_has_no_place_for_leaves_nothing_behind(self) -> None:
        """In total there would be room, but no GPU has the share of the third member left."""
        with self.node_of_its_own(gpus=2) as only:
            names = self.create_alike("torn", [share(600)] * 2 + [share(700)], only)
            for round in range(5):  # a departure anywhere may help it, so it is tried again
                with self.tried_again("torn"):
                    self.place(workload.pod(f"passing-{round}", share(500)))
                    self.cluster.delete(f"passing-{round}")
            self.assert_waits(*names)
            self.cluster.delete(*names)
            self.assert_books_are_right()

            both = workload.Shape(2, WHOLE, 2000, 4096)
            self.place(workload.pod("instead", both, node_selector=only))
            self.assert_books_are_right()

    def test_many_groups_at_once_are_placed_whole_or_not_at_all(self) -> None:
        shapes = [shape for _, shape in workload.MIX if shape.gpus]
        for number in range(60):
            shape = shapes[number % len(shapes)]
            self.create_alike(f"group-{number}", [shape] * SIZE)
            if number % 3 == 0:
                odd = workload.Shape(8, WHOLE, 10**6, 1024)  # no node has that many CPUs
                self.create_alike(f"odd-{number}", [shape] * (SIZE - 1) + [odd])
        self.cluster.create(*workload.pods(300, "single", picky_share=0))

        waiting.until(lambda: len(self.pending()) <= 20 * SIZE, "all but the odd ones", 120)
        waits = self.pending()
        self.assertEqual([name for name in waits if not name.startswith("odd-")], [])
        self.assertEqual(len(waits), 20 * SIZE)
        self.cluster.delete(*waits)  # else they are tried again, and the books are in motion
        self.assert_books_are_right()

    def test_an_urgent_group_takes_just_the_places_that_berth_lacked(self) -> None:
        with urgency(self.cluster.api), self.node_of_its_own(gpus=2) as only:
            for name in ("left", "right"):
                self.place(yielding(workload.pod(name, share(600), node_selector=only)))
            members = [
                urgent(workload.pod("here", share(800), node_selector=only)),
                urgent(workload.pod("there", share(800))),
            ]
            self.create_group("urgent", members, priorityClassName=URGENT)
            self.cluster.await_all_bound(timeout=60)
            self.assertEqual(len(self.cluster.pods()), 3)
            self.assert_books_are_right()

    def create_alike(
        self, name: str, shapes: list[workload.Shape], only: dict[str, str] | None = None
    ) -> list[str]:
        """A group of pods that differ in their shapes only. Returns their names."""
        pods = [
            workload.pod(f"{name}-{number}", shape, node_selector=only)
            for number, shape in enumerate(shapes)
        ]
        self.create_group(name, pods)
        return [pod["metadata"]["name"] for pod in pods]

    def create_group(self, name: str, pods: list[dict], **spec: str) -> None:
        """All or nothing."""
        policy = {"gang": {"minCount": len(pods)}}
        group = {"metadata": {"name": name}, "spec": {"schedulingPolicy": policy, **spec}}
        self.cluster.api.create(GROUPS, group)
        for pod in pods:
            pod["spec"]["schedulingGroup"] = {"podGroupName": name}
            self.cluster.create(pod)  # in this order

    @contextlib.contextmanager
    def tried_again(self, group: str) -> Iterator[None]:
        """In vain."""

        def tries() -> float:
            return self.cluster.way.metrics()[TRIES_IN_VAIN]

        before = tries()
        yield
        waiting.until(lambda: tries() > before, f"group {group} to be tried again", 30)

    def pending(self) -> list[str]:
        pods = self.cluster.pods(fieldSelector="spec.nodeName=")
        return [pod["metadata"]["name"] for pod in pods]


@contextlib.contextmanager
def pod_groups_served(cluster: Cluster) -> Iterator[None]:
    """By kube-apiserver and kube-scheduler, whose feature gate is off by default in 1.37.

    With it kube-scheduler's own role grows, so Berth's account gets that as well.
    """
    cluster.delete_all()
    with restarted(cluster, **{"feature-gates": GATE, "runtime-config": f"{API}=true"}):
        cluster.api.create(BINDINGS, binding())
        with cluster.way.patient(NO_LEASE, **{"feature-gates": GATE}):
            yield
            cluster.delete_all()
        cluster.api.delete(f"{BINDINGS}/{ROLE}")


@contextlib.contextmanager
def restarted(cluster: Cluster, **options: str) -> Iterator[None]:
    """kube-apiserver with these options, and as usual afterwards."""
    apiserver = cluster.processes.named("kube-apiserver")
    apiserver.stop()
    with apiserver.with_options(**options):
        apiserver.start()
        cluster.await_api()
        yield
        apiserver.stop()
    apiserver.start()
    cluster.await_api()
    scheduler = cluster.way.scheduler
    if not scheduler.running():  # it lost its lease; the kubelet would start it again
        scheduler.start()


def binding() -> dict:
    return {
        "metadata": {"name": ROLE},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "system:kube-scheduler",
        },
        "subjects": [{"kind": "ServiceAccount", "name": "berth", "namespace": "berth"}],
    }
