"""The test of the tests: the naive books and the configuration check do object when they should."""

import unittest

import accounting
import deployed
import openb_nodes
import scheduler_config
import workload
from openb_nodes import WHOLE
from scheduler_config import ConfigError

CONFIGS = (
    (deployed.MANIFESTS / "plugin", scheduler_config.PLUGIN),
    (deployed.MANIFESTS / "extender", scheduler_config.EXTENDER),
)
SMALL = openb_nodes.Shape(1, "T4", 2, 4, 8192)


def bound(
    milli: int, *, gpus: int = 1, cpu_milli: int = 100, memory_mib: int = 1, models: str = ""
) -> dict:
    pod = workload.pod("pod", workload.Shape(gpus, milli, cpu_milli, memory_mib), models=models)
    pod["spec"]["nodeName"] = "node"
    return pod


class Accounting(unittest.TestCase):
    nodes = [openb_nodes.node("node", SMALL)]

    def test_quantities_are_read_as_kubernetes_writes_them(self) -> None:
        for text, value in (("3", 3), ("8k", 8000), ("500m", 0.5), ("2Gi", 2**31), ("1Ti", 2**40)):
            self.assertEqual(accounting.quantity(text), value, text)

    def test_a_node_is_overcommitted_when_one_resource_is(self) -> None:
        full = bound(WHOLE, gpus=2, cpu_milli=4000, memory_mib=8192)
        self.assertEqual(accounting.overcommitted(self.nodes, [full]), [])
        for more in (bound(1), bound(0, gpus=0, memory_mib=0), bound(0, gpus=0, cpu_milli=0)):
            self.assertTrue(accounting.overcommitted(self.nodes, [full, more]), more)

    def test_what_pods_leave_free_is_counted_per_node(self) -> None:
        idle = accounting.free(self.nodes, [])["node"]
        self.assertEqual(idle, accounting.Free(4000, 8192, 2 * WHOLE))
        pods = [bound(600), bound(WHOLE, cpu_milli=1500, memory_mib=1000)]
        self.assertEqual(
            accounting.free(self.nodes, pods)["node"], accounting.Free(2400, 7191, 400)
        )
        observed = openb_nodes.node("observed", SMALL, observed=True)
        self.assertEqual(accounting.free([observed], [])["observed"], idle)

    def test_a_node_is_crowded_when_a_share_would_span_two_gpus(self) -> None:
        self.assertEqual(
            accounting.crowded(self.nodes, [bound(600), bound(600), bound(400), bound(400)]), []
        )
        self.assertEqual(
            accounting.crowded(self.nodes, [bound(600), bound(600), bound(800)]), ["node"]
        )
        self.assertEqual(
            accounting.crowded(self.nodes, [bound(WHOLE), bound(600), bound(500)]), ["node"]
        )

    def test_a_pod_on_a_gpu_model_that_it_does_not_accept_is_found(self) -> None:
        self.assertEqual(
            accounting.wrong_model(self.nodes, [bound(500, models="P100|T4"), bound(500)]), []
        )
        self.assertEqual(accounting.wrong_model(self.nodes, [bound(500, models="P100")]), ["pod"])


class SchedulerConfig(unittest.TestCase):
    def test_every_line_that_berth_relies_on_must_be_there(self) -> None:
        for folder, kind in CONFIGS:
            config = (folder / "kube-scheduler-config.yaml").read_text()
            adapted = scheduler_config.adapt(config, kind, kubeconfig="FILE", address="ADDRESS")
            self.assertEqual(len(adapted.splitlines()), len(config.splitlines()))
            for line in (*kind.required, "weight: 30", f"{kind.address}: "):
                broken = config.replace(line, f"# {line}")
                with self.subTest(folder, missing=line), self.assertRaises(ConfigError):
                    scheduler_config.adapt(broken, kind, kubeconfig="FILE", address="ADDRESS")
