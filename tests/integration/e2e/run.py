#!/usr/bin/env python3
"""Proves Berth on the real thing: kube-scheduler, kube-apiserver and etcd.

Builds the control plane where it is missing (minutes, once), starts everything on 127.0.0.1, runs
the stories in test_*.py by each way in and writes report.json. Exits with 0 when all pass, 1 when
one fails, 77 where there is no way to have a control plane.
"""

import argparse
import sys
import unittest
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

import cluster
import session
import test_accounting
import test_deployment
import test_extender_outages
import test_lag
import test_outages
import test_placement
import test_plugin_batching
import test_plugin_failed_bind
import test_plugin_pod_groups
import test_plugin_preemption
import test_plugin_refuse
import test_plugin_replicas
import test_plugin_requeueing
import test_policy_rollout
import test_replay
import test_sandbox
import test_throughput
from processes import ProcessFailed
from report import Report
from scheduler_config import ConfigError
from way import Programs

ALONE = (test_accounting, test_sandbox)  # these start what they need
# test_deployment looks at what those before it left in the logs; outages leave other things.
STORIES = {
    "plugin": (
        test_placement,
        test_replay,
        test_throughput,
        test_deployment,
        test_plugin_failed_bind,
        test_plugin_preemption,
        test_plugin_requeueing,
        test_plugin_refuse,
        test_plugin_batching,
        test_plugin_pod_groups,
        test_plugin_replicas,
        test_policy_rollout,
        test_outages,
    ),
    "extender": (
        test_placement,
        test_lag,
        test_throughput,
        test_deployment,
        test_outages,
        test_extender_outages,
    ),
}
SUFFIX = {"plugin": "_plugin", "extender": ""}  # of the names in the report
SKIPPED = 77  # build.sh's, and the convention of Automake and CTest
INTERRUPTED = 130


def main() -> int:
    options = parse_options()
    session.stop_on_signals()
    try:
        with session.sole_user(options.out):
            code, control_plane = session.build_control_plane()
            if code == SKIPPED:
                print(
                    "SKIPPED: the end-to-end stories; no control plane can be had here, see above"
                )
            return code or run(options, control_plane)
    except (ProcessFailed, ConfigError, TimeoutError) as failure:
        print(f"FAILED to start the cluster: {failure}")
        return 1
    except KeyboardInterrupt:
        print("interrupted; everything that was started is stopped")
        return INTERRUPTED


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--bin",
        type=Path,
        default=session.BERTH,
        help="folder of Berth's programs (default: %(default)s)",
    )
    parser.add_argument(
        "--policy",
        type=Path,
        default=session.POLICY,
        help="policy that berth serve hosts (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=session.ROOT / "build" / "e2e",
        help="folder for logs and report.json (default: %(default)s)",
    )
    parser.add_argument(
        "--way",
        choices=STORIES,
        action="append",
        help="only by this way in; repeatable",
    )
    parser.add_argument(
        "-k",
        dest="stories",
        action="append",
        metavar="TEXT",
        help="only the stories with TEXT in their name; repeatable",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="also place 3,000 pods without expectations, to see what they are worth (minutes)",
    )
    return parser.parse_args()


def run(options: argparse.Namespace, control_plane: Path) -> int:
    report = Report()
    programs = Programs(control_plane, options.bin.resolve(), options.policy)
    test_sandbox.Sandbox.programs = programs.berth
    test_lag.Lag.compare = options.compare
    results = [] if options.way else [run_all(stories(ALONE, options.stories))]
    for way in options.way or STORIES:
        chosen = stories(STORIES[way], options.stories)
        if not chosen.countTestCases():
            continue
        print(f"\nBy the {way}:", flush=True)
        with cluster.running(programs, options.out / way, way) as running:
            report.note(kubernetes=running.version(), nodes=len(running.nodes()))
            for story in each(chosen):
                type(story).cluster, type(story).report = running, report.suffixed(SUFFIX[way])
            results.append(run_all(chosen))
    report.write(options.out / "report.json")
    summarize(results, report, options.out)
    return 0 if all(result.wasSuccessful() for result in results) else 1


def run_all(chosen: unittest.TestSuite) -> unittest.TestResult:
    return unittest.TextTestRunner(sys.stdout, verbosity=2, resultclass=Stories).run(chosen)


def stories(modules: Iterable[ModuleType], names: list[str] | None) -> unittest.TestSuite:
    loader = unittest.TestLoader()
    if names:
        loader.testNamePatterns = [f"*{name}*" for name in names]
    return unittest.TestSuite(map(loader.loadTestsFromModule, modules))


def each(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        yield from each(test) if isinstance(test, unittest.TestSuite) else (test,)


class Stories(unittest.TextTestResult):
    """Shows the names of the tests as the sentences that they are."""

    def getDescription(self, test: unittest.TestCase) -> str:
        return str(test).split(" ")[0].removeprefix("test_").replace("_", " ")


def summarize(results: list[unittest.TestResult], report: Report, out: Path) -> None:
    failed = sum(
        len({getattr(story, "test_case", story) for story, _ in result.failures + result.errors})
        for result in results
    )
    skipped = [skip for result in results for skip in result.skipped]
    print(f"\n{report}\n\nlogs and report.json: {out}")
    for story, reason in skipped:
        print(f"SKIPPED: {story}: {reason}")
    total = sum(result.testsRun for result in results)
    print(f"{total - failed - len(skipped)} passed, {failed} failed")


if __name__ == "__main__":
    sys.exit(main())
