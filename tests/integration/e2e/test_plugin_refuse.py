"""The story of `onUnavailable: refuse`: rather later than blindly."""

import contextlib
import time
from collections.abc import Iterator

import waiting
import workload
from cluster import NAMESPACE
from story import PluginStory


class Refuse(PluginStory):
    def test_without_berth_only_pods_with_gpus_wait_and_are_placed_by_berth_afterwards(
        self,
    ) -> None:
        with self.service_away():
            gpu = workload.pod("gpu", workload.Shape(1, 500, 1000, 1024))
            uid = self.cluster.create(gpu)[0]["metadata"]["uid"]
            self.cluster.await_event("gpu", "FailedScheduling", "Unavailable")
            for number in range(1, 4):  # tried again, with backoff
                self.await_tries("gpu", number)
                self.place(workload.pod(f"cpu-{number}", workload.Shape(0, 0, 1000, 1024)))
            self.assert_waits("gpu")
        start = time.monotonic()
        node = self.cluster.await_bound("gpu", timeout=30)  # backoff is 10 s at most
        self.report.note(waiting_pod_placed_after_outage_seconds=time.monotonic() - start)
        self.assertEqual(node, self.cluster.way.rankings()[uid].first)
        self.assert_books_are_right()

    @classmethod
    def configured(cls) -> contextlib.AbstractContextManager[None]:
        return cls.cluster.way.refusing()

    @contextlib.contextmanager
    def service_away(self) -> Iterator[None]:
        service = self.cluster.service.process
        service.stop()
        try:
            yield
        finally:
            service.start()
            self.cluster.way.await_ready()

    def await_tries(self, name: str, count: int) -> None:
        tries = self.cluster.way.log.tries
        what = f"pod {name} to be tried {count} times"
        waiting.until(lambda: tries(f"{NAMESPACE}/{name}") >= count, what, 60)
