"""The stories of what breaks only where an extender is asked: it has a watch of its own."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import waiting
from berth import port_of
from relay import Relay
from test_outages import MEANWHILE, PODS, Log, OutageStory


class ExtenderOutages(OutageStory):
    def setUp(self) -> None:
        super().setUp()
        self.extender = self.cluster.way.extender

    def test_extender_killed_and_started_again(self) -> None:
        with self.placing("extender"):
            self.extender.kill()
            self.await_tried(MEANWHILE)
            self.extender.start()
            self.cluster.way.await_ready()
        self.assert_placed_without_berth()
        self.assertGreaterEqual(len(self.cluster.way.recorder.failures()), MEANWHILE)

    def test_apiserver_killed_and_started_again(self) -> None:
        log = Log(self.extender)
        with self.berth_answers(), self.placing("apiserver") as creation:
            creation.result()  # nobody creates pods while it is away
            self.assertLess(self.cluster.service.bound_pods(), PODS)
            self.restart_apiserver()
        self.assert_watches_told_once(log)

    def test_watch_gap_that_only_a_new_list_can_close(self) -> None:
        kubeconfig = json.loads(Path(self.extender.option("kubeconfig")).read_text())
        server = kubeconfig["clusters"][0]["cluster"]
        with Relay(port_of(server["server"])) as relay, self.kubeconfig_of_extender() as path:
            server["server"] = f"https://127.0.0.1:{relay.port}"
            path.write_text(json.dumps(kubeconfig))
            with self.cluster.way.extender_with(kubeconfig=str(path)):
                log = Log(self.extender)
                with self.berth_answers(), self.placing("gap") as creation:
                    with relay.cut():
                        creation.result()
                        self.await_tried(MEANWHILE)
                        self.restart_apiserver()  # it forgets what came before
                self.assert_watches_told_once(log)
                lists = 'berth_kube_lists_total{kind="pod"}'
                self.assertGreater(self.cluster.way.metric(lists), 1)

    def restart_apiserver(self) -> None:
        apiserver = self.cluster.processes.named("kube-apiserver")
        apiserver.kill()
        apiserver.start()
        self.cluster.await_api()
        scheduler = self.cluster.way.scheduler
        if not scheduler.running():  # it lost its lease; the kubelet would start it again
            scheduler.start()

    @contextlib.contextmanager
    def kubeconfig_of_extender(self) -> Iterator[Path]:
        path = Path(self.extender.option("kubeconfig")).with_name("relayed.kubeconfig")
        path.touch(mode=0o600)
        try:
            yield path
        finally:
            path.unlink()

    @contextlib.contextmanager
    def berth_answers(self) -> Iterator[None]:
        """Whatever it knows; on a busy machine it may be late."""
        causes = ("unavailable", "not_synced", "failed")
        before = [self.cluster.way.calls(cause) for cause in causes]
        yield
        self.assertEqual([self.cluster.way.calls(cause) for cause in causes], before)

    def assert_watches_told_once(self, log: "Log") -> None:
        """By the watches of nodes and of pods, at most once for each cause."""
        again = "in touch with the API server again"
        waiting.until(lambda: log.count(again) == 2, f"the extender to say '{again}' twice", 30)
        self.assertIn(log.count("lost touch with the API server"), range(2, 7), log)
