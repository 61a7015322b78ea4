"""Real programs with their logs; none outlives the run, however the run ends."""

import contextlib
import ctypes
import os
import signal
import ssl
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import waiting

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # what ends a run
_LIBC = ctypes.CDLL(None)  # loaded here, because loading between fork and exec may deadlock
_PR_SET_PDEATHSIG = 1


class ProcessFailed(RuntimeError):
    """A program ended by itself, or did not become ready."""


class Process:
    """One running program, in a process group of its own."""

    def __init__(self, name: str, argv: list[str], log: Path):
        self.name = name
        self.log = log
        self._argv = argv
        self.start()

    def start(self) -> None:
        """Also again after stop()."""
        with self.log.open("ab") as output, uninterrupted():
            self._popen = subprocess.Popen(
                self._argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                process_group=0,
                preexec_fn=die_with_parent(os.getpid()),
            )

    def running(self) -> bool:
        return self._popen.poll() is None

    def cpu_seconds(self) -> float:
        """What it has used since it was started."""
        fields = Path(f"/proc/{self._popen.pid}/stat").read_text().rpartition(")")[2].split()
        user, system = int(fields[11]), int(fields[12])
        return (user + system) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """Without a chance to say goodbye."""
        self._popen.kill()
        self._popen.wait()

    @contextlib.contextmanager
    def hung(self) -> Iterator[None]:
        """Alive, its connections open, but doing nothing."""
        self._popen.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._popen.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def with_options(self, *without: str, **values: str | Path) -> Iterator[None]:
        """Stopped on entry and on exit; when started in between, has these options, and not those."""
        usual = self._argv
        options = {name.replace("_", "-"): value for name, value in values.items()}
        replaced = tuple(f"--{name}=" for name in (*without, *options))
        self._argv = [argument for argument in usual if not argument.startswith(replaced)]
        self._argv += [f"--{name}={value}" for name, value in options.items()]
        try:
            yield
        finally:
            self._argv = usual

    @contextlib.contextmanager
    def with_program(self, program: Path) -> Iterator[None]:
        """Stopped on entry and on exit; when started in between, is this one."""
        usual = self._argv
        self._argv = [str(program), *usual[1:]]
        try:
            yield
        finally:
            self._argv = usual

    def program(self) -> Path:
        return Path(self._argv[0])

    def option(self, name: str) -> str:
        """What it was told as `--name=VALUE`; the last counts."""
        prefix = f"--{name}="
        return next(a for a in reversed(self._argv) if a.startswith(prefix)).removeprefix(prefix)

    def await_ready(self, ready: Callable[[], bool], timeout: float = 30) -> None:
        def answered() -> bool:
            if not self.running():
                raise ProcessFailed(
                    f"{self.name} exited with {self._popen.returncode}{self._log_tail()}"
                )
            return ready()

        try:
            waiting.until(answered, f"{self.name} to become ready", timeout)
        except TimeoutError as late:
            raise ProcessFailed(f"{late}{self._log_tail()}") from None

    def stop(self, grace: float = 5) -> None:
        """Asks it to end, then ends it and all that it started."""
        if self.running():
            self._popen.terminate()
            try:
                self._popen.wait(grace)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self._popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._popen.wait()

    def _log_tail(self, lines: int = 10) -> str:
        tail = self.log.read_text(errors="replace").splitlines()[-lines:]
        return "\n  ".join([f"; the end of {self.log}:", *tail])


class Processes:
    """The programs of one run; leaving the `with` block stops them, last started first."""

    def __init__(self, logs: Path):
        self._logs = logs
        self._started: list[Process] = []

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self._started):
            process.stop()

    def start(self, name: str, program: Path, *arguments: str) -> Process:
        if not os.access(program, os.X_OK):
            raise ProcessFailed(f"{name}: there is no program {program}")
        with uninterrupted():
            process = Process(name, [str(program), *arguments], self._logs / f"{name}.log")
            self._started.append(process)
        return process

    def named(self, name: str) -> Process:
        return next(process for process in self._started if process.name == name)


def run_to_end(program: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and stdout of a program that nothing of is left when we are interrupted."""
    with subprocess.Popen(
        [program, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=die_with_parent(os.getpid()),
    ) as running:
        try:
            output, _ = running.communicate()
        except BaseException:
            os.killpg(running.pid, signal.SIGKILL)
            raise
    return running.returncode, output


def http_ok(url: str, certificate: Path | None = None) -> Callable[[], bool]:
    """A readiness check: GET `url` answers 200.

    `certificate` is the one that the server makes for itself when it starts.
    """

    def ready() -> bool:
        try:
            tls = ssl.create_default_context(cafile=certificate) if certificate else None
            with urllib.request.urlopen(url, timeout=2, context=tls) as response:
                return response.status == 200
        except OSError:  # not listening yet, not serving yet, no certificate yet
            return False

    return ready


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Puts off what would end us, so that no program is started but unknown when we clean up."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def die_with_parent(parent: int) -> Callable[[], None]:
    """Where cleaning up is impossible, because we are killed, the kernel does it."""

    def before_exec() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    return before_exec
