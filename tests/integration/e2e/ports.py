"""Free TCP ports on loopback."""

import random
import socket

# Below the range that the kernel hands to outgoing connections (32768 and up by default), so
# that none of them takes the port between our look and the server's bind.
CANDIDATES = range(20000, 32000)


def free_port() -> int:
    for port in random.sample(CANDIDATES, 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError("no free port on 127.0.0.1 after 100 tries")
