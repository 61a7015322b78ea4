"""`berth policy`, as somebody types it who rolls a policy out."""

import contextlib
import json
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import waiting
from berth import Service
from decision_log import DecisionLog


class Rollout:
    """Of a service that follows the folder `policies` in `place`."""

    def __init__(self, service: Service, place: Path):
        self._service = service
        self._token = place / "token"
        self._audit = place / "audit.jsonl"
        self.policies = place / "policies"
        self.log = DecisionLog(place / "decisions.db")

    def policy(self, *arguments: str | Path) -> str:
        """What `berth policy` prints."""
        command = [self._service.program, "policy", *arguments]
        finished = subprocess.run(command, capture_output=True, text=True)
        assert finished.returncode == 0, f"{command}: {finished.stderr}"
        return finished.stdout

    def ask(self, *arguments: str) -> str:
        """The same of the service."""
        return self.policy(*arguments, "--service", self._service.address())

    def check(self, name: str) -> str:
        return self.ask("load", name, "--token-file", str(self._token))

    def change(self, *arguments: str) -> None:
        """For a reason that is named after the change."""
        access = ("--token-file", str(self._token))
        self.ask(*arguments, "--why", f"to {arguments[0]}", *access)

    def roles(self) -> dict[str, str]:
        """Name and version of the policies that serve."""
        return {role: f"{row['policy']} {row['version']}" for role, row in self._rows().items()}

    def await_roles(self, **roles: str) -> None:
        """Returns once these and no others serve."""
        waiting.until(lambda: self.roles() == roles, f"the roles {roles}", 60, poll=0.1)

    def await_report(self, role: str, decisions: int) -> dict:
        """Returns what `list` says about the policy in this role, once it has decided so often."""

        def report() -> dict:
            row = self._rows()[role]
            return row if row["decisions"] >= decisions else {}

        return waiting.until(report, f"{decisions} decisions of the {role}", 120, poll=0.1)

    def reasons(self) -> list[str]:
        """Of the changes that are in the audit."""
        return [json.loads(line)["why"] for line in self._audit.read_text().splitlines()]

    def pack(self, name: str, source: Path) -> Path:
        """Makes a policy of the module of another one, next to those that are there."""
        manifest = json.loads((source / "manifest.json").read_text())
        about = self.policies.parent / "about.json"
        columns = {key: manifest[key] for key in ("columns", "context_columns")}
        about.write_text(json.dumps({"name": name, "version": "1", **columns}))
        made = self.policies / name
        self.policy("pack", source / "policy.pt", "--about", about, "--out", made)
        return made

    def _rows(self) -> dict[str, dict]:
        """Of `berth policy list`, by role."""
        return {row["role"]: row for row in json.loads(self.ask("list", "--json"))["roles"]}


@contextlib.contextmanager
def followed(service: Service, active: Path, place: Path) -> Iterator[Rollout]:
    """The service, restarted, follows a new folder in which this policy is the active one.

    It takes its time, however busy the machine, so that no guard fires.
    """
    shutil.rmtree(place, ignore_errors=True)
    rollout = Rollout(service, place)
    shutil.copytree(active, rollout.policies / active.name)
    (rollout.policies / "rollout.yaml").write_text(f"active: {active.name}\n")
    (place / "token").write_text(secrets.token_hex(16))
    options = {
        "policies": rollout.policies,
        "admin_token_file": place / "token",
        "audit_log": place / "audit.jsonl",
        "decision_log": place / "decisions.db",
        "budget": "10s",
    }
    service.process.stop()
    try:
        with service.process.with_options("policy", **options):
            service.process.start()
            service.await_alive()
            yield rollout
            service.process.stop()
    finally:
        service.process.stop()
        service.process.start()
