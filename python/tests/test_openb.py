"""The packing benchmark: 1,213 nodes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import make_openb

from berth import OpenbEnv

NODES, GPUS = 1213, 8
MOST_CPU = 128_000  # thousandths of a core, of the largest node

Rule = Callable[[np.ndarray, np.ndarray], np.ndarray]


def split(observation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the nodes (CPU, then each GPU) and the job (CPU, GPUs, share of each)."""
    return observation[:-3].reshape(NODES, 1 + GPUS), observation[-3:]


def first_fit(nodes: np.ndarray, job: np.ndarray) -> np.ndarray:
    return np.zeros(NODES)


def best_fit(nodes: np.ndarray, job: np.ndarray) -> np.ndarray:
    """Fullness in points, in the same precision as in the simulator."""
    free_cpu = np.rint(nodes[:, 0].astype(float) * MOST_CPU)
    free_gpu = np.rint(nodes[:, 1:].astype(float) * 1000).sum(axis=1)
    cpu, gpus, share = job.astype(float)
    cpu_left = free_cpu - np.rint(cpu * MOST_CPU)
    gpu_left = free_gpu - np.rint(gpus * GPUS) * np.rint(share * 1000)
    fullness = 100 * (1 - (cpu_left / 128_000 * 0.5 + gpu_left / 8_000 * 0.5))
    return np.rint(fullness.astype(np.float32) * 1024)


def pack(env: OpenbEnv, rule: Rule, seed: int) -> float:
    """Plays an episode by the rule, ties as in the simulator. Returns the sum of rewards."""
    observation, info = env.reset(seed=seed)
    ranks = env.node_ranks()
    earned, over = 0.0, False
    while not over:
        scores = rule(*split(observation))
        can = np.flatnonzero(info["action_mask"])
        best = can[scores[can] == scores[can].max()]
        observation, reward, over, _, info = env.step(best[ranks[best].argmin()])
        earned += reward
    return earned


@pytest.mark.parametrize(
    ("rule", "policy"), [(first_fit, "first-fit"), (best_fit, "bestfit-precise")]
)
def test_a_rule_gives_the_run_of_the_simulator(openb: OpenbEnv, rule: Rule, policy: str) -> None:
    for seed in (9001, 9002):
        earned = pack(openb, rule, seed)
        np.testing.assert_array_equal(openb.curve(), openb.curve_of(policy, seed))
        allocated = earned * GPUS / 6212 * 100
        assert allocated == pytest.approx(openb.curve()[130], abs=0.02)


def test_shows_the_nodes_and_the_job(openb: OpenbEnv) -> None:
    observation, info = openb.reset(seed=9001)
    nodes, job = split(observation)
    first = nodes[0]  # of the list: 64 cores and two GPUs
    assert first.tolist() == [0.5, 1, 1, 0, 0, 0, 0, 0, 0]
    chosen = int(info["action_mask"].argmax())
    observation, reward, _, _, _ = openb.step(chosen)
    after, _ = split(observation)
    assert after[chosen, 0] == pytest.approx(nodes[chosen, 0] - job[0])
    taken = (nodes[chosen, 1:] - after[chosen, 1:]).sum()
    assert taken == pytest.approx(job[1] * GPUS * job[2])
    assert reward == pytest.approx(taken / GPUS)
    assert np.delete(after, chosen, 0).tolist() == np.delete(nodes, chosen, 0).tolist()


def test_weights_add_up() -> None:
    def earn(**weights: float) -> float:
        env = make_openb(**{"allocation": 0, "wait": 0, "fragmentation": 0, **weights})
        return pack(env, first_fit, 9001)

    allocation, wait = earn(allocation=1), earn(wait=1)
    fragmentation = earn(fragmentation=1)
    arrived = (allocation - wait) * GPUS / 6212
    assert arrived == pytest.approx(1.3, abs=0.001), "what is not placed is left out"
    assert earn(allocation=2, wait=0.5, fragmentation=3) == pytest.approx(
        2 * allocation + 0.5 * wait + 3 * fragmentation
    )


NODE_LIST = "sn,cpu_milli,memory_mib,gpu,model\nnode,64000,262144,2,P100\n"
POD_LIST = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\npod,4000,1024,1,1000\n"


@pytest.mark.parametrize(
    ("nodes", "pods", "complaint"),
    [
        (NODE_LIST.replace("64000", "many"), POD_LIST, r"nodes\.csv:2:6: .*many"),
        (NODE_LIST, POD_LIST.replace("1000", "1200"), r"pods\.csv:2:.*1200"),
        (NODE_LIST.replace(",2,P100", ",0,"), POD_LIST, "none of the nodes has GPUs"),
        (NODE_LIST, POD_LIST.replace(",1,1000", ",0,0"), "no pod asks for a GPU"),
        (NODE_LIST, None, r"pods\.csv"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(
    tmp_path: Path, nodes: str, pods: str | None, complaint: str
) -> None:
    (tmp_path / "nodes.csv").write_text(nodes)
    if pods is not None:
        (tmp_path / "pods.csv").write_text(pods)
    with pytest.raises(ValueError, match=complaint):
        OpenbEnv(nodes=tmp_path / "nodes.csv", pods=tmp_path / "pods.csv")


def test_pods_that_no_node_can_take_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text(NODE_LIST)
    (tmp_path / "pods.csv").write_text(POD_LIST.replace(",1,1000", ",4,1000"))
    env = OpenbEnv(nodes=tmp_path / "nodes.csv", pods=tmp_path / "pods.csv")
    with pytest.raises(ValueError, match="no node can take any of the jobs"):
        env.reset(seed=1)


def test_an_unknown_policy_is_an_error_that_lists_them(openb: OpenbEnv) -> None:
    with pytest.raises(ValueError, match='no policy is called "tetris"; there are random, .*fgd'):
        openb.curve_of("tetris", seed=9001)
