#!/usr/bin/env python3
"""A playground: the real control plane with Berth in it, until Ctrl-C.

etcd, kube-apiserver, kube-scheduler and Berth run on 127.0.0.1 as deploy/ has them, with 1,213 GPU
nodes. There is no kubelet: a pod that is placed has a node, but never runs.
"""

import argparse
import shlex
import signal
import sys
from pathlib import Path

import cluster
import session
import way_extender
from processes import ProcessFailed
from way import Programs

LAST_LINE = "Ctrl-C stops everything."
TEXT = """
Kubernetes {version} with {nodes:,} GPU nodes and Berth are up. There is no kubelet: a pod that is
placed has a node, but never runs. In a second terminal:

    export KUBECONFIG={kubeconfig} PATH={path}:$PATH

1. Place a pod that asks for half of a GPU, and see its node:

    kubectl apply -f {half_gpu} && kubectl wait pod/half-gpu --for=condition=PodScheduled && kubectl get pod half-gpu -o wide

2. Ask Berth where else it could go, and why not to the rest:

    kubectl get pod half-gpu -o json | berth explain --service {service} -f -

3. Ask for one and a half GPUs, which is refused, and read what would be right:

    sed 's/half-gpu/too-much/; s/"500"/"1500"/' {half_gpu} | kubectl apply -f - && kubectl wait pod/too-much --for=condition=PodScheduled=false && kubectl describe pod too-much

Metrics: http://{extender}/metrics and http://{serve}/metrics
Logs: {logs}
{last_line}"""


def main() -> int:
    options = parse_options()
    session.stop_on_signals()
    try:
        with session.sole_user(options.out):
            code, control_plane = session.build_control_plane()
            return code or play(options, control_plane)
    except (ProcessFailed, TimeoutError) as failure:
        print(f"FAILED to start the cluster: {failure}")
        return 1
    except KeyboardInterrupt:
        print("\nstopped; nothing is left running")
        return 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--bin",
        type=Path,
        default=session.BERTH,
        help="folder of berth and berth-extender (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=session.ROOT / "build" / "sandbox",
        help="folder for logs and credentials (default: %(default)s)",
    )
    return parser.parse_args()


def play(options: argparse.Namespace, control_plane: Path) -> int:
    print("starting the control plane and Berth", flush=True)
    berth, out = options.bin.resolve(), options.out.resolve()
    programs = Programs(control_plane, berth, session.POLICY)
    with cluster.running(programs, out, way_extender.NAME) as running:
        print(instructions(running, f"{control_plane}:{berth}", out), flush=True)
        while True:
            signal.pause()


def instructions(running: cluster.Cluster, path: str, logs: Path) -> str:
    extender, service, serve = (
        f"127.0.0.1:{running.ports[deployed]}" for deployed in ("8788", "8790", "8791")
    )
    return TEXT.format(
        version=running.version(),
        nodes=len(running.nodes()),
        kubeconfig=shlex.quote(str(running.kubectl.kubeconfig)),
        path=shlex.quote(path),
        half_gpu=shlex.quote(str(session.ROOT / "deploy" / "examples" / "half-gpu.yaml")),
        service=service,
        extender=extender,
        serve=serve,
        logs=logs,
        last_line=LAST_LINE,
    )


if __name__ == "__main__":
    sys.exit(main())
