"""A small client of kube-apiserver: JSON over kept-alive TLS connections, one per thread."""

import http.client
import json
import ssl
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

IDLE_SECONDS = 30  # afterwards a new connection: kube-apiserver closes idle ones
CREATORS = 16  # connections that create objects at the same time


class ApiError(RuntimeError):
    def __init__(self, call: str, status: int, message: str):
        super().__init__(f"{call}: {status} {message}")
        self.status = status


class Api:
    def __init__(self, port: int, ca: str, token: str):
        self._port = port
        self._tls = ssl.create_default_context(cadata=ca)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._threads = threading.local()

    def get(self, path: str, **query: str) -> dict:
        return json.loads(self.raw("GET", path, query=query))

    def create(self, path: str, thing: dict) -> dict:
        return json.loads(self.raw("POST", path, thing))

    def create_all(self, path: str, things: Iterable[dict]) -> list[dict]:
        with ThreadPoolExecutor(CREATORS) as creators:
            return list(creators.map(lambda thing: self.create(path, thing), things))

    def delete(self, path: str, **query: str) -> None:
        """At once: without a kubelet nobody would confirm a graceful end."""
        self.raw("DELETE", path, {"gracePeriodSeconds": 0}, query)

    def raw(
        self, method: str, path: str, body: dict | None = None, query: dict | None = None
    ) -> bytes:
        target = f"{path}?{urlencode(query)}" if query else path
        payload = None if body is None else json.dumps(body)
        connection = self._connection()
        try:
            connection.request(method, target, payload, self._headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            connection.close()  # reconnects at the next request
            raise
        if response.status >= 300:
            raise ApiError(f"{method} {path}", response.status, _message(content))
        return content

    def _connection(self) -> http.client.HTTPSConnection:
        if not hasattr(self._threads, "connection"):
            self._threads.connection = http.client.HTTPSConnection(
                "127.0.0.1", self._port, context=self._tls, timeout=90
            )
        elif time.monotonic() - self._threads.last_used > IDLE_SECONDS:
            self._threads.connection.close()  # reconnects at the next request
        self._threads.last_used = time.monotonic()
        return self._threads.connection


def _message(content: bytes) -> str:
    try:
        return json.loads(content)["message"]
    except (ValueError, KeyError):
        return content[:200].decode(errors="replace")
