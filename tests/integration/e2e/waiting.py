"""Waiting for something that can be asked about, never for a time to pass."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], what: str, timeout: float, poll: float = 0.02) -> T:
    """Returns the first true value of `condition`; raises TimeoutError naming `what`."""
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {timeout:g} s")
        time.sleep(poll)
    return value
