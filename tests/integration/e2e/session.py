"""What a run of the stories and the sandbox have in common: programs, a folder, a clean end."""

import contextlib
import fcntl
import signal
from collections.abc import Iterator
from pathlib import Path

from processes import ENDS, run_to_end

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "tests" / "integration" / "controlplane" / "build.sh"
PROGRAMS = ("etcd", "kube-apiserver", "kube-scheduler", "kubectl")
POLICY = ROOT / "policies" / "berth"
BERTH = ROOT / "build" / "release" / "bin"


def stop_on_signals() -> None:
    """Makes them an exception, KeyboardInterrupt, so that everything started is stopped."""
    for end in ENDS:
        signal.signal(end, signal.default_int_handler)


def build_control_plane() -> tuple[int, Path]:
    """Exit code and folder; minutes the first time."""
    code, output = run_to_end(BUILD, *PROGRAMS)
    return code, Path((output.splitlines() or ["."])[-1])


@contextlib.contextmanager
def sole_user(out: Path) -> Iterator[None]:
    """Another run would write the same logs: waits for it to end."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another run that uses {out}", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        for old in (*out.rglob("*.log"), *out.glob("*.json")):
            old.unlink()
        yield
