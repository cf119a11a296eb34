"""What a command used, as the system says at its end: processor time, peak memory, bytes written."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks import _launcher
from benchmarks._frame import Value


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process and those that it waited for used, without the process that measures."""

    code: int
    """Its exit code."""
    messages: str
    """What it wrote to its standard error."""
    processor_seconds: float
    peak_bytes: int
    """The most that it had in memory."""
    written_bytes: int
    """What it wrote to disks; 0 except on Linux."""

    @property
    def values(self) -> dict[str, Value]:
        """The columns of a row."""
        return {
            "processor s": self.processor_seconds,
            "peak MB": self.peak_bytes / 1e6,
            "MB written": self.written_bytes / 1e6,
        }


def measured(command: Sequence[str], environment: Mapping[str, str]) -> Usage:
    """Run a command, with these variables besides those of this process, and say what it used."""
    received, sent = os.pipe()
    launcher = [sys.executable, "-I", "-S", _launcher.__file__, str(sent)]
    with tempfile.TemporaryFile() as messages:
        subprocess.run(
            [*launcher, *command], stdout=subprocess.DEVNULL, stderr=messages, pass_fds=[sent], check=True,
            env={**os.environ, **environment},
        )  # fmt: skip
        os.close(sent)
        with os.fdopen(received) as answer:
            code, seconds, peak, blocks = json.load(answer)
        messages.seek(0)
        text = messages.read().decode()
    unit = 1 if sys.platform == "darwin" else 1024
    return Usage(code, text, seconds, peak * unit, blocks * 512)


def usage_of(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, Value]:
    """The columns of a command that must succeed.

    Raises:
        RuntimeError: It failed; with its messages.
    """
    usage = measured(command, environment)
    if usage.code:
        raise RuntimeError(usage.messages)
    return usage.values
