"""What stories begin with and have at hand."""

import contextlib
import unittest
from collections.abc import Iterator

import accounting
import openb_nodes
import workload
from cluster import NODES, Cluster
from report import Report
from scheduler_config import NO_LEASE

NO_SHARE = "no single GPU has the free share asked for"


class Story(unittest.TestCase):
    cluster: Cluster  # run.py starts it for all stories; each begins without pods
    report: Report

    def setUp(self) -> None:
        self.cluster.delete_all()
        self.cluster.await_known(0)
        self.cluster.way.forget()

    @contextlib.contextmanager
    def node_of_its_own(self, gpus: int) -> Iterator[dict[str, str]]:
        """A managed node, named `node-of-its-own`, that only pods with the yielded nodeSelector are
        meant for."""
        label = {"e2e.berth.dev/node": "of-its-own"}
        shape = openb_nodes.Shape(1, "T4", gpus, 64, 262144)
        self.cluster.api.create(NODES, openb_nodes.node("node-of-its-own", shape, labels=label))
        try:
            yield label
        finally:
            self.cluster.delete_all()
            self.cluster.api.delete(f"{NODES}/node-of-its-own")

    def place(self, pod: dict) -> str:
        """Returns the node."""
        self.cluster.create(pod)
        return self.cluster.await_bound(pod["metadata"]["name"])

    def assert_waits(self, *names: str) -> None:
        for name in names:
            self.assertNotIn("nodeName", self.cluster.pod(name)["spec"], name)

    def assert_books_are_right(self, seen: Cluster | None = None) -> None:
        """Nothing is over-committed, each share lies in one GPU, and Berth knows what is where.

        The cluster may be seen by another Berth than the usual one.
        """
        cluster = seen or self.cluster
        nodes, pods = cluster.nodes(), cluster.pods()
        bound = [pod for pod in pods if "nodeName" in pod["spec"]]
        cluster.await_known(len(bound))
        self.assertEqual(accounting.overcommitted(nodes, bound), [])
        self.assertEqual(accounting.crowded(nodes, bound), [])
        books, lists = cluster.service.free(), accounting.free(nodes, bound)
        self.assertEqual(books.keys(), lists.keys())
        differ = {node: (books[node], lists[node]) for node in books if books[node] != lists[node]}
        self.assertEqual(differ, {})


class PluginStory(Story):
    """By the plugin alone, which waits for Berth however busy the machine is."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.enterClassContext(cls.configured())

    @classmethod
    def configured(cls) -> contextlib.AbstractContextManager[None]:
        return cls.cluster.way.patient(NO_LEASE)


def share(milli: int) -> workload.Shape:
    """Of one GPU."""
    return workload.Shape(1, milli, 2000, 4096)
