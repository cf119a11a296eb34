"""Joining a Ray cluster, or starting one on this machine."""

import logging
import os
import signal
import socket
import threading
import warnings
from typing import Any

from tiltmeter.core.errors import BadInput, MissingExtra, Unavailable

ANSWER = 10
"""Seconds within which a cluster must answer."""
LAST_PORT = 65_535


def check_address(address: str) -> None:
    """Refuse what is not an address, before Ray is started.

    Raises:
        BadInput: It is neither HOST:PORT nor `auto` or `local`.
    """
    if "://" in address:
        raise BadInput(
            f"{address!r} is not the address of a cluster that this machine belongs to",
            "run the command on one of its machines, with --ray-address HOST:PORT or auto",
        )
    host, _, port = address.rpartition(":")
    if address not in {"auto", "local"} and not (
        host and port.isdecimal() and 0 < int(port) <= LAST_PORT
    ):
        raise BadInput(
            f"{address!r} is not an address", "give it as HOST:PORT, for example 10.0.0.1:6379"
        )


def library() -> Any:
    """Ray itself.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        import ray  # noqa: PLC0415 optional
    except ImportError as error:
        raise MissingExtra("--ray", "ray") from error
    return ray


def join(ray: Any, address: str | None) -> None:
    """Connect, with no output from Ray and with this process's own handling of signals.

    Raises:
        Unavailable: There is no such cluster, or it cannot be joined.
    """
    ray._private.worker._worker_logs_enabled = False  # noqa: SLF001 else it prints on standard output
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        _knock(address or os.environ.get("RAY_ADDRESS", ""))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(
                address=address, include_dashboard=False, log_to_driver=False,
                logging_level=logging.CRITICAL, configure_logging=True,
            )  # fmt: skip
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        place = address or os.environ.get("RAY_ADDRESS") or "on this machine"
        raise Unavailable(
            f"the Ray cluster {place} cannot be joined: {reason[:300]}; see that `ray status` finds it "
            "on this machine, and that all machines have the same Python, Ray and token"
        ) from error
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


def _knock(address: str) -> None:
    """Check that something answers there: Ray would wait for ever."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()
