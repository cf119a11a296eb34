"""The models of a server: what it lists about them, and which one is meant."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.text import visible
from tiltmeter.models.openai_protocol.server_address import ServerAddress, api_key, server_address
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused, ServerClient
from tiltmeter.models.opening.model_options import Options

FIRST_TRIES = 3
"""How many attempts are made for the list of models: few, so that a server that is down is reported soon."""
LASTING = ("owned_by", "root", "parent", "max_model_len", "meta", "quantization")
"""Facts in the list of models that do not change from one request to the next."""
PLACES = frozenset({"root", "parent"})
"""The facts among them that may be folders of the server, and are left out of cards."""
UNLISTED = frozenset({400, 404, 405, 500, 501})
"""HTTP statuses of servers that do not list their models."""
LISTED = 8
"""How many models an error names."""
LONGEST = 200
"""How many characters of a fact the card keeps."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model behind a server, before anything is asked of it."""

    name: str
    """The name that tables and run folders show."""
    client: ServerClient
    model: str
    """The name of the model on the server."""
    entry: Mapping[str, Fact]
    """The facts in the server's list of models; {} if it is not listed."""
    listed: tuple[str, ...] = ()
    """The names of all models that the server lists."""


def served_model(kind: str, location: str, options: Options, name: str = "") -> ServedModel:
    """The model behind `URL#MODEL`, or the only one of the server at `URL`.

    Raises:
        BadInput: The address is invalid or names no model, or a key may not be sent there.
        NoAnswer: The server does not answer.
        RequestRefused: The server refuses the key.
    """
    address = server_address(location, kind)
    key = api_key(address)
    client = ServerClient(address, key, timeout=options.timeout, tries=options.tries)
    entries = listed_models(client, address)
    model = address.model or only_model(entries, address, kind)
    # Without a name of its own the model was named by its address, which may not say which model it is.
    called = shown_model(model) if name in {"", f"{kind}:{location}"} else name
    return ServedModel(called, client, model, entries.get(model, {}), (*entries,))


def listed_models(client: ServerClient, address: ServerAddress) -> dict[str, dict[str, Fact]]:
    """The facts that the server lists about each of its models; {} if it has no list and a model is named.

    Raises:
        NoAnswer: The server does not answer.
        RequestRefused: The server refuses the key, or has no list while no model is named.
    """
    try:
        answer = client.get("models", tries=FIRST_TRIES)
    except (RequestRefused, NoAnswer) as error:
        if not address.model or error.status not in UNLISTED:
            raise
        return {}
    listed = answer.get("data") if isinstance(answer, dict) else None
    entries = [e for e in listed if isinstance(e, dict)] if isinstance(listed, list) else []
    return {e["id"]: _lasting(e) for e in entries if isinstance(e.get("id"), str)}


def _lasting(entry: Mapping[str, Any]) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    for name in LASTING:
        value = entry.get(name)
        if isinstance(value, dict):
            plain = [(k, v) for k, v in value.items() if isinstance(v, str | int | float)]
            facts |= {visible(f"{name} {k}"): _fact(v) for k, v in sorted(plain)}
        elif isinstance(value, str | int | float):
            facts[name] = _fact(value)
    return facts


def _fact(value: str | float) -> Fact:
    return visible(value)[:LONGEST] if isinstance(value, str) else value


def only_model(entries: Mapping[str, Any], address: ServerAddress, kind: str) -> str:
    """The name of the server's only model.

    Raises:
        BadInput: The server lists no model, or several.
    """
    if len(entries) == 1:
        return next(iter(entries))
    names = f": {shown_list(entries)}" if entries else ""
    reason = f"the server lists {len(entries) or 'no'} models{names}"
    raise BadInput(reason, f"name the model: {kind}:{address.base}#MODEL")


def shown_list(models: Collection[str]) -> str:
    """The names of models for a message, at most `LISTED` of them."""
    rest = f" and {len(models) - LISTED} more" if len(models) > LISTED else ""
    return ", ".join(visible(name) for name in sorted(models)[:LISTED]) + rest


def shown_model(model: str) -> str:
    """A model's name; if it is a folder, as on some servers, only the last part.

    >>> shown_model("/home/me/tiny"), shown_model("meta-llama/Llama-3.2-1B")
    ('tiny', 'meta-llama/Llama-3.2-1B')
    """
    return PurePosixPath(model).name if model.startswith("/") else model
