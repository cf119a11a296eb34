"""The address of an OpenAI-compatible server, and the key that may be sent there."""

import os
import re
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import groupby
from urllib.parse import urlsplit

from tiltmeter.core.errors import BadInput

KEY, OPENAI_KEY = "TILTMETER_API_KEY", "OPENAI_API_KEY"
"""Environment variables with a key, for any server and for OpenAI's own server only."""
OPENAI = "api.openai.com"
KEY_RUN = 8
"""Any run of this many characters of a key is kept secret, as a server may show a shortened key."""
_VERSION = re.compile(r"/v\d+\w*(/|$)")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is, and which of its models is meant."""

    base: str
    """The base to which paths of services are appended: "http://localhost:8000/v1"."""
    host: str
    model: str
    """The model's name; "" if the user named none."""

    @property
    def root(self) -> str:
        """The base without its version: "http://localhost:8000"."""
        version = _VERSION.search(self.base, len("https://"))
        return self.base[: version.start()] if version else self.base

    @property
    def is_local(self) -> bool:
        """Whether the server runs on this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")


def server_address(location: str, kind: str = "chat") -> ServerAddress:
    """The address in `URL#MODEL`; "/v1" is added to a URL without a version. `kind` is for messages.

    Raises:
        BadInput: It is not such an address, or contains something secret; the message repeats no part of it.

    >>> server_address("http://localhost:8000#tiny")
    ServerAddress(base='http://localhost:8000/v1', host='localhost', model='tiny')
    >>> server_address("https://router.example/api/v1/").base
    'https://router.example/api/v1'
    """
    example = f"write {kind}:http://localhost:8000#MODEL"
    url, _, model = location.partition("#")
    try:
        url_parts = urlsplit(url.strip())
        host, _ = url_parts.hostname, url_parts.port
    except ValueError:
        raise BadInput("the address of the server cannot be read", example) from None
    if url_parts.scheme not in {"http", "https"} or not host:
        raise BadInput(
            "a server's address begins with http:// or https:// and names a host", example
        )
    if "@" in url_parts.netloc:
        raise BadInput(
            "the address of the server holds a user name or password, which every result would show",
            f"leave it out and set {KEY}",
        )
    if "?" in url:
        reason = "the address of the server has a query (?…), which every result would show"
        raise BadInput(reason, f"leave it out; a key belongs into {KEY}")
    path = url_parts.path.rstrip("/")
    version = "" if _VERSION.search(path) else "/v1"
    base = f"{url_parts.scheme}://{url_parts.netloc.lower()}{path}{version}"
    return ServerAddress(base, host, model.strip())


def api_key(address: ServerAddress) -> str:
    """The key to send with each request; "" if the environment has none for this server.

    Raises:
        BadInput: The key cannot be sent, or would be sent unencrypted to another machine.
    """
    names = (KEY, OPENAI_KEY) if address.host == OPENAI else (KEY,)
    for name in names:
        key = os.environ.get(name, "").strip()
        if not key:
            continue
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise BadInput(f"the key in {name} holds characters that no key has", "copy it again")
        if address.base.startswith("http:") and not address.is_local:
            reason = f"the key in {name} would be sent to {address.host} without encryption"
            raise BadInput(reason, f"use https://, or unset {name} if the server needs no key")
        return key
    return ""


def without_key(text: str, key: str) -> str:
    """The text with [key] in place of the key and of each long run of its characters, in any case.

    >>> without_key("invalid key: SK-ABCDEFGH***", "sk-abcdefghijkl")
    'invalid key: [key]***'
    """
    size = min(len(key), KEY_RUN)
    if not size:
        return text
    runs = {key[i : i + size].lower() for i in range(len(key) - size + 1)}
    hidden = {
        place
        for start in range(len(text) - size + 1)
        if text[start : start + size].lower() in runs
        for place in range(start, start + size)
    }
    stretches = groupby(range(len(text)), hidden.__contains__)
    shown = ("[key]" if is_key else "".join(text[i] for i in at) for is_key, at in stretches)
    return "".join(shown)
