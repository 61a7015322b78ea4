"""berth-replay: where the same pods go when each is placed with all before it in the books."""

import json
import subprocess
import tempfile
from pathlib import Path

PROFILE = Path(__file__).resolve().parents[3] / "policies" / "profiles" / "openb-default.json"


def replay(programs: Path, policy: Path, nodes: list[dict], pods: list[dict]) -> dict:
    """What the program in the folder `programs` prints about the pods in this order."""
    with tempfile.TemporaryDirectory() as folder:
        lists = [
            _write_list(Path(folder) / f"{kind}.json", kind, items)
            for kind, items in (("NodeList", nodes), ("PodList", pods))
        ]
        command = [programs / "berth-replay", *lists, PROFILE, f"--policy={policy}"]
        return json.loads(subprocess.check_output(command))


def _write_list(path: Path, kind: str, items: list[dict]) -> Path:
    version = {"resourceVersion": "1"}
    path.write_text(json.dumps({"kind": kind, "metadata": version, "items": items}))
    return path
