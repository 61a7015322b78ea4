"""The cluster: the 1,213 GPU nodes of Alibaba's GPU trace of 2023 (openb), as objects."""

from collections.abc import Iterator
from dataclasses import dataclass

GPU = "nvidia.com/gpu"  # observed nodes: the device plugin's whole GPUs
MILLI = "berth.dev/gpu-milli"  # managed nodes: 1000 per GPU, which Berth hands out
WHOLE = 1000
PRODUCT = "nvidia.com/gpu.product"

OBSERVED_EVERY = 5  # of each shape, every fifth node is observed; the others are managed


@dataclass(frozen=True)
class Shape:
    nodes: int
    model: str
    gpus: int
    cpus: int
    memory_mib: int


SHAPES = (
    Shape(549, "G2", 8, 96, 393216),
    Shape(387, "T4", 2, 104, 524288),
    Shape(17, "T4", 4, 96, 393216),
    Shape(39, "G3", 8, 128, 786432),
    Shape(107, "P100", 2, 16, 122880),
    Shape(22, "P100", 2, 64, 262144),
    Shape(3, "P100", 1, 8, 61440),
    Shape(2, "P100", 2, 8, 61440),
    Shape(28, "V100M16", 4, 32, 131072),
    Shape(19, "V100M16", 1, 8, 32768),
    Shape(7, "V100M16", 8, 64, 262144),
    Shape(1, "V100M16", 8, 82, 344064),
    Shape(21, "V100M32", 8, 96, 786432),
    Shape(9, "V100M32", 4, 48, 376832),
    Shape(2, "A10", 1, 128, 1048576),
)

# What GPU feature discovery writes for each model: product and MiB. The trace does not disclose
# what G2 and G3 are, so their products are the trace's own names and their memory is a guess.
LABELS = {
    "G2": ("G2", 32768),
    "G3": ("G3", 40960),
    "T4": ("Tesla-T4", 15360),
    "P100": ("Tesla-P100-PCIE-16GB", 16384),
    "V100M16": ("Tesla-V100-SXM2-16GB", 16384),
    "V100M32": ("Tesla-V100-SXM2-32GB", 32768),
    "A10": ("NVIDIA-A10", 23028),
}


def nodes() -> Iterator[dict]:
    """The nodes as they are created at kube-apiserver, status included."""
    number = 0
    for shape in SHAPES:
        for index in range(shape.nodes):
            observed = index % OBSERVED_EVERY == OBSERVED_EVERY - 1
            zone = "abc"[number % 3]
            yield node(
                f"openb-node-{number:04}",
                shape,
                observed,
                {"topology.kubernetes.io/zone": f"zone-{zone}"},
            )
            number += 1


def node(
    name: str, shape: Shape, observed: bool = False, labels: dict[str, str] | None = None
) -> dict:
    product, memory = LABELS[shape.model]
    devices = {GPU: str(shape.gpus)} if observed else {MILLI: str(shape.gpus * WHOLE)}
    quantities = {
        "cpu": str(shape.cpus),
        "memory": f"{shape.memory_mib}Mi",
        "pods": "110",
        **devices,
    }
    return {
        "metadata": {
            "name": name,
            "labels": {
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "nvidia.com/gpu.present": "true",
                PRODUCT: product,
                "nvidia.com/gpu.count": str(shape.gpus),
                "nvidia.com/gpu.memory": str(memory),
                **(labels or {}),
            },
        },
        "status": {
            "capacity": quantities,
            "allocatable": quantities,
            "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        },
    }
