"""What deploy/ makes in a cluster: applied as an administrator would, used as its pod would."""

import re
from dataclasses import dataclass
from pathlib import Path

import waiting
from api import Api
from kubectl import Kubectl

MANIFESTS = Path(__file__).resolve().parents[3] / "deploy"
NAMESPACE = "berth"
ACCOUNT = "berth"
SYSTEM_NAMESPACE = "kube-system"


@dataclass(frozen=True)
class Right:
    """One thing that an account may do or not."""

    verb: str
    resource: str  # of the core group, or RESOURCE.GROUP
    namespace: str = ""  # empty: everywhere
    name: str = ""  # empty: any


# At least one from each binding, so that all have arrived when these are granted.
FIRST_RIGHTS = (
    Right("list", "nodes"),
    Right("create", "pods/binding"),
    Right("update", "persistentvolumes"),
    Right("update", "leases.coordination.k8s.io", NAMESPACE, "berth-scheduler"),
    Right("get", "configmaps", SYSTEM_NAMESPACE, "extension-apiserver-authentication"),
)


def apply(kubectl: Kubectl, way: str) -> None:
    """The folder of that name."""
    kubectl.run("apply", "--validate=strict", "-k", str(MANIFESTS / way))


def differences(kubectl: Kubectl, way: str) -> str:
    """Between the cluster and the manifests; fails when there are any."""
    return kubectl.run("diff", "-k", str(MANIFESTS / way))


def pod_template(api: Api) -> dict:
    return api.get(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/berth")["spec"]["template"]


def container(api: Api, name: str) -> dict:
    containers = pod_template(api)["spec"]["containers"]
    return next(container for container in containers if container["name"] == name)


def scheduler_config(api: Api) -> str:
    """kube-scheduler's configuration file as the pod would find it."""
    volumes = {volume["name"]: volume for volume in pod_template(api)["spec"]["volumes"]}
    name = volumes["config"]["configMap"]["name"]
    data = api.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps/{name}")["data"]
    return data["kube-scheduler-config.yaml"]


def on_loopback(arguments: list[str], ports: dict[str, int]) -> list[str]:
    """The arguments with the ports of this run, by the deployed ones, and no other machine."""
    return [
        re.sub(r"[0-9.]+:(\d+)$", lambda address: f"127.0.0.1:{ports[address[1]]}", argument)
        for argument in arguments
    ]


def token(api: Api) -> str:
    """A token of the service account, as a kubelet requests one for a pod."""
    path = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/{ACCOUNT}/token"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    return api.create(path, request)["status"]["token"]


def await_rights(account: Api) -> None:
    """Returns once kube-apiserver goes by the new roles, which takes it some milliseconds."""
    waiting.until(
        lambda: all(may(account, right) for right in FIRST_RIGHTS), "the roles of deploy/", 15
    )


def may(account: Api, right: Right) -> bool:
    """Whether whoever `account` is logged in as has the right, as kube-apiserver sees it."""
    resource, _, group = right.resource.partition(".")
    resource, _, subresource = resource.partition("/")
    question = {
        "verb": right.verb,
        "group": group,
        "resource": resource,
        "subresource": subresource,
        "namespace": right.namespace,
        "name": right.name,
    }
    answer = account.create(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        {"spec": {"resourceAttributes": question}},
    )
    return answer["status"]["allowed"]
