"""Placing jobs on the nodes of a GPU cluster, as Gymnasium environments."""

import math
import os
from typing import Any, SupportsInt

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from berth import _sim

Observation = NDArray[np.float32]
Info = dict[str, Any]


class PlacementEnv(gymnasium.Env[Observation, np.int64]):
    """One job waits at a time; the action is the node that takes it. Nothing ever leaves.

    Observation: numbers from 0 to 1, those of each node in turn, then those of the waiting job.
    What they are is said by each environment.

    Reward, with GPUs counted in nodes (8 GPUs of nodes that have up to 8 are 1):

        + allocation     x GPUs that the job has taken
        - wait           x GPUs asked for by jobs that were left without a place, and wait forever
        - fragmentation  x growth of the idle GPUs that the next job, drawn from all, cannot use

    The three weights are arguments; by default the sum of rewards is what was allocated.

    Which nodes can take the job travels with each observation, as `info["action_mask"]` (int8, as
    `action_space.sample(mask)` wants it), and is what `action_masks()` returns. An action that the
    mask forbids ends the episode: nothing is placed, the job counts as left without a place, and
    `info["invalid_action"]` is true. An action that is no node at all is a ValueError.

    `reset(seed=n)` plays the episode of seed n, always the same one; `reset()` draws the next.
    Episodes end by termination, never by truncation.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        simulator: _sim.Toy | _sim.Openb,
        *,
        allocation: float = 1.0,
        wait: float = 0.0,
        fragmentation: float = 0.0,
    ) -> None:
        for name, weight in (
            ("allocation", allocation),
            ("wait", wait),
            ("fragmentation", fragmentation),
        ):
            if not (math.isfinite(weight) and weight >= 0):
                raise ValueError(f"{name} is {weight}; it should be a weight of 0 or more")
        self._simulator = simulator
        self._weights = (allocation, -wait, -fragmentation)
        self._nodes: int = simulator.nodes
        self._numbers: int = simulator.numbers
        self._mask = np.zeros(self._nodes, np.int8)
        self._over = True
        self.observation_space = Box(0.0, 1.0, (self._numbers,), np.float32)
        self.action_space = Discrete(self._nodes)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin an episode. There are no `options`."""
        super().reset(seed=seed)
        episode = int(self.np_random.integers(2**63)) if seed is None else seed
        observation, mask = self._buffers()
        self._over = self._simulator.restart(episode, observation, mask)
        if self._over:
            raise ValueError("no node can take any of the jobs; some should fit the idle nodes")
        return observation, {"action_mask": mask, "invalid_action": False}

    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, Info]:
        """Send the waiting job to a node, and go on to the next decision."""
        node = int(action)
        if not 0 <= node < self._nodes:
            raise ValueError(f"the action is {node}; it should be a node, 0 to {self._nodes - 1}")
        if self._over:
            raise ResetNeeded("no job waits for a decision; call reset() first")
        invalid = not self._mask[node]
        observation, mask = self._buffers()
        placed, left_out, growth, self._over = self._simulator.place(node, observation, mask)
        allocation, wait, fragmentation = self._weights
        reward = allocation * placed + wait * left_out + fragmentation * growth
        info = {"action_mask": mask, "invalid_action": invalid}
        return observation, reward, self._over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which nodes can take the waiting job, as sb3-contrib's MaskablePPO asks for it."""
        return self._mask.view(np.bool_)

    def _buffers(self) -> tuple[Observation, NDArray[np.int8]]:
        """New ones each time, since whoever gets them may keep them."""
        self._mask = np.empty(self._nodes, np.int8)
        return np.empty(self._numbers, np.float32), self._mask


class ToyEnv(PlacementEnv):
    """`berth/Toy-v0`: four nodes of 8 GPUs, and a job a step that wants 1, 2, 4 or 8 of one node.

    Observation: the free GPUs of each node, then the GPUs that the job wants, in parts of a node.

    It is over when a job fits nowhere. The best way to play it earns 3.7097 on average, best fit
    3.709, and always choosing the emptiest node 2.54.
    """

    def __init__(self, **weights: float) -> None:
        super().__init__(_sim.Toy(), **weights)


class OpenbEnv(PlacementEnv):
    """`berth/Openb-v0`: the packing benchmark of `berth evaluate`, on a node list and a pod list.

    `nodes` and `pods` are CSV files as docs/simulation.md describes them. The seed draws the order
    in which pods arrive, as `berth evaluate --seeds` does, until they have asked for 130 % of the
    GPUs. Pods that fit nowhere when they arrive are gone, and are nobody's decision.

    Observation: of each node, in the order of the list, its free CPU (in parts of the node that has
    the most) and what is free of each of its GPUs, the freest first, zeros where it has fewer than
    others; then of the job its CPU (in the same parts), the number of GPUs that it wants (in parts
    of the node that has the most), and the share of each. Memory and GPU models show in the mask
    alone. Which GPU of the node gets a share is decided by best fit.
    """

    def __init__(
        self, nodes: str | os.PathLike[str], pods: str | os.PathLike[str], **weights: float
    ) -> None:
        self._openb = _sim.Openb.read(os.fspath(nodes), os.fspath(pods))
        super().__init__(self._openb, **weights)

    def curve(self) -> NDArray[np.float64]:
        """Allocated GPUs in percent, by percent of them that arrived pods asked for: 0 to 130.

        `curve()[100]` is the benchmark's number. NaN where no arrival came to that percent, as
        beyond the last arrival so far.
        """
        return np.array(self._openb.curve())

    def curve_of(self, policy: str, seed: int) -> NDArray[np.float64]:
        """The curve that a policy of `berth evaluate`, such as "fgd", has in the same episode."""
        return np.array(self._openb.curve_of(policy, seed))

    def node_ranks(self) -> NDArray[np.uint32]:
        """Of two nodes that are equally good to a policy, `curve_of` takes that of lower rank."""
        return np.array(self._openb.node_rank, np.uint32)
