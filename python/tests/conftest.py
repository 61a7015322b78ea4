from pathlib import Path

import gymnasium
import pytest

from berth import OpenbEnv, PlacementEnv

OPENB = Path(__file__).parents[2] / "tests/data/openb"


def make_openb(**weights: float) -> OpenbEnv:
    """The default mix of openb on its 1,213 nodes."""
    return gymnasium.make(
        "berth/Openb-v0",
        nodes=OPENB / "openb_node_list_gpu_node.csv",
        pods=OPENB / "openb_pod_list_default.csv",
        **weights,
    ).unwrapped


@pytest.fixture(params=["toy", "openb"])
def env(request: pytest.FixtureRequest) -> PlacementEnv:
    return gymnasium.make("berth/Toy-v0").unwrapped if request.param == "toy" else make_openb()


@pytest.fixture
def openb() -> OpenbEnv:
    return make_openb()
