"""Stands between kube-scheduler and berth-extender, passes everything on, remembers the answers."""

import http.client
import json
import sys
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from scheduler_config import HTTP_TIMEOUT
from way import Ranking


@dataclass(frozen=True)
class Call:
    verb: str
    status: int
    seconds: float


class Recorder(ThreadingHTTPServer):
    """Serves while in a `with` block."""

    daemon_threads = True

    def __init__(self, extender_port: int):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.extender_port = extender_port
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.rankings: dict[str, Ranking] = {}  # by pod UID, in the order of the answers
        self.calls: list[Call] = []

    def failures(self) -> list[Call]:
        return [call for call in self.calls if call.status != 200]

    def late(self) -> list[Call]:
        """Answered after kube-scheduler had gone on without."""
        return [call for call in self.calls if call.seconds > HTTP_TIMEOUT]

    def milliseconds(self, share: float) -> float:
        """What this share of the calls took at most."""
        seconds = sorted(call.seconds for call in self.calls)
        return 1000 * seconds[min(int(share * len(seconds)), len(seconds) - 1)]

    def __enter__(self) -> "Recorder":
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address) -> None:
        """A connection that kube-scheduler gave up is no fault of ours."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One kept-alive connection from kube-scheduler, and one to the extender."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one segment

    server: Recorder

    def setup(self) -> None:
        super().setup()
        self._extender = http.client.HTTPConnection(
            "127.0.0.1", self.server.extender_port, timeout=30
        )

    def finish(self) -> None:
        self._extender.close()
        super().finish()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        verb = self.path.rpartition("/")[2]
        start = time.monotonic()
        status, answer = self._ask(body)
        self.server.calls.append(Call(verb, status, time.monotonic() - start))
        if verb == "prioritize" and status == 200:
            uid = json.loads(body)["Pod"]["metadata"]["uid"]
            self.server.rankings.pop(uid, None)  # the last answer counts, in its place in the order
            self.server.rankings[uid] = _ranking(json.loads(answer))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _ask(self, body: bytes) -> tuple[int, bytes]:
        """Asks again once, on a new connection: the extender may have closed an idle one."""
        for last in (False, True):
            try:
                self._extender.request(
                    "POST", self.path, body, {"Content-Type": "application/json"}
                )
                response = self._extender.getresponse()
                return response.status, response.read()
            except (OSError, http.client.HTTPException) as error:
                self._extender.close()
                if last:
                    return 502, f"berth-extender: {error!r}".encode()
        raise AssertionError("unreachable")

    def log_message(self, *_) -> None:
        """Every call is in `calls`."""


def _ranking(scores: list[dict]) -> Ranking:
    """The first is the only node with the highest score."""
    highest = max((entry["Score"] for entry in scores), default=None)
    first = [entry["Host"] for entry in scores if entry["Score"] == highest]
    return Ranking(first[0] if len(first) == 1 else "", len(scores))
