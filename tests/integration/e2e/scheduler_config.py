"""The files of deploy/ that kube-scheduler is configured with, made to fit this machine.

Only addresses, credentials and rates differ, each on a line that must be there exactly once.
"""

import re
from dataclasses import dataclass

from way import Edits


@dataclass(frozen=True)
class Kind:
    """Of a way in: what Berth relies on, without which the file would describe another."""

    required: tuple[str, ...]
    address: str  # the key of where Berth is asked


_BOTH = (
    "percentageOfNodesToScore: 100",
    "leaderElect: true",
    "resourceName: berth-scheduler",
    "resourceNamespace: berth",
    "schedulerName: berth",
    "name: NodeResourcesFit",
    "name: NodeResourcesBalancedAllocation",
    "name: ImageLocality",
)
EXTENDER = Kind(
    (
        *_BOTH,
        "filterVerb: filter",
        "prioritizeVerb: prioritize",
        "nodeCacheCapable: true",
        "ignorable: true",
        "httpTimeout: 500ms",
    ),
    "urlPrefix",
)
PLUGIN = Kind((*_BOTH, "multiPoint:", "pluginConfig:", "args:"), "address")
SMALLEST_WEIGHT = 30
HTTP_TIMEOUT = 0.5  # the httpTimeout above, in seconds
NO_LEASE = ("leaderElect: true", "leaderElect: false")  # an edit: it need not wait for one


class ConfigError(RuntimeError):
    """The file lacks what the test or Berth depends on."""


def adapt(deployed: str, kind: Kind, *, kubeconfig: str, address: str) -> str:
    _check(deployed, kind)
    substitutes = {
        kind.address: address,
        "kubeconfig": kubeconfig,
        "qps": "10000",
        "burst": "10000",
    }
    for key, value in substitutes.items():
        deployed = _substitute(deployed, key, value)
    return deployed


def _check(deployed: str, kind: Kind) -> None:
    bare = re.sub(r"(^|\s)#.*", "", deployed)
    for line in kind.required:
        if len(re.findall(rf"^[ -]*{line}\s*$", bare, re.MULTILINE)) != 1:
            raise ConfigError(f"expected exactly one line '{line}'")
    weight = re.search(r"^ +weight: (\d+)\s*$", bare, re.MULTILINE)
    if not weight or int(weight[1]) < SMALLEST_WEIGHT:
        raise ConfigError(f"expected a weight of {SMALLEST_WEIGHT} or more for Berth")


def _substitute(text: str, key: str, value: str) -> str:
    changed, count = re.subn(rf"^([ -]*{key}: ).*$", rf"\g<1>{value}", text, flags=re.MULTILINE)
    if count != 1:
        raise ConfigError(f"expected exactly one line '{key}: ...', found {count}")
    return changed


def edited(config: str, edits: Edits) -> str:
    for old, new in edits:
        config, count = re.subn(old, new, config, flags=re.MULTILINE)
        assert count == 1, f"{old}: {count} times"
    return config
