"""The sandbox as somebody uses it: the printed commands work, and its end leaves nothing."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sandbox
import waiting
from processes import die_with_parent

SANDBOX = Path(sandbox.__file__)


class Sandbox(unittest.TestCase):
    programs: Path  # of Berth; run.py says where

    def setUp(self) -> None:
        self.out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sandbox = subprocess.Popen(
            [sys.executable, SANDBOX, f"--bin={self.programs}", f"--out={self.out}"],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # which all that it starts belongs to
            preexec_fn=die_with_parent(os.getpid()),
        )
        self.addCleanup(self.sandbox.stdout.close)
        self.addCleanup(self.sandbox.wait)
        self.addCleanup(self.sandbox.terminate)

    def test_what_it_prints_works_and_an_interrupt_ends_it(self) -> None:
        printed = self.read_to(sandbox.LAST_LINE)
        self.assertGreaterEqual(len(members(self.sandbox.pid)), 6)  # it and five programs

        setting, *commands = (line.strip() for line in printed if line.startswith("    "))
        self.assertEqual(len(commands), 3)
        answers = [answer(f"{setting}\n{command}") for command in commands]
        self.assertRegex(answers[0], r"half-gpu +0/1 +Pending .* openb-node-\d+")
        self.assertIn("asks for 0.5 of one GPU", answers[1])
        self.assertIn("berth.dev/gpu-milli", answers[2])
        self.assertIn("1500", answers[2])
        self.assert_ends_with_nothing_left(signal.SIGINT)

    def test_it_can_be_ended_while_it_starts(self) -> None:
        self.read_to("starting")
        waiting.until(lambda: len(members(self.sandbox.pid)) > 1, "a program to be started", 30)
        self.assert_ends_with_nothing_left(signal.SIGTERM)

    def read_to(self, end: str) -> list[str]:
        lines = []
        for line in self.sandbox.stdout:
            lines.append(line)
            if line.startswith(end):
                return lines
        self.fail(f"it ended before '{end}': {lines}")

    def assert_ends_with_nothing_left(self, end: signal.Signals) -> None:
        self.sandbox.send_signal(end)
        self.assertEqual(self.sandbox.wait(60), 0)
        self.assertEqual(members(self.sandbox.pid), [])
        self.assertFalse((self.out / "state").exists())  # credentials and etcd's data


def answer(command: str) -> str:
    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], capture_output=True, text=True, timeout=60
    )
    if finished.returncode:
        raise AssertionError(f"{command}: {finished.returncode} {finished.stderr}")
    return finished.stdout


def members(session: int) -> list[int]:
    """The processes of a session that have not ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        try:
            if os.getsid(pid) == session and "\nState:\tZ" not in (folder / "status").read_text():
                found.append(pid)
        except (ProcessLookupError, FileNotFoundError):
            continue
    return found
