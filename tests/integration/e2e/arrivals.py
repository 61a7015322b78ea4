"""Pods that keep coming while something else is done."""

import contextlib
import itertools
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from cluster import Cluster

AT_ONCE = 50  # the next ones come when these are bound


@contextlib.contextmanager
def arriving(cluster: Cluster, pods: Iterable[dict], at_least: int) -> Iterator[None]:
    """From now on, until the end of the block and for so many; then all are bound."""
    enough = threading.Event()

    def keep_coming() -> None:
        coming, created = iter(pods), 0
        while created < at_least or not enough.is_set():
            created += len(cluster.create(*itertools.islice(coming, AT_ONCE)))
            cluster.await_all_bound(timeout=60)

    with ThreadPoolExecutor(1) as thread:
        placed = thread.submit(keep_coming)
        try:
            yield
        finally:
            enough.set()
        placed.result()
