"""A server for a survey: in the foreground until it is stopped, or in a thread."""

import ipaddress
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from tiltmeter.core.errors import BadInput, reason_of
from tiltmeter.survey.web.request_limits import LimitedRequests

PROXIES = ("127.0.0.1", "::1")
"""Reverse proxies that are trusted: those on the same machine."""
KEPT_OPEN = 75
"""Seconds for which an idle connection stays open: longer than people think about a question."""
DEADLINE = 20
"""Seconds in which a server in a thread must start or stop."""


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 for any that is free.

    Raises:
        BadInput: Another program has it, or there is no such address.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise BadInput(
            f"{host}:{port} cannot be used: {reason_of(error)}", "give another --port"
        ) from error


def proxies_given(given: Sequence[str]) -> Sequence[str]:
    """The proxies that a user names: addresses, networks, or "*" for all; by default `PROXIES`.

    Raises:
        BadInput: One is none of these, such as the name of a host.
    """
    for proxy in given:
        try:
            if proxy != "*":
                ipaddress.ip_network(proxy)
        except ValueError as error:
            way_out = "give an address such as 10.0.0.5, or a network such as 10.0.0.0/8"
            raise BadInput(f"--proxy {proxy!r} is no address ({error})", way_out) from None
    return given or PROXIES


def server_for(app: FastAPI, proxies: Sequence[str] = PROXIES) -> uvicorn.Server:
    """A server that writes no log of addresses: these may contain ids of people.

    `X-Forwarded-For` and `X-Forwarded-Proto` are believed of these proxies, addresses or networks.
    """
    config = uvicorn.Config(
        app, proxy_headers=True, forwarded_allow_ips=list(proxies), access_log=False,
        log_level="warning", server_header=False, lifespan="off", timeout_graceful_shutdown=5,
        ws="none", http=LimitedRequests, timeout_keep_alive=KEPT_OPEN,
    )  # fmt: skip
    return uvicorn.Server(config)


def address_of(at: socket.socket) -> str:
    """The address of a listening socket."""
    host, port = at.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def served(
    app: FastAPI, host: str = "127.0.0.1", port: int = 0, *, proxies: Sequence[str] = PROXIES
) -> Iterator[str]:
    """Serve in a thread; gives the address."""
    with listening(host, port) as at:
        server = server_for(app, proxies)
        thread = threading.Thread(target=server.run, args=([at],), daemon=True)
        thread.start()
        try:
            yield address_of(at)
        finally:
            server.should_exit = True
            thread.join(DEADLINE)
