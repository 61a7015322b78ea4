"""The stories about deploy/: what was applied is accepted, enough, and no more than needed."""

import copy
import unittest

import deployed
import waiting
from api import ApiError
from cluster import Cluster
from deployed import NAMESPACE, SYSTEM_NAMESPACE, Right
from processes import http_ok

ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/{}/leases"
LEASE = "leases.coordination.k8s.io"

# What somebody would try who has got hold of the token.
TOO_MUCH = (
    Right("get", "secrets"),
    Right("list", "secrets", NAMESPACE),
    Right("get", "configmaps", SYSTEM_NAMESPACE, "kubeadm-config"),
    Right("get", LEASE, SYSTEM_NAMESPACE, "kube-scheduler"),
    Right("update", LEASE, SYSTEM_NAMESPACE, "kube-scheduler"),
    Right("create", LEASE, SYSTEM_NAMESPACE),
    Right("update", LEASE, NAMESPACE, "kube-scheduler"),
    Right("delete", LEASE, NAMESPACE, "berth-scheduler"),
    Right("create", "pods"),
    Right("patch", "pods"),
    Right("deletecollection", "pods"),
    Right("create", "pods/exec"),
    Right("create", "serviceaccounts/token", NAMESPACE),
    Right("impersonate", "users"),
    Right("delete", "nodes"),
    Right("patch", "nodes"),
    Right("patch", "nodes/status"),
    Right("update", "clusterroles.rbac.authorization.k8s.io"),
    Right("update", "deployments.apps", NAMESPACE),
)


class Deployment(unittest.TestCase):
    cluster: Cluster  # run.py starts it for all stories

    def test_its_role_is_kube_schedulers_own_without_the_leases(self) -> None:
        """Says what to change in deploy/base/rbac.yaml when the pinned Kubernetes changes."""
        ours, theirs = (
            rules(self.cluster.api.get(f"{ROLES}/{name}"))
            for name in ("berth-scheduler", "system:kube-scheduler")
        )
        leases = {rule for rule in theirs if rule[0] == "coordination.k8s.io"}
        self.assertTrue(leases)
        self.assertEqual(ours, theirs - leases)

    def test_its_account_may_do_no_more_than_that(self) -> None:
        for right in deployed.FIRST_RIGHTS:
            self.assertTrue(deployed.may(self.cluster.account, right), right)
        for right in TOO_MUCH:
            self.assertFalse(deployed.may(self.cluster.account, right), right)

    def test_kube_scheduler_leads_by_a_lease_of_its_own(self) -> None:
        def leaders(namespace: str) -> dict[str, str]:
            leases = self.cluster.api.get(LEASES.format(namespace))["items"]
            return {
                lease["metadata"]["name"]: lease["spec"]["holderIdentity"] for lease in leases
            }

        waiting.until(lambda: leaders(NAMESPACE), "kube-scheduler to lead", 30)
        self.assertEqual(list(leaders(NAMESPACE)), ["berth-scheduler"])
        self.assertNotIn("kube-scheduler", leaders(SYSTEM_NAMESPACE))

    def test_applying_it_again_changes_nothing(self) -> None:
        self.assertEqual(deployed.differences(self.cluster.kubectl, self.cluster.way.name), "")

    def test_its_pod_is_admitted_where_pods_are_restricted(self) -> None:
        template = deployed.pod_template(self.cluster.api)
        self.assertTrue(self.would_create(template)["metadata"]["uid"])

        careless = copy.deepcopy(template)
        del careless["spec"]["containers"][-1]["securityContext"]["capabilities"]
        with self.assertRaisesRegex(ApiError, 'violates PodSecurity "restricted'):
            self.would_create(careless)

    def test_the_kubelet_can_probe_what_listens(self) -> None:
        """By the pod's address, so not what listens on loopback. A rollout waits for it, also where
        no pod is to be placed yet."""
        service = self.cluster.service.process
        service.stop()
        service.start()
        containers = deployed.pod_template(self.cluster.api)["spec"]["containers"]
        own = [container for container in containers if container["name"] != "scheduler"]
        self.assertTrue(own)
        for container in own:
            ports = {port["name"]: str(port["containerPort"]) for port in container["ports"]}
            for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
                with self.subTest(container=container["name"], probe=kind):
                    probe = container[kind]["httpGet"]
                    port = ports[probe["port"]]
                    self.assertIn(f"--http=0.0.0.0:{port}", container["args"])
                    url = f"http://127.0.0.1:{self.cluster.ports[port]}{probe['path']}"
                    waiting.until(http_ok(url), f"{url} to be fine", 30)

    def would_create(self, template: dict) -> dict:
        """What kube-apiserver would make of the pod, all its checks included; creates nothing."""
        pod = {"metadata": {"name": "trial", **template["metadata"]}, "spec": template["spec"]}
        return self.cluster.api.create(f"/api/v1/namespaces/{NAMESPACE}/pods?dryRun=All", pod)

    def test_in_this_run_its_programs_were_refused_nothing(self) -> None:
        for program, sign_of_life in self.cluster.way.asks_apiserver():
            log = program.log.read_text().splitlines()
            self.assertTrue(any(sign_of_life in line for line in log), program.log)
            refusals = [line for line in log if "forbidden" in line.lower()]
            self.assertEqual(refusals, [])


def rules(role: dict) -> set[tuple[str, str, str, str]]:
    """Each right that a role grants: group, resource, name, verb."""
    return {
        (group, resource, name, verb)
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for name in rule.get("resourceNames", [""])
        for verb in rule["verbs"]
    }
