"""Pods per second of kube-scheduler with Berth and without, nothing of the test in between."""

import contextlib
import statistics
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import waiting
import workload
from cluster import Cluster
from processes import Process
from report import Report
from scheduler_config import NO_LEASE, edited

PAIRS = 5
PODS = 250  # per run
WARM_UP = 20


class Run(NamedTuple):
    pods_per_second: float
    scheduler_cpu_ms: float  # per pod
    berth_cpu_ms: float  # of Berth's own programs, per pod


def median(runs: list[Run]) -> Run:
    """Of each number by itself."""
    return Run(*map(statistics.median, zip(*runs)))


def cpu_ms(*programs: Process) -> float:
    return 1000 * sum(program.cpu_seconds() for program in programs)


class Throughput(unittest.TestCase):
    cluster: Cluster  # run.py starts it for all stories
    report: Report

    def test_pods_per_second_with_berth_and_without(self) -> None:
        runs: dict[bool, list[Run]] = {True: [], False: []}
        for pair in range(PAIRS):
            for with_berth in (pair % 2 == 0, pair % 2 == 1):
                with self.scheduler(with_berth) as scheduler:
                    runs[with_berth].append(self.measure(scheduler))
        with_berth, plain = (median(runs[kind]) for kind in (True, False))
        ratio = with_berth.pods_per_second / plain.pods_per_second
        self.report.note(
            pods_per_second_plain=plain.pods_per_second,
            **dict(zip(self.cluster.way.rates, (with_berth.pods_per_second, ratio))),
            scheduler_cpu_ms_per_pod_plain=plain.scheduler_cpu_ms,
            scheduler_cpu_ms_per_pod=with_berth.scheduler_cpu_ms,
            berth_cpu_ms_per_pod=with_berth.berth_cpu_ms,
        )

    def measure(self, scheduler: Process) -> Run:
        """From the moment when kube-scheduler may begin to the last binding."""
        self.cluster.create(*workload.pods(WARM_UP, "warm", picky_share=0))
        self.await_none_pending()
        with scheduler.hung():
            self.cluster.create(*workload.pods(PODS, "rate", seed=6, picky_share=0))
        berth = (*self.cluster.way.helpers, self.cluster.service.process)
        before = cpu_ms(scheduler), cpu_ms(*berth)
        start = time.monotonic()
        self.await_none_pending()
        seconds = time.monotonic() - start
        after = cpu_ms(scheduler), cpu_ms(*berth)
        return Run(PODS / seconds, *((now - then) / PODS for now, then in zip(after, before)))

    def await_none_pending(self) -> None:
        """Looks in a way that costs kube-apiserver little."""

        def pending() -> list[dict]:
            return self.cluster.pods(fieldSelector="spec.nodeName=", limit="1")

        waiting.until(lambda: not pending(), "all pods to be bound", 120, poll=0.05)

    @contextlib.contextmanager
    def scheduler(self, with_berth: bool) -> Iterator[Process]:
        """kube-scheduler as deployed, with the way's own edits and without waiting for a lease.

        Without Berth it is the stock program, and Berth's own rest meanwhile.
        """
        self.cluster.delete_all()
        self.cluster.await_known(0)
        way, scheduler = self.cluster.way, self.cluster.way.scheduler
        config = Path(scheduler.option("config"))
        usual = config.read_text()
        scheduler.stop()
        edits = way.undisturbed() if with_berth else way.alone()
        config.write_text(edited(usual, (*edits, NO_LEASE)))
        try:
            with contextlib.ExitStack() as meanwhile:
                if not with_berth:
                    meanwhile.enter_context(scheduler.with_program(way.stock))
                    for program in (*way.helpers, self.cluster.service.process):
                        meanwhile.enter_context(program.hung())
                meanwhile.enter_context(scheduler.with_options(vmodule=""))  # tells nothing
                scheduler.start()
                yield scheduler
                scheduler.stop()
        finally:
            config.write_text(usual)
            scheduler.stop()
            scheduler.start()
