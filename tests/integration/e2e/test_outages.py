"""The stories of what breaks while pods are being placed, and what it may cost."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import accounting
import waiting
import workload
from processes import Process
from story import Story

PODS = 1000
BEFORE = 100  # pods that are tried before the outage begins
MEANWHILE = 200  # pods that are tried while it lasts
AFTERWARDS = 30  # pods that come one after the other when it is over


class OutageStory(Story):
    """What all of them do."""

    def setUp(self) -> None:
        super().setUp()
        self.service = self.cluster.service.process

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
        goal = self.cluster.way.tried() + pods
        waiting.until(
            lambda: self.cluster.way.tried() >= goal, f"{pods} more pods to be tried", 60
        )

    def assert_placed_without_berth(self) -> None:
        ranked = self.cluster.way.rankings()
        alone = [
            pod
            for pod in self.cluster.pods()
            if workload.asks_gpu(pod) and pod["metadata"]["uid"] not in ranked
        ]
        self.assertGreater(len(alone), MEANWHILE / 2)

    @contextlib.contextmanager
    def breaker_spares(self, story: str) -> Iterator[None]:
        """Almost none of the questions that are to be asked meanwhile waits for the service."""
        way = self.cluster.way
        before, tried, seconds = way.unanswered(), way.tried(), way.seconds()
        yield
        _, waited, spared = (now - then for now, then in zip(way.unanswered(), before))
        pods = way.tried() - tried
        self.report.note(
            **{
                f"{story}_service_pods": pods,
                f"{story}_service_calls_spared": spared,
                f"{story}_service_calls_that_waited": waited,
                f"{story}_service_ms_per_pod": 1000 * (way.seconds() - seconds) / pods,
            }
        )
        self.assertGreater(spared, 5 * waited)

    @contextlib.contextmanager
    def told_once(self) -> Iterator[None]:
        """One line when it begins, perhaps one more on what has become of it; one when it ends."""
        log, way = Log(self.cluster.way.asker), self.cluster.way
        yield
        self.assertIn(log.count(way.lost), (1, 2), log)
        waiting.until(lambda: log.count(way.found), f"'{way.found}' to be said", 30)

    def assert_books_equal_the_lists(self, nodes: list[dict], pods: list[dict]) -> None:
        """kube-scheduler alone may crowd shares onto a node so that no single GPU has room for one
        of them. Berth knows that it holds more there than there is, and no GPU has less than none.
        """
        expected, books = accounting.free(nodes, pods), self.cluster.service.free()
        differ = {node: free for node, free in books.items() if free != expected.get(node)}
        crowded = {
            node for node, free in differ.items() if free.gpu_milli > expected[node].gpu_milli
        }
        for node in crowded:
            expected[node] = expected[node]._replace(gpu_milli=books[node].gpu_milli)
        self.assertEqual(books, expected)
        self.assertEqual(len(crowded), self.cluster.service.overcommitted_nodes())

    def assert_berth_decides(self) -> None:
        """Again, about each pod that comes from now on."""
        ranked = 0
        pods = workload.pods(AFTERWARDS, "afterwards", seed=7, picky_share=0)
        for pod in filter(workload.asks_gpu, pods):
            uid = self.cluster.create(pod)[0]["metadata"]["uid"]
            node = self.cluster.await_bound(pod["metadata"]["name"])
            if ranking := self.cluster.way.rankings().get(uid):
                ranked += 1
                self.assertEqual(node, ranking.first)
        self.assertGreater(ranked, AFTERWARDS / 2)


class Outages(OutageStory):
    """By either way in."""

    def test_service_killed_and_started_again(self) -> None:
        before = self.cluster.way.unanswered()
        with self.placing("killed"), self.told_once():
            self.service.kill()
            self.await_tried(MEANWHILE)
            self.service.start()
            self.cluster.way.await_ready()
        self.assert_placed_without_berth()
        self.assertGreater(sum(self.cluster.way.unanswered()), sum(before))

    def test_service_that_hangs_costs_milliseconds(self) -> None:
        with self.placing("hung"), self.told_once():
            with self.breaker_spares("hung"), self.service.hung():
                self.await_tried(MEANWHILE)
            self.cluster.way.await_ready()
        self.assert_placed_without_berth()

    def test_service_that_is_slow_costs_milliseconds(self) -> None:
        with self.cluster.way.relayed() as relay:
            with self.placing("slow"), self.told_once():
                # Longer than either way in waits.
                with self.breaker_spares("slow"), relay.slow(seconds=0.3):
                    self.await_tried(MEANWHILE)
                self.cluster.way.await_ready()
            self.assert_placed_without_berth()


class Log:
    """What a program logs from now on."""

    def __init__(self, process: Process):
        self._path = process.log
        self._begin = self._path.stat().st_size

    def count(self, text: str) -> int:
        return str(self).count(text)

    def __str__(self) -> str:
        return self._path.read_bytes()[self._begin :].decode(errors="replace")
