#!/usr/bin/env python3
"""Longer studies of the policy `berth`: other seeds, parts left out, mixes that it never saw.

    policies/study.py --traces DIR                        all of them (hours)
    policies/study.py --traces DIR seed-2 without-gpuspec  some

Each study is the recipe of policies/berth with something changed. It is trained into
build/study/NAME, where an interrupted one goes on, and measured on the test orders of the benchmark.
At the end, a table of what all finished ones gain over FGD at 100 % arrived, in points.
"""

import argparse
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from training_run import train

ROOT = Path(__file__).resolve().parents[1]
RECIPE = ROOT / "policies" / "berth" / "recipe.json"
OUT = ROOT / "build" / "study"

Recipe = dict


def with_seed(seed: int) -> Callable[[Recipe], None]:
    def change(recipe: Recipe) -> None:
        recipe["seed"] = seed

    return change


def without(family: str) -> Callable[[Recipe], None]:
    """Neither trained nor validated on the lists of a family; it is measured on them all the same."""

    def is_kept(pods: str) -> bool:
        return not pods.startswith(f"openb_pod_list_{family}")

    def change(recipe: Recipe) -> None:
        packing = recipe["packing"]
        packing["pods"] = list(filter(is_kept, packing["pods"]))
        stages = []
        for stage in recipe["stages"]:
            if "pods" in stage:
                stage["pods"] = list(filter(is_kept, stage["pods"]))
                if not stage["pods"]:
                    continue
            stages.append(stage)
        recipe["stages"] = stages

    return change


def one_vector(recipe: Recipe) -> None:
    """Weights that do not depend on the mix."""
    recipe["stages"] = [s for s in recipe["stages"] if s.get("evolve") == ["common"]]


STUDIES: dict[str, Callable[[Recipe], None]] = {
    "seed-2": with_seed(2),
    "seed-3": with_seed(3),
    "without-gpuspec": without("gpuspec"),
    "without-gpushare": without("gpushare"),
    "one-vector": one_vector,
}


def packing_only(recipe: Recipe) -> None:
    """Every study is about packing."""
    recipe.pop("living", None)
    recipe["stages"] = [s for s in recipe["stages"] if s["regime"] == "packing"]


def study(berth: Path, traces: Path, name: str) -> None:
    recipe = json.loads(RECIPE.read_text())
    packing_only(recipe)
    STUDIES[name](recipe)
    out = OUT / name
    train(berth, traces / "openb", recipe, out)
    if (out / "results.json").exists():
        return
    measure = [berth, "policy", "measure", out, "--orders", traces / "openb" / "orders"]
    subprocess.run(measure, check=True)


def gains_at_100(directory: Path) -> dict[str, float]:
    manifest = json.loads((directory / "manifest.json").read_text())
    gains = manifest["results"]["gains"]
    return {trace: by_load["100"][0] for trace, by_load in gains.items()}


def table() -> str:
    columns = {"berth": gains_at_100(ROOT / "policies" / "berth")}
    for name in STUDIES:
        if (OUT / name / "results.json").exists():
            columns[name] = gains_at_100(OUT / name)
    lines = ["trace       " + "".join(f"{name:>18}" for name in columns)]
    for trace in columns["berth"]:
        lines.append(f"{trace:12}" + "".join(f"{c[trace]:+18.2f}" for c in columns.values()))
    mean = [sum(c.values()) / len(c) for c in columns.values()]
    lines.append(f"{'mean':12}" + "".join(f"{m:+18.2f}" for m in mean))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--traces", type=Path, required=True, help="where openb/ lies")
    parser.add_argument("--berth", type=Path, default=ROOT / "build" / "release" / "bin" / "berth")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(STUDIES)}")
    options = parser.parse_args()
    for name in options.names:
        if name not in STUDIES:
            parser.error(f"no study is called {name!r}; there are {', '.join(STUDIES)}")
    for name in options.names or STUDIES:
        study(options.berth, options.traces, name)
    print(table())


if __name__ == "__main__":
    main()
