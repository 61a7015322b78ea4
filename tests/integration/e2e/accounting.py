"""The books, kept naively: from kube-apiserver's own lists, with nothing of Berth's."""

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from openb_nodes import GPU, MILLI, PRODUCT, WHOLE
from workload import MODELS

# kube-apiserver writes quantities its own way: what was sent as 8000 comes back as 8k.
SUFFIXES = {
    "m": Fraction(1, 1000),
    "k": Fraction(1000),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "Ti": Fraction(2**40),
}


def quantity(text: str) -> Fraction:
    number = text.rstrip("".join(SUFFIXES))
    return Fraction(number) * SUFFIXES.get(text[len(number) :], Fraction(1))


def requests(pod: dict) -> dict[str, Fraction]:
    total: dict[str, Fraction] = defaultdict(Fraction, pods=Fraction(1))
    for container in pod["spec"]["containers"]:
        for resource, amount in container["resources"].get("requests", {}).items():
            total[resource] += quantity(amount)
    return total


class Free(NamedTuple):
    """What the pods leave of a node."""

    cpu_milli: int
    memory_mib: int
    gpu_milli: int


def free(nodes: list[dict], pods: list[dict]) -> dict[str, Free]:
    """By node; below zero where it is over-committed."""
    bound = bound_by_node(pods)
    left = {}
    for node in nodes:
        name = node["metadata"]["name"]
        total = _amounts(
            {r: quantity(amount) for r, amount in node["status"]["allocatable"].items()}
        )
        held = [_amounts(requests(pod)) for pod in bound.get(name, [])]
        left[name] = Free(*(whole - sum(parts) for whole, *parts in zip(total, *held)))
    return left


def _amounts(resources: dict[str, Fraction]) -> Free:
    gpu = resources.get(MILLI, 0) + WHOLE * resources.get(GPU, 0)
    return Free(int(1000 * resources["cpu"]), int(resources["memory"] / 2**20), int(gpu))


def managed_gpus(node: dict) -> int:
    return int(quantity(node["status"]["allocatable"].get(MILLI, "0")) / WHOLE)


def bound_by_node(pods: list[dict]) -> dict[str, list[dict]]:
    bound = defaultdict(list)
    for pod in pods:
        if node := pod["spec"].get("nodeName"):
            bound[node].append(pod)
    return bound


def overcommitted(nodes: list[dict], pods: list[dict]) -> list[str]:
    """One line for each node that has less of a resource than its pods were promised."""
    bound = bound_by_node(pods)
    lines = []
    for node in nodes:
        name, used = node["metadata"]["name"], defaultdict(Fraction)
        for pod in bound.pop(name, []):
            for resource, amount in requests(pod).items():
                used[resource] += amount
        for resource, amount in used.items():
            free = quantity(node["status"]["allocatable"].get(resource, "0")) - amount
            if free < 0:
                lines.append(f"{name}: {float(-free):g} too much of {resource}")
    return lines + [f"{name}: no such node" for name in bound]


def crowded(nodes: list[dict], pods: list[dict]) -> list[str]:
    """The managed nodes whose pods cannot be dealt out so that no share spans two GPUs."""
    bound = bound_by_node(pods)
    names = []
    for node in nodes:
        name = node["metadata"]["name"]
        asked = [int(requests(pod)[MILLI]) for pod in bound.get(name, [])]
        whole = sum(amount // WHOLE for amount in asked if amount >= WHOLE)
        shares = sorted((amount for amount in asked if 0 < amount < WHOLE), reverse=True)
        if not _fits(shares, [WHOLE] * (managed_gpus(node) - whole)):
            names.append(name)
    return names


def wrong_model(nodes: list[dict], pods: list[dict]) -> list[str]:
    """The bound pods whose node has none of the GPU models that they accept."""
    product = {node["metadata"]["name"]: node["metadata"]["labels"][PRODUCT] for node in nodes}
    return [
        pod["metadata"]["name"]
        for pod in pods
        if (models := pod["metadata"].get("annotations", {}).get(MODELS))
        and "nodeName" in pod["spec"]
        and not any(model in product[pod["spec"]["nodeName"]] for model in models.split("|"))
    ]


def _fits(shares: list[int], free: list[int]) -> bool:
    """Whether the shares, largest first, fit into GPUs with this much free: tries every way."""
    if not shares:
        return True
    for room in sorted({room for room in free if room >= shares[0]}):
        rest = list(free)
        rest[rest.index(room)] -= shares[0]
        if _fits(shares[1:], rest):
            return True
    return False
