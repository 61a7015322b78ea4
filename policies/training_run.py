"""Training by a recipe that is made up, where an interrupted training goes on."""

import json
import subprocess
import sys
from pathlib import Path


def train(berth: Path, lists: Path, recipe: dict, out: Path) -> None:
    """Leaves policy.pt and manifest.json in `out`, or them as they are when they are of the recipe."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / "recipe.json"
    text = json.dumps(recipe, indent=2) + "\n"
    if file.exists() and file.read_text() != text:
        sys.exit(f"{out} is of another recipe: remove it")
    file.write_text(text)
    if (out / "policy.pt").exists():
        return
    command = [berth, "train", file, "--data", lists, "--out", out]
    if (out / "checkpoint").exists():
        command.append("--resume")
    subprocess.run(command, check=True)
