#!/usr/bin/env python3
"""Proves Berth on the real thing: an unmodified kube-scheduler, kube-apiserver and etcd.

Builds the control plane where it is missing (minutes, once), starts everything on 127.0.0.1, runs
the stories in test_*.py and writes report.json. Exits with 0 when all pass, 1 when one
fails, 77 where there is no way to have a control plane.
"""

import argparse
import sys
import unittest
from pathlib import Path

import cluster
import session
import test_accounting
import test_deployment
import test_lag
import test_outages
import test_placement
import test_sandbox
import test_throughput
from processes import ProcessFailed
from report import Report
from scheduler_config import ConfigError

STORIES = (
    test_placement.Placement,
    test_lag.Lag,
    test_throughput.Throughput,
    test_deployment.Deployment,
    test_outages.Outages,
)
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
        help="folder of berth and berth-extender (default: %(default)s)",
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
    programs = cluster.Programs(control_plane, options.bin.resolve(), options.policy)
    with cluster.running(programs, options.out) as running:
        report.note(kubernetes=running.version(), nodes=len(running.nodes()))
        for story in STORIES:
            story.cluster, story.report = running, report
        test_sandbox.Sandbox.programs = programs.berth
        test_lag.Lag.compare = options.compare
        result = unittest.TextTestRunner(sys.stdout, verbosity=2, resultclass=Stories).run(
            stories(options.stories)
        )
    report.write(options.out / "report.json")
    summarize(result, report, options.out)
    return 0 if result.wasSuccessful() else 1


def stories(names: list[str] | None) -> unittest.TestSuite:
    loader = unittest.TestLoader()
    if names:
        loader.testNamePatterns = [f"*{name}*" for name in names]
    # test_deployment looks at what those before it left in the logs; outages leave other things.
    modules = (
        test_accounting,
        test_placement,
        test_sandbox,
        test_lag,
        test_throughput,
        test_deployment,
        test_outages,
    )
    return unittest.TestSuite(map(loader.loadTestsFromModule, modules))


class Stories(unittest.TextTestResult):
    """Shows the names of the tests as the sentences that they are."""

    def getDescription(self, test: unittest.TestCase) -> str:
        return str(test).split(" ")[0].removeprefix("test_").replace("_", " ")


def summarize(result: unittest.TestResult, report: Report, out: Path) -> None:
    failed = len(
        {getattr(story, "test_case", story) for story, _ in result.failures + result.errors}
    )
    print(f"\n{report}\n\nlogs and report.json: {out}")
    for story, reason in result.skipped:
        print(f"SKIPPED: {story}: {reason}")
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")


if __name__ == "__main__":
    sys.exit(main())
