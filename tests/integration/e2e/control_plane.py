"""etcd, kube-apiserver and kube-scheduler on loopback, with certificate, tokens and roles."""

import base64
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

import waiting
from api import Api, ApiError
from ports import free_port
from processes import Processes, http_ok

ADMIN = "e2e-admin"
SCHEDULER = "system:kube-scheduler"  # kube-apiserver brings the role of this name
EXTENDER = "berth-extender"
GROUPS = {ADMIN: "system:masters", SCHEDULER: "", EXTENDER: ""}


@dataclass(frozen=True)
class ControlPlane:
    """A running etcd and kube-apiserver."""

    api: Api
    kubeconfigs: dict[str, Path]  # by user


def start(processes: Processes, programs: Path, state: Path) -> ControlPlane:
    etcd = _start_etcd(processes, programs, state)
    tokens = {user: secrets.token_hex(16) for user in GROUPS}
    port, ca = _start_apiserver(processes, programs, state, etcd, tokens)
    api = Api(port, ca, tokens[ADMIN])
    waiting.until(lambda: _exists(api, "/api/v1/namespaces/default"), "the namespace default", 30)
    _grant_extender(api)
    kubeconfigs = {
        user: _write_kubeconfig(state, user, port, ca, token) for user, token in tokens.items()
    }
    return ControlPlane(api, kubeconfigs)


def start_scheduler(processes: Processes, programs: Path, state: Path, config: Path) -> None:
    port = free_port()
    scheduler = processes.start(
        "kube-scheduler",
        programs / "kube-scheduler",
        f"--config={config}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={state / 'scheduler'}",
        "--pod-max-in-unschedulable-pods-duration=10s",  # as the configuration advises
        "-v=2",
    )
    scheduler.await_ready(
        http_ok(f"https://127.0.0.1:{port}/readyz", state / "scheduler" / "kube-scheduler.crt")
    )


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
    processes: Processes, programs: Path, state: Path, etcd: str, tokens: dict[str, str]
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
        f"--token-auth-file={_write_tokens(state, tokens)}",
        "--authorization-mode=RBAC",
        # No controller-manager runs: nobody makes service accounts, nobody removes the taint.
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
    )
    certificate = state / "apiserver" / "apiserver.crt"
    apiserver.await_ready(http_ok(f"https://127.0.0.1:{port}/readyz", certificate), 60)
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


def _write_tokens(state: Path, tokens: dict[str, str]) -> Path:
    path = state / "tokens.csv"
    _write_private(
        path, "".join(f'{token},{user},{user},"{GROUPS[user]}"\n' for user, token in tokens.items())
    )
    return path


def _write_kubeconfig(state: Path, user: str, port: int, ca: str, token: str) -> Path:
    path = state / f"{user.replace(':', '-')}.kubeconfig"
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


def _grant_extender(api: Api) -> None:
    """The extender reads nodes and pods, and may do nothing else."""
    rbac = "/apis/rbac.authorization.k8s.io/v1"
    rule = {"apiGroups": [""], "resources": ["nodes", "pods"], "verbs": ["get", "list", "watch"]}
    api.create(f"{rbac}/clusterroles", {"metadata": {"name": EXTENDER}, "rules": [rule]})
    api.create(
        f"{rbac}/clusterrolebindings",
        {
            "metadata": {"name": EXTENDER},
            "roleRef": {
                "apiGroup": "rbac.authorization.k8s.io",
                "kind": "ClusterRole",
                "name": EXTENDER,
            },
            "subjects": [
                {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": EXTENDER}
            ],
        },
    )
