"""An audit of a chat model behind a server: whether its studies keep the server full together.

The server is a process of its own, which takes the same time for every answer however many are under way. So
the most that it can answer in a second is the number of requests at a time divided by that time. The rate is
that of the whole command `tiltmeter audit`, between the server's first and last answer; what comes before
(imports, data) and after (the page) is in the seconds alone.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2

from benchmarks._answer_server import MODEL, answer_server
from benchmarks._frame import Row, Settings

WAITS = (0.2, 2.0)
"""Seconds that the server takes for an answer."""
AT_ONCE = 32


def rows(settings: Settings) -> Iterator[Row]:
    """The whole audit at a quick server, then at one as slow as a large model."""
    waits = (0.005,) if settings.tiny else WAITS[:1] if settings.quick else WAITS
    for wait in waits:
        yield _audit(wait, "quick" if settings.tiny else "chat")


def _audit(wait: float, profile: str) -> Row:
    with answer_server(wait) as address, tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "tiltmeter", "audit", f"chat:{address}#{MODEL}",
            "--profile", profile, "--at-once", str(AT_ONCE), "--out", str(Path(folder) / "audit"),
        ]  # fmt: skip
        kept = os.environ | {"TILTMETER_CACHE": str(Path(folder) / "cache")}
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=kept)
        took = time.perf_counter() - begun
        traffic = httpx2.get(f"{address.removesuffix('/v1')}/traffic").json()
    rate, most = traffic["requests"] / traffic["seconds"], AT_ONCE / wait
    values = {
        "requests": int(traffic["requests"]),
        "requests/s": round(rate, 1),
        "of the server's": f"{rate / most:.0%}",
    }
    case = f"audit, profile {profile}, an answer takes {wait:g} s"
    return Row(case, f"{AT_ONCE} at once", took, values, clock="wall")
