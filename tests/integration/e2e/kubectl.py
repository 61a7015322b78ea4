"""kubectl, built from the same modules as the control plane."""

from pathlib import Path

from processes import ProcessFailed, run_to_end


class Kubectl:
    def __init__(self, program: Path, kubeconfig: Path, state: Path):
        self.kubeconfig = kubeconfig
        self._command = (program, f"--kubeconfig={kubeconfig}", f"--cache-dir={state / 'kubectl'}")

    def run(self, *arguments: str) -> str:
        """Returns what it prints. Its complaints, if any, stand on our own stderr."""
        code, output = run_to_end(*self._command, *arguments)
        if code:
            raise ProcessFailed(f"kubectl {' '.join(arguments)} exited with {code}")
        return output
