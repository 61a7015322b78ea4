"""Berth's simulator of GPU clusters as Gymnasium environments.

Importing this registers `berth/Toy-v0` and `berth/Openb-v0`.
"""

import gymnasium

from berth.environments import OpenbEnv, PlacementEnv, ToyEnv

__all__ = ["OpenbEnv", "PlacementEnv", "ToyEnv"]

gymnasium.register(id="berth/Toy-v0", entry_point="berth:ToyEnv")
gymnasium.register(id="berth/Openb-v0", entry_point="berth:OpenbEnv")
