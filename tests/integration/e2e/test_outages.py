"""The stories of what breaks while pods are being placed, and what it may cost."""

import contextlib
import json
import unittest
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import accounting
import waiting
import workload
from cluster import Cluster
from processes import Process
from relay import Relay
from report import Report

PODS = 1000
BEFORE = 100  # pods that are tried before the outage begins
MEANWHILE = 200  # pods that are tried while it lasts

LOST = "requests cannot be answered"
FOUND = "requests are answered again"


class Outages(unittest.TestCase):
    cluster: Cluster  # run.py starts it for all stories; each begins without pods
    report: Report

    def setUp(self) -> None:
        self.cluster.delete_all()
        self.cluster.await_known(0)
        self.cluster.recorder.calls.clear()
        self.service = self.cluster.berth.service
        self.extender = self.cluster.berth.extender

    def test_service_killed_and_started_again(self) -> None:
        refused = self.refused_calls("unavailable")
        with self.placing("killed"), self.told_once():
            self.service.kill()
            self.await_tried(MEANWHILE)
            self.service.start()
            self.cluster.berth.await_ready()
        self.assert_placed_without_berth()
        self.assertGreater(self.refused_calls("unavailable"), refused)

    def test_service_that_hangs_costs_milliseconds(self) -> None:
        with self.placing("hung"), self.told_once():
            with self.breaker_spares("hung"), self.service.hung():
                self.await_tried(MEANWHILE)
            self.cluster.berth.await_ready()
        self.assert_placed_without_berth()

    def test_service_that_is_slow_costs_milliseconds(self) -> None:
        with Relay(port_of(self.service.option("listen"))) as relay:
            with self.extender_with(service=f"127.0.0.1:{relay.port}"):
                with self.placing("slow"), self.told_once():
                    # Three times what the extender waits.
                    with self.breaker_spares("slow"), relay.slow(seconds=0.3):
                        self.await_tried(MEANWHILE)
                    self.cluster.berth.await_ready()
                self.assert_placed_without_berth()

    def test_extender_killed_and_started_again(self) -> None:
        with self.placing("extender"):
            self.extender.kill()
            self.await_tried(MEANWHILE)
            self.extender.start()
            self.cluster.berth.await_ready()
        self.assert_placed_without_berth()
        self.assertGreaterEqual(len(self.cluster.recorder.failures()), MEANWHILE)

    def test_apiserver_killed_and_started_again(self) -> None:
        log = Log(self.extender)
        with self.berth_answers(), self.placing("apiserver") as creation:
            creation.result()  # nobody creates pods while it is away
            self.assertLess(self.cluster.berth.bound_pods(), PODS)
            self.restart_apiserver()
        self.assert_watches_told_once(log)

    def test_watch_gap_that_only_a_new_list_can_close(self) -> None:
        kubeconfig = json.loads(Path(self.extender.option("kubeconfig")).read_text())
        server = kubeconfig["clusters"][0]["cluster"]
        with Relay(port_of(server["server"])) as relay, self.kubeconfig_of_extender() as path:
            server["server"] = f"https://127.0.0.1:{relay.port}"
            path.write_text(json.dumps(kubeconfig))
            with self.extender_with(kubeconfig=str(path)):
                log = Log(self.extender)
                with self.berth_answers(), self.placing("gap") as creation:
                    with relay.cut():
                        creation.result()
                        self.await_tried(MEANWHILE)
                        self.restart_apiserver()  # it forgets what came before
                self.assert_watches_told_once(log)
                lists = 'berth_kube_lists_total{kind="pod"}'
                self.assertGreater(self.cluster.berth.extender_metric(lists), 1)

    @contextlib.contextmanager
    def placing(self, name: str) -> Iterator[Future]:
        """The block, which gets the pods' creation, runs in the middle of placing PODS pods.

        Afterwards all are bound and all books are right.
        """
        # None that accept only some GPU models: kube-scheduler alone does not know of these.
        pods = workload.pods(PODS, name, seed=4, picky_share=0)
        with ThreadPoolExecutor(1) as creator:
            creation = creator.submit(self.cluster.create, *pods)
            self.await_tried(BEFORE)
            yield creation
            created = creation.result()
        self.cluster.await_all_bound(timeout=300)
        self.cluster.await_known(len(created))

        nodes, pods = self.cluster.nodes(), self.cluster.pods()
        self.assertEqual(len(pods), PODS)
        self.assertEqual(accounting.overcommitted(nodes, pods), [])
        self.assert_books_equal_the_lists(nodes, pods)
        self.assert_berth_decides()

    def await_tried(self, pods: int) -> None:
        """Returns once kube-scheduler has tried this many pods from now on."""
        goal = self.cluster.recorder.asked() + pods
        waiting.until(
            lambda: self.cluster.recorder.asked() >= goal, f"{pods} more pods to be tried", 60
        )

    def restart_apiserver(self) -> None:
        apiserver = self.cluster.processes.named("kube-apiserver")
        apiserver.kill()
        apiserver.start()
        self.cluster.await_api()
        scheduler = self.cluster.scheduler
        if not scheduler.running():  # it lost its lease; the kubelet would start it again
            scheduler.start()

    @contextlib.contextmanager
    def extender_with(self, **options: str) -> Iterator[None]:
        self.extender.stop()
        with self.extender.with_options(**options):
            self.extender.start()
            self.cluster.berth.await_ready()
            try:
                yield
            finally:
                self.extender.stop()
        self.extender.start()
        self.cluster.berth.await_ready()

    @contextlib.contextmanager
    def kubeconfig_of_extender(self) -> Iterator[Path]:
        path = Path(self.extender.option("kubeconfig")).with_name("relayed.kubeconfig")
        path.touch(mode=0o600)
        try:
            yield path
        finally:
            path.unlink()

    def refused_calls(self, outcome: str) -> float:
        """The calls that the extender could not answer, for this reason."""
        return sum(
            self.cluster.berth.extender_metric(
                f'berth_extender_requests_total{{outcome="{outcome}",verb="{verb}"}}'
            )
            for verb in ("filter", "prioritize")
        )

    def assert_placed_without_berth(self) -> None:
        ranked = self.cluster.recorder.rankings
        alone = [pod for pod in self.cluster.pods() if pod["metadata"]["uid"] not in ranked]
        self.assertGreater(len(alone), MEANWHILE / 2)

    @contextlib.contextmanager
    def breaker_spares(self, story: str) -> Iterator[None]:
        """Almost none of the calls that are made meanwhile waits for the service."""
        names = ("berth_extender_breaker_opened_total", "breaker_open", "deadline")
        before = [self.cluster.berth.extender_metric(names[0]), *map(self.refused_calls, names[1:])]
        begin = len(self.cluster.recorder.calls)
        yield
        calls = self.cluster.recorder.calls[begin:]
        after = [self.cluster.berth.extender_metric(names[0]), *map(self.refused_calls, names[1:])]
        opened, spared, waited = (now - then for now, then in zip(after, before))
        pods = sum(call.verb == "filter" for call in calls)
        self.report.note(
            **{
                f"{story}_service_pods": pods,
                f"{story}_service_calls_spared": spared,
                f"{story}_service_calls_that_waited": waited,
                f"{story}_service_ms_per_pod": 1000 * sum(call.seconds for call in calls) / pods,
            }
        )
        self.assertGreaterEqual(opened, 1)
        self.assertGreater(spared, 5 * waited)

    @contextlib.contextmanager
    def told_once(self) -> Iterator[None]:
        """One line when it begins, perhaps one more on what has become of it; one when it ends."""
        log = Log(self.extender)
        yield
        self.assertIn(log.count(LOST), (1, 2), log)
        waiting.until(lambda: log.count(FOUND), f"the extender to say '{FOUND}'", 30)

    @contextlib.contextmanager
    def berth_answers(self) -> Iterator[None]:
        """Whatever it knows; on a busy machine it may be late."""
        causes = ("unavailable", "not_synced", "failed")
        before = [self.refused_calls(cause) for cause in causes]
        yield
        self.assertEqual([self.refused_calls(cause) for cause in causes], before)

    def assert_watches_told_once(self, log: "Log") -> None:
        """By the watches of nodes and of pods, at most once for each cause."""
        again = "in touch with the API server again"
        waiting.until(lambda: log.count(again) == 2, f"the extender to say '{again}' twice", 30)
        self.assertIn(log.count("lost touch with the API server"), range(2, 7), log)

    def assert_books_equal_the_lists(self, nodes: list[dict], pods: list[dict]) -> None:
        """kube-scheduler alone may crowd shares onto a node so that no single GPU has room for one
        of them. Berth knows that it holds more there than there is, and no GPU has less than none.
        """
        expected, books = accounting.free(nodes, pods), self.cluster.berth.free()
        differ = {node: free for node, free in books.items() if free != expected.get(node)}
        crowded = {
            node for node, free in differ.items() if free.gpu_milli > expected[node].gpu_milli
        }
        for node in crowded:
            expected[node] = expected[node]._replace(gpu_milli=books[node].gpu_milli)
        self.assertEqual(books, expected)
        self.assertEqual(len(crowded), self.cluster.berth.overcommitted_nodes())

    def assert_berth_decides(self) -> None:
        pod = workload.pod("afterwards", workload.Shape(1, 500, 1000, 1024))
        uid = self.cluster.create(pod)[0]["metadata"]["uid"]
        node = self.cluster.await_bound("afterwards")
        self.assertEqual(node, self.cluster.recorder.rankings[uid].first)


class Log:
    """What a program logs from now on."""

    def __init__(self, process: Process):
        self._path = process.log
        self._begin = self._path.stat().st_size

    def count(self, text: str) -> int:
        return str(self).count(text)

    def __str__(self) -> str:
        return self._path.read_bytes()[self._begin :].decode(errors="replace")


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])
