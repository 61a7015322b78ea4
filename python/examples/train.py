#!/usr/bin/env python3
"""Trains on berth/Toy-v0 with SB3's PPO and sb3-contrib's MaskablePPO, and tells how well they play.

pip install ./python stable-baselines3 sb3-contrib
python python/examples/train.py
"""

import argparse
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from berth import ToyEnv

Decider = Callable[[NDArray[np.float32], NDArray[np.bool_]], int]


def best_fit(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> int:
    """The fullest node that can take the job."""
    return int(np.where(mask, observation[:4], np.inf).argmin())


def mean_return(decide: Decider, episodes: int) -> tuple[float, float]:
    """The mean over episodes that are the same for everybody, and its standard error."""
    env = ToyEnv()
    returns = []
    for seed in range(1_000_000, 1_000_000 + episodes):  # training never sees these
        observation, _ = env.reset(seed=seed)
        earned, over = 0.0, False
        while not over:
            action = decide(observation, env.action_masks())
            observation, reward, over, _, _ = env.step(action)
            earned += reward
        returns.append(earned)
    return float(np.mean(returns)), float(np.std(returns) / np.sqrt(episodes))


def train_ppo(steps: int, seed: int) -> Decider:
    """Has to learn by itself where a job fits: where it does not, the episode is over."""
    env = make_vec_env(ToyEnv, n_envs=8, seed=seed)
    model = PPO("MlpPolicy", env, n_steps=256, seed=seed, device="cpu").learn(steps)
    return lambda observation, _: int(model.predict(observation, deterministic=True)[0])


def train_maskable_ppo(steps: int, seed: int) -> Decider:
    """Chooses among the nodes that can take the job."""
    env = make_vec_env(ToyEnv, n_envs=8, seed=seed)
    model = MaskablePPO("MlpPolicy", env, n_steps=256, seed=seed, device="cpu").learn(steps)
    return lambda observation, mask: int(
        model.predict(observation, deterministic=True, action_masks=mask)[0]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100_000, help="of training, for each")
    parser.add_argument("--seed", type=int, default=1, help="of training")
    parser.add_argument("--episodes", type=int, default=2000, help="to judge by")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # nets this small lose by more

    def tell(name: str, decide: Decider) -> None:
        mean, error = mean_return(decide, arguments.episodes)
        print(f"{name:12} fills {mean:.3f} +- {error:.3f} of 4 nodes", flush=True)

    tell("best fit", best_fit)
    tell("PPO", train_ppo(arguments.steps, arguments.seed))
    tell("MaskablePPO", train_maskable_ppo(arguments.steps, arguments.seed))


if __name__ == "__main__":
    main()
