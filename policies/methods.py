#!/usr/bin/env python3
"""What each way of training is worth on openb's default mix, from three seeds each: PPO, the
evolution strategy, and PPO followed by evolution.

    policies/methods.py --traces DIR

Trains into build/study/METHOD-SEED, where an interrupted training goes on, and plays all of them on
ten orders that none was trained, chosen or tested on (twenty minutes on two cores).
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

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


def train(berth: Path, lists: Path, method: str, seed: int) -> Path:
    recipe = json.loads(RECIPE.read_text()) | {
        "name": f"{method}-{seed}",
        "seed": seed,
        "stages": METHODS[method],
    }
    out = OUT / recipe["name"]
    out.mkdir(parents=True, exist_ok=True)
    file = out / "recipe.json"
    text = json.dumps(recipe, indent=2) + "\n"
    if file.exists() and file.read_text() != text:
        sys.exit(f"methods.py: {out} is of another recipe: remove it")
    file.write_text(text)
    if not (out / "policy.pt").exists():
        command = [berth, "train", file, "--data", lists, "--out", out]
        if (out / "checkpoint").exists():
            command.append("--resume")
        subprocess.run(command, check=True)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--traces", type=Path, required=True, help="where openb/ lies")
    parser.add_argument("--berth", type=Path, default=ROOT / "build" / "release" / "bin" / "berth")
    options = parser.parse_args()
    lists = options.traces / "openb"
    made = [train(options.berth, lists, method, seed) for method in METHODS for seed in SEEDS]
    nodes, pods = lists / "openb_node_list_gpu_node.csv", lists / "openb_pod_list_default.csv"
    command = [options.berth, "evaluate", "--nodes", nodes, "--pods", pods, "--seeds", ORDERS]
    policies = ",".join(["fgd", "fgd-bestfit", *map(str, made)])
    subprocess.run([*command, "--policies", policies], check=True)


if __name__ == "__main__":
    main()
