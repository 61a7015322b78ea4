"""What holds for every environment."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from berth import PlacementEnv, ToyEnv


def first_that_can(mask: np.ndarray) -> int:
    return int(mask.argmax())


def play(env: PlacementEnv, seed: int, steps: int = 200) -> list[tuple]:
    """What comes back, step by step, when the first node that can take a job does."""
    observation, info = env.reset(seed=seed)
    seen = [(observation, info["action_mask"])]
    for _ in range(steps):
        observation, reward, over, truncated, info = env.step(first_that_can(info["action_mask"]))
        seen.append((observation, info["action_mask"], reward, over, truncated))
        if over:
            break
    return seen


def same(some: list[tuple], other: list[tuple]) -> bool:
    return len(some) == len(other) and all(
        np.array_equal(a, b) for s, o in zip(some, other) for a, b in zip(s, o)
    )


def test_passes_gymnasiums_checker(env: PlacementEnv) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


def test_the_same_seed_gives_the_same_episode(env: PlacementEnv) -> None:
    assert same(play(env, 5), play(env, 5))
    assert not same(play(env, 5), play(env, 6))


def test_episodes_without_a_seed_follow_from_the_last_seed(env: PlacementEnv) -> None:
    def two_after(seed: int) -> list[np.ndarray]:
        env.reset(seed=seed)
        return [env.reset()[0] for _ in range(8)]

    first, again = two_after(5), two_after(5)
    assert np.array_equal(first, again)
    assert any(not np.array_equal(first[0], other) for other in first[1:])


def test_the_mask_travels_with_the_observation(env: PlacementEnv) -> None:
    _, info = env.reset(seed=5)
    over = False
    for _ in range(200):
        mask = info["action_mask"]
        assert mask.any() or over
        assert env.action_masks().dtype == bool
        assert np.array_equal(mask, env.action_masks())
        if over:
            break
        _, _, over, _, info = env.step(env.action_space.sample(mask))
        assert not info["invalid_action"]


def test_an_action_that_the_mask_forbids_ends_the_episode(env: PlacementEnv) -> None:
    _, info = env.reset(seed=5)
    while info["action_mask"].all():
        _, _, _, _, info = env.step(0)
    forbidden = int(info["action_mask"].argmin())
    _, reward, over, truncated, info = env.step(forbidden)
    assert (reward, over, truncated, info["invalid_action"]) == (0, True, False, True)


@pytest.mark.parametrize("action", [-1, 1213, 10**12])
def test_an_action_that_is_no_node_is_an_error(env: PlacementEnv, action: int) -> None:
    env.reset(seed=5)
    with pytest.raises(ValueError, match=f"the action is {action}; it should be a node, 0 to "):
        env.step(action)


def test_a_step_after_the_end_is_an_error(env: PlacementEnv) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) first"):
        env.step(0)
    _, info = env.reset(seed=5)
    while info["action_mask"].all():
        _, _, _, _, info = env.step(0)
    env.step(int(info["action_mask"].argmin()))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("name", ["allocation", "wait", "fragmentation"])
@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_an_error(name: str, weight: float) -> None:
    with pytest.raises(ValueError, match=f"{name} is {weight}; it should be a weight of 0 or more"):
        ToyEnv(**{name: weight})


def test_workers_of_a_vector_environment_are_like_single_ones() -> None:
    envs = gymnasium.make_vec("berth/Toy-v0", num_envs=3)
    observations, infos = envs.reset(seed=[5, 6, 7])
    for row, seed in enumerate([5, 6, 7]):
        assert np.array_equal(observations[row], ToyEnv().reset(seed=seed)[0])
    assert infos["action_mask"].shape == (3, 4)
