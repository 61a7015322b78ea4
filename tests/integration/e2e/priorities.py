"""Pods that may take the place of others, and pods that give it up at once."""

import contextlib
from collections.abc import Iterator

from api import Api

CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"
URGENT = "e2e-urgent"


@contextlib.contextmanager
def urgency(api: Api) -> Iterator[None]:
    """kube-apiserver knows what is urgent."""
    api.create(CLASSES, {"metadata": {"name": URGENT}, "value": 1000})
    try:
        yield
    finally:
        api.delete(f"{CLASSES}/{URGENT}")


def urgent(pod: dict) -> dict:
    pod["spec"]["priorityClassName"] = URGENT
    return pod


def yielding(pod: dict) -> dict:
    """No kubelet would confirm a graceful end."""
    pod["spec"]["terminationGracePeriodSeconds"] = 0
    return pod
