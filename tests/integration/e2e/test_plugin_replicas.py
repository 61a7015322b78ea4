"""The story of two replicas, each with a service of its own, of which the leader dies."""

import contextlib
import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import control_plane
import waiting
import workload
from berth import Service
from cluster import NAMESPACE, Cluster
from ports import free_port
from processes import Process
from scheduler_config import edited
from scheduler_log import VERBOSITY, SchedulerLog
from story import PluginStory

PODS = 500
BEFORE = 100  # pods that the leader tries before it dies
SHORT_LEASE = (
    r"^( +)leaderElect: true$",
    r"\g<0>\n\1leaseDuration: 3s\n\1renewDeadline: 2s\n\1retryPeriod: 500ms",
)
FULL_PICTURES = "berth_plugin_full_syncs_total"


class Replicas(PluginStory):
    def test_the_other_replica_goes_on_when_the_leader_dies_in_the_middle(self) -> None:
        leader = self.cluster.way.scheduler
        with self.follower() as follower:
            goal = self.cluster.way.tried() + BEFORE
            self.cluster.create(*workload.pods(PODS, "burst", seed=7, picky_share=0))
            waiting.until(lambda: self.cluster.way.tried() >= goal, f"{BEFORE} tries", 60)
            leader.kill()
            start = time.monotonic()
            self.assertTrue(self.cluster.pods(fieldSelector="spec.nodeName=", limit="1"))
            waiting.until(follower.way.tried, "the follower to lead", 60)
            self.report.note(follower_leads_after_seconds=time.monotonic() - start)

            self.cluster.await_all_bound(timeout=120)
            self.assertEqual(len(self.cluster.pods()), PODS)
            self.assert_bound_once()
            self.assertEqual(follower.way.metrics()[FULL_PICTURES], 1)
            self.assertEqual(follower.way.failures(), 0)
            self.assert_books_are_right(follower)

    @classmethod
    def configured(cls) -> contextlib.AbstractContextManager[None]:
        return cls.cluster.way.patient(SHORT_LEASE)

    @contextlib.contextmanager
    def follower(self) -> Iterator[Cluster]:
        """The cluster as a second berth-scheduler has it, which asks a second berth serve."""
        service = self.second_service()
        scheduler = self.second_scheduler(service)
        way = dataclasses.replace(
            self.cluster.way, scheduler=scheduler, service=service, log=SchedulerLog(scheduler.log)
        )
        way.forget()
        try:
            yield dataclasses.replace(self.cluster, service=service, way=way)
        finally:
            scheduler.stop()
            service.process.stop()

    def second_service(self) -> Service:
        first, http = self.cluster.service, f"127.0.0.1:{free_port()}"
        process = self.cluster.processes.start(
            "second-berth-serve",
            first.program,
            "serve",
            f"--listen=127.0.0.1:{free_port()}",
            f"--http={http}",
            f"--policy={first.policy()}",
        )
        service = Service(process, f"http://{http}", first.program)
        service.await_alive()
        return service

    def second_scheduler(self, service: Service) -> Process:
        first = self.cluster.way.scheduler
        usual = Path(first.option("config"))
        address = ((self.cluster.service.address(), service.address()),)
        config = usual.with_name("second-kube-scheduler-config.yaml")
        config.write_text(edited(usual.read_text(), address))
        return control_plane.start_scheduler(
            self.cluster.processes,
            first.program(),
            Path(first.option("cert-dir")).parent,
            ["-v=2", f"--vmodule={VERBOSITY}"],
            config,
            Path(first.option("authentication-kubeconfig")),
            name="second-berth-scheduler",
        )

    def assert_bound_once(self) -> None:
        """By the events; the leader took its last ones with it."""
        events = self.cluster.api.get(
            f"/api/v1/namespaces/{NAMESPACE}/events", fieldSelector="reason=Scheduled"
        )
        uids = [event["involvedObject"]["uid"] for event in events["items"]]
        burst = {pod["metadata"]["uid"] for pod in self.cluster.pods()}
        uids = [uid for uid in uids if uid in burst]
        self.assertGreater(len(uids), PODS / 2)
        self.assertEqual(len(uids), len(set(uids)))
