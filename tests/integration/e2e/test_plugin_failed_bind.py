"""The story of a binding that kube-apiserver refuses: its GPUs are free again at once."""

import contextlib
import time
from collections.abc import Iterator

import waiting
import workload
from api import ApiError
from cluster import PODS
from openb_nodes import WHOLE
from story import PluginStory, share

ADMISSION = "/apis/admissionregistration.k8s.io/v1"
POLICY = "e2e-refuse-bindings"
REFUSAL = "not today"


class FailedBind(PluginStory):
    def test_a_failed_binding_gives_its_gpus_back_at_once(self) -> None:
        with self.node_of_its_own(gpus=1) as only:
            with self.bindings_refused(of="unlucky"):
                self.cluster.create(workload.pod("unlucky", share(WHOLE), node_selector=only))
                self.cluster.await_event("unlucky", "FailedScheduling", REFUSAL)
                start = time.monotonic()
                self.assertEqual(
                    self.place(workload.pod("next", share(WHOLE), node_selector=only)),
                    "node-of-its-own",
                )
                self.report.note(failed_bind_gpu_taken_after_seconds=time.monotonic() - start)
            self.assert_waits("unlucky")
            self.assert_books_are_right()

            self.cluster.delete("next")
            self.cluster.await_bound("unlucky")
            self.assert_books_are_right()

    @contextlib.contextmanager
    def bindings_refused(self, of: str) -> Iterator[None]:
        """kube-apiserver binds the pod of this name to no node."""
        kinds = ("validatingadmissionpolicies", "validatingadmissionpolicybindings")
        specs = (
            {
                "matchConstraints": {
                    "resourceRules": [
                        {
                            "apiGroups": [""],
                            "apiVersions": ["v1"],
                            "operations": ["CREATE"],
                            "resources": ["pods/binding"],
                        }
                    ]
                },
                "validations": [{"expression": f"request.name != '{of}'", "message": REFUSAL}],
            },
            {"policyName": POLICY, "validationActions": ["Deny"]},
        )
        try:
            for kind, spec in zip(kinds, specs):
                thing = {"metadata": {"name": POLICY}, "spec": spec}
                self.cluster.api.create(f"{ADMISSION}/{kind}", thing)
            waiting.until(lambda: self.refused(of), "bindings to be refused", 30)
            yield
        finally:
            for kind in kinds:
                self.cluster.api.delete(f"{ADMISSION}/{kind}/{POLICY}")
        waiting.until(lambda: not self.refused(of), "bindings not to be refused", 30)

    def refused(self, name: str) -> bool:
        """Whether a binding would be; nothing is bound."""
        binding = {
            "metadata": {"name": name},
            "target": {"kind": "Node", "name": "node-of-its-own"},
        }
        try:
            self.cluster.api.create(f"{PODS}/{name}/binding?dryRun=All", binding)
        except ApiError as error:
            return REFUSAL in str(error)
        return False
