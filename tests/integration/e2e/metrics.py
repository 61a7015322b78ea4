"""What a program says about itself at /metrics."""

import re
import ssl
import urllib.request
from pathlib import Path

_SAMPLE = re.compile(r"^([^#\n].*) (\S+)$", re.MULTILINE)


def scrape(url: str, certificate: Path | None = None, token: str = "") -> dict[str, float]:
    """The current values by name, labels included."""
    access = {"Authorization": f"Bearer {token}"} if token else {}
    tls = ssl.create_default_context(cafile=certificate) if certificate else None
    request = urllib.request.Request(url, headers=access)
    with urllib.request.urlopen(request, timeout=10, context=tls) as page:
        return {name: float(value) for name, value in _SAMPLE.findall(page.read().decode())}
