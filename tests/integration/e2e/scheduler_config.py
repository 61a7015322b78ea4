"""deploy/kube-scheduler-config.yaml, the file that admins use, made to fit this machine.

Only addresses, credentials and rates differ, each on a line that must be there exactly once.
"""

import re

# What Berth relies on; without one of these the file would describe another integration.
REQUIRED = (
    "percentageOfNodesToScore: 100",
    "leaderElect: true",
    "resourceName: berth-scheduler",
    "resourceNamespace: berth",
    "schedulerName: berth",
    "name: NodeResourcesFit",
    "name: NodeResourcesBalancedAllocation",
    "name: ImageLocality",
    "filterVerb: filter",
    "prioritizeVerb: prioritize",
    "nodeCacheCapable: true",
    "ignorable: true",
    "httpTimeout: 500ms",
)
SMALLEST_WEIGHT = 30
HTTP_TIMEOUT = 0.5  # the httpTimeout above, in seconds


class ConfigError(RuntimeError):
    """The file lacks what the test or Berth depends on."""


def adapt(deployed: str, *, kubeconfig: str, extender: str) -> str:
    _check(deployed)
    substitutes = {
        "urlPrefix": extender,
        "kubeconfig": kubeconfig,
        "qps": "10000",
        "burst": "10000",
    }
    for key, value in substitutes.items():
        deployed = _substitute(deployed, key, value)
    return deployed


def _check(deployed: str) -> None:
    bare = re.sub(r"(^|\s)#.*", "", deployed)
    for line in REQUIRED:
        if len(re.findall(rf"^[ -]*{line}\s*$", bare, re.MULTILINE)) != 1:
            raise ConfigError(f"expected exactly one line '{line}'")
    weight = re.search(r"^ +weight: (\d+)\s*$", bare, re.MULTILINE)
    if not weight or int(weight[1]) < SMALLEST_WEIGHT:
        raise ConfigError(f"expected an extender weight of {SMALLEST_WEIGHT} or more")


def _substitute(text: str, key: str, value: str) -> str:
    changed, count = re.subn(rf"^([ -]*{key}: ).*$", rf"\g<1>{value}", text, flags=re.MULTILINE)
    if count != 1:
        raise ConfigError(f"expected exactly one line '{key}: ...', found {count}")
    return changed
