"""etcd, kube-apiserver and kube-scheduler on loopback, with certificate and credentials."""

import base64
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

import waiting
from api import Api, ApiError
from ports import free_port
from processes import Process, Processes, http_ok

ADMIN = "admin"


@dataclass(frozen=True)
class ControlPlane:
    """A running etcd and kube-apiserver."""

    api: Api  # as an administrator
    admin: Path  # the same as a kubeconfig
    token: str  # the same by itself
    _state: Path
    _port: int
    _ca: str

    def login(self, token: str) -> Api:
        return Api(self._port, self._ca, token)

    def kubeconfig(self, user: str, token: str) -> Path:
        """A file with which a program acts as the owner of `token`."""
        return _write_kubeconfig(self._state, user, self._port, self._ca, token)


def start(processes: Processes, programs: Path, state: Path) -> ControlPlane:
    etcd = _start_etcd(processes, programs, state)
    token = secrets.token_hex(16)
    port, ca = _start_apiserver(processes, programs, state, etcd, token)
    api = Api(port, ca, token)
    for name in ("default", "kube-system"):
        namespace = f"/api/v1/namespaces/{name}"
        waiting.until(lambda: _exists(api, namespace), f"the namespace {name}", 30)
    admin = _write_kubeconfig(state, ADMIN, port, ca, token)
    return ControlPlane(api, admin, token, state, port, ca)


def start_scheduler(
    processes: Processes,
    program: Path,
    state: Path,
    arguments: list[str],
    config: Path,
    kubeconfig: Path,
    name: str = "",
) -> Process:
    """Returns once it is ready. `arguments` are the deployed ones, which another config follows.

    The name is the program's unless stated.
    """
    port, name = free_port(), name or program.name
    scheduler = processes.start(
        name,
        program,
        *arguments,
        f"--config={config}",
        # In a pod these two default to the service account; here it has to be said.
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={state / name}",
    )
    await_scheduler(scheduler)
    return scheduler


def await_scheduler(scheduler: Process) -> None:
    """Its caches are filled."""
    url, certificate = scheduler_address(scheduler)
    scheduler.await_ready(http_ok(f"{url}/readyz", certificate))


def scheduler_address(scheduler: Process) -> tuple[str, Path]:
    """Of its health and metrics, and the certificate that it made for itself."""
    certificate = Path(scheduler.option("cert-dir")) / "kube-scheduler.crt"
    return f"https://127.0.0.1:{scheduler.option('secure-port')}", certificate


def _start_etcd(processes: Processes, programs: Path, state: Path) -> str:
    client, peer = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    etcd = processes.start(
        "etcd",
        programs / "etcd",
        f"--data-dir={state / 'etcd'}",
        "--unsafe-no-fsync",
        "--log-level=warn",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
    )
    etcd.await_ready(http_ok(f"{client}/readyz"))
    return client


def _start_apiserver(
    processes: Processes, programs: Path, state: Path, etcd: str, admin_token: str
) -> tuple[int, str]:
    """Returns its port and the certificate that it made for itself."""
    port = free_port()
    key = _write_signing_key(state / "service-account.key")
    apiserver = processes.start(
        "kube-apiserver",
        programs / "kube-apiserver",
        f"--etcd-servers={etcd}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={state / 'apiserver'}",
        "--endpoint-reconciler-type=none",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
        "--service-cluster-ip-range=10.0.0.0/24",
        f"--token-auth-file={_write_tokens(state, admin_token)}",
        "--authorization-mode=RBAC",
        # No controller-manager runs: nobody makes default service accounts or removes the taint.
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
    )
    certificate = state / "apiserver" / "apiserver.crt"
    apiserver.await_ready(http_ok(f"https://127.0.0.1:{port}/readyz", certificate), 180)
    return port, certificate.read_text()


def _exists(api: Api, path: str) -> bool:
    try:
        return bool(api.get(path))
    except ApiError as error:
        if error.status == 404:
            return False
        raise


def _write_signing_key(path: Path) -> Path:
    """A P-256 key (RFC 5915): the curve's name around 32 random bytes."""
    der = (
        bytes.fromhex("303102010104 20")
        + secrets.token_bytes(32)
        + bytes.fromhex("a00a06082a8648ce3d030107")
    )
    body = base64.b64encode(der).decode()
    _write_private(path, f"-----BEGIN EC PRIVATE KEY-----\n{body}\n-----END EC PRIVATE KEY-----\n")
    return path


def _write_tokens(state: Path, admin_token: str) -> Path:
    path = state / "tokens.csv"
    _write_private(path, f'{admin_token},{ADMIN},{ADMIN},"system:masters"\n')
    return path


def _write_kubeconfig(state: Path, user: str, port: int, ca: str, token: str) -> Path:
    path = state / f"{user}.kubeconfig"
    cluster = {
        "server": f"https://127.0.0.1:{port}",
        "certificate-authority-data": base64.b64encode(ca.encode()).decode(),
    }
    _write_private(
        path,
        json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "e2e",
                "clusters": [{"name": "e2e", "cluster": cluster}],
                "users": [{"name": user, "user": {"token": token}}],
                "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": user}}],
            },
            indent=2,
        ),
    )
    return path


def _write_private(path: Path, text: str) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
