"""A TCP connection through here can be slow, or cut."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator


class Relay:
    """Passes what comes to `port` on to `target`; serves while in a `with` block."""

    def __init__(self, target: int):
        self._target = target
        self._delay = 0.0
        self._cut = False
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    @contextlib.contextmanager
    def slow(self, seconds: float) -> Iterator[None]:
        """Whatever arrives is passed on this much later."""
        self._delay = seconds
        try:
            yield
        finally:
            self._delay = 0.0

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """No connection lives, none comes about."""
        self._cut = True
        self._close_all()
        try:
            yield
        finally:
            self._cut = False

    def __enter__(self) -> "Relay":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._close(self._listener)
        self._close_all()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed: the end
            while True:
                near, _ = self._listener.accept()
                self._connect(near)

    def _connect(self, near: socket.socket) -> None:
        try:
            if self._cut:
                raise ConnectionError("cut")
            far = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            near.close()
            return
        with self._lock:
            self._sockets |= {near, far}
        for source, sink in ((near, far), (far, near)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):  # either side has gone
            while chunk := source.recv(1 << 16):
                time.sleep(self._delay)
                sink.sendall(chunk)
        self._close(source, sink)

    def _close_all(self) -> None:
        with self._lock:
            sockets = list(self._sockets)
        self._close(*sockets)

    def _close(self, *sockets: socket.socket) -> None:
        with self._lock:
            self._sockets -= set(sockets)
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads from it
            one.close()
