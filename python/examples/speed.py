#!/usr/bin/env python3
"""Measures SB3's PPO on berth/Toy-v0: steps per second, collection and update included, one thread.

On a machine that is busy with other things, look at steps per second of processor time.

    pip install ./python stable-baselines3
    python python/examples/speed.py

Two tanh nets of 64 and 64 units, updates of 256 steps of each environment, ten times through them
in minibatches of 64, Adam at 3e-4, gamma 0.99, lambda 0.95, clip 0.2: MlpPolicy and SB3's defaults
but for the 256.
"""

import argparse
import time

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from berth import ToyEnv

STEPS_OF_EACH = 256


def measure(environments: int, steps: int) -> tuple[float, float]:
    """Steps per second, of time and of processor time, after one update that nobody times."""
    env = make_vec_env(ToyEnv, n_envs=environments, seed=1)
    model = PPO("MlpPolicy", env, n_steps=STEPS_OF_EACH, seed=1, device="cpu")
    model.learn(STEPS_OF_EACH * environments)
    before, begin, cpu = model.num_timesteps, time.perf_counter(), time.process_time()
    model.learn(steps, reset_num_timesteps=False)
    done = model.num_timesteps - before
    return done / (time.perf_counter() - begin), done / (time.process_time() - cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environments", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--steps", type=int, default=20_480, help="to time, for each")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for environments in arguments.environments:
        speed, of_cpu = measure(environments, arguments.steps)
        print(f"{environments} environments: {speed:,.0f} steps/s, {of_cpu:,.0f} of processor time")


if __name__ == "__main__":
    main()
