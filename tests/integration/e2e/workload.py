"""The pods: a mix like openb's, the same in every run."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from openb_nodes import GPU, MILLI, WHOLE

SCHEDULER = "berth"
MODELS = "berth.dev/gpu-model"


@dataclass(frozen=True)
class Shape:
    """What one pod asks for; `milli` is per GPU and below 1000 only for a share of one GPU."""

    gpus: int
    milli: int
    cpu_milli: int
    memory_mib: int


# The commonest pods of openb's default list with their share in percent; of pods with several
# GPUs there are more than its 1 %, so that some hundreds of pods have a few of each.
MIX = (
    (22, Shape(1, WHOLE, 11300, 49152)),
    (14, Shape(1, WHOLE, 3152, 5600)),
    (6, Shape(1, WHOLE, 11400, 48128)),
    (13, Shape(1, 810, 3152, 5600)),
    (9, Shape(1, 470, 8000, 30517)),
    (8, Shape(1, 500, 4000, 15258)),
    (6, Shape(1, 320, 4000, 15258)),
    (3, Shape(1, 230, 4000, 30517)),
    (6, Shape(0, 0, 12500, 57344)),
    (5, Shape(0, 0, 8000, 30517)),
    (4, Shape(2, WHOLE, 16200, 66560)),
    (2, Shape(4, WHOLE, 32000, 131072)),
    (2, Shape(8, WHOLE, 64000, 262144)),
)
OBSERVED_SHARE = 0.15  # of the whole-GPU pods, for the observed nodes
PICKY_SHARE = 0.15  # of the GPU pods, which accept only some GPU models
PICKS = ("T4", "P100", "G2", "V100-SXM2-16GB|V100-SXM2-32GB")


def picky_first(pods: Iterable[dict]) -> list[dict]:
    """So that each pod has a place under any policy: others may fill the models that these need."""
    return sorted(pods, key=lambda pod: MODELS not in pod["metadata"]["annotations"])


def pods(
    count: int, prefix: str, seed: int = 1, picky_share: float = PICKY_SHARE
) -> Iterator[dict]:
    chance = random.Random(seed)
    weights, shapes = zip(*MIX)
    for number, shape in enumerate(chance.choices(shapes, weights, k=count)):
        observed = shape.milli == WHOLE and chance.random() < OBSERVED_SHARE
        picky = 0 < shape.gpus <= 2 and chance.random() < picky_share
        models = chance.choice(PICKS) if picky else ""
        yield pod(f"{prefix}-{number:04}", shape, observed=observed, models=models)


def asks_gpu(pod: dict) -> bool:
    """Whether it is a pod for Berth inside kube-scheduler; the others stay with kube-scheduler."""
    return bool({GPU, MILLI} & pod["spec"]["containers"][0]["resources"]["requests"].keys())


def pod(
    name: str,
    shape: Shape,
    *,
    observed: bool = False,
    models: str = "",
    node_selector: dict[str, str] | None = None,
) -> dict:
    requests = {"cpu": f"{shape.cpu_milli}m", "memory": f"{shape.memory_mib}Mi"}
    if shape.gpus:
        requests |= {GPU: str(shape.gpus)} if observed else {MILLI: str(shape.gpus * shape.milli)}
    container = {
        "name": "main",
        "image": "workload",
        "resources": {"requests": requests, "limits": requests},
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "annotations": {MODELS: models} if models else {}},
        "spec": {
            "schedulerName": SCHEDULER,
            "containers": [container],
            "nodeSelector": node_selector or {},
        },
    }
