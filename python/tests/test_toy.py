"""The toy: four nodes of 8 GPUs."""

from collections.abc import Callable

import numpy as np
import pytest

from berth import ToyEnv


def best_fit(observation: np.ndarray, mask: np.ndarray) -> int:
    return int(np.where(mask, observation[:4], 2).argmin())


def emptiest(observation: np.ndarray, mask: np.ndarray) -> int:
    return int(observation[:4].argmax())


def mean_return(decide: Callable[[np.ndarray, np.ndarray], int], episodes: int) -> float:
    env = ToyEnv()
    env.reset(seed=1)
    total = 0.0
    for _ in range(episodes):
        observation, info = env.reset()
        over = False
        while not over:
            action = decide(observation, info["action_mask"])
            observation, reward, over, _, info = env.step(action)
            total += reward
    return total / episodes


def test_shows_the_free_gpus_and_the_job() -> None:
    env = ToyEnv()
    observation, _ = env.reset(seed=3)
    wanted = observation[4]
    assert observation[:4].tolist() == [1, 1, 1, 1]
    assert wanted * 8 in (1, 2, 4, 8)
    observation, reward, _, _, _ = env.step(2)
    assert reward == wanted
    assert observation[:4].tolist() == [1, 1, 1 - wanted, 1]


@pytest.mark.parametrize(
    ("decide", "expected"), [(best_fit, 3.709), (emptiest, 2.54)], ids=["best-fit", "emptiest"]
)
def test_earns_what_is_known_of_two_rules(decide: Callable, expected: float) -> None:
    assert mean_return(decide, 4000) == pytest.approx(expected, abs=0.04)


def rewards(**weights: float) -> list[float]:
    env = ToyEnv(**weights)
    observation, info = env.reset(seed=3)
    earned, over = [], False
    while not over:
        action = best_fit(observation, info["action_mask"])
        observation, reward, over, _, info = env.step(action)
        earned.append(reward)
    return earned


def test_waiting_costs_what_the_job_wants_that_fits_nowhere() -> None:
    plain, with_wait = rewards(), rewards(wait=2)
    assert with_wait[:-1] == plain[:-1]
    assert (plain[-1] - with_wait[-1]) / 2 * 8 in (2, 4, 8)


def test_fragmentation_is_worth_what_remains_of_no_use() -> None:
    """Of an idle toy all is of use to any job; with 8 - n free, the larger jobs of four are not."""
    env = ToyEnv(allocation=0, fragmentation=1)
    observation, _ = env.reset(seed=3)
    left = 8 - int(observation[4] * 8)
    too_large = sum(job > left for job in (1, 2, 4, 8))
    _, reward, _, _, _ = env.step(0)
    assert reward == -left * too_large / 4 / 8
