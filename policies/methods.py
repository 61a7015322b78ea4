#!/usr/bin/env python3
"""What each way of training is worth on openb's default mix, from three seeds each: PPO, the
evolution strategy, and PPO followed by evolution.

    policies/methods.py --traces DIR

Trains into build/study/METHOD-SEED, where an interrupted training goes on, and plays all of them on
ten orders that none was trained, chosen or tested on.
"""

import argparse
import json
import subprocess
from pathlib import Path

from training_run import train

ROOT = Path(__file__).resolve().parents[1]
RECIPE = ROOT / "policies" / "linear" / "recipe.json"  # default mix, weights for any mix
OUT = ROOT / "build" / "study"
ORDERS = "5001-5010"
SEEDS = (1, 2, 3)

PPO = {
    "regime": "packing",
    "ppo": ["common"],
    "updates": 45,
    "rate": 0.00015,
    "temperature": 0.004,
    "pods_at_once": 1,
    "orders_at_once": 6,
    "validate_every": 5,
}
EVOLUTION = json.loads(RECIPE.read_text())["stages"][0]
METHODS = {"ppo": [PPO], "evolution": [EVOLUTION], "ppo-evolution": [PPO, EVOLUTION]}


def trained(berth: Path, lists: Path, method: str, seed: int) -> Path:
    name = f"{method}-{seed}"
    recipe = json.loads(RECIPE.read_text())
    recipe |= {"name": name, "seed": seed, "stages": METHODS[method]}
    train(berth, lists, recipe, OUT / name)
    return OUT / name


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--traces", type=Path, required=True, help="where openb/ lies")
    parser.add_argument("--berth", type=Path, default=ROOT / "build" / "release" / "bin" / "berth")
    options = parser.parse_args()
    lists = options.traces / "openb"
    made = [trained(options.berth, lists, method, seed) for method in METHODS for seed in SEEDS]
    nodes, pods = lists / "openb_node_list_gpu_node.csv", lists / "openb_pod_list_default.csv"
    command = [options.berth, "evaluate", "--nodes", nodes, "--pods", pods, "--seeds", ORDERS]
    policies = ",".join(["fgd", "fgd-bestfit", *map(str, made)])
    subprocess.run([*command, "--policies", policies], check=True)


if __name__ == "__main__":
    main()
