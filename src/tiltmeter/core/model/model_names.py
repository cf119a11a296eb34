"""What results call a model: the name that the user gives it, or a short one made from its reference.

Everything that shows models (titles, tables, pictures, pages) shows the name on the card, which is decided
here; the card keeps the reference beside it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import known

LONGEST = 100
"""The most characters of a name that users give."""


def usual_name(reference: str, scheme: str = "", *, with_kind: bool = False) -> str:
    """The name of a model that nobody named: the last part of a path, or the model's name at its server.

    Args:
        reference: The model as the user typed it.
        scheme: The kind of model, if it is known.
        with_kind: Whether `KIND:` stays before the names of the folders.

    >>> usual_name("chat:http://localhost:8000#meta/llama"), usual_name("gpt2")
    ('meta/llama', 'gpt2')
    """
    if with_kind:
        kind, _, references = reference.partition(":")
        return f"{scheme or kind}:" + ",".join(
            _of_path(part.strip()) for part in references.split(",")
        )
    server = _server(reference)
    return server[0] if server else _of_path(reference, scheme)


def distinct_names(names: Mapping[str, str]) -> dict[str, str]:
    """Names by reference, each made as long as needed where several models share one.

    Args:
        names: The models' names by their references.

    >>> distinct_names({"a/one/bert": "bert", "b/one/bert": "bert", "gpt2": "gpt2"})
    {'a/one/bert': 'a/one/bert', 'b/one/bert': 'b/one/bert', 'gpt2': 'gpt2'}
    >>> [*distinct_names({f"chat:http://{host}:8000#llama": "llama" for host in ("one", "two")}).values()]
    ['llama at one:8000', 'llama at two:8000']
    """
    by_name: dict[str, list[str]] = {}
    for reference, name in names.items():
        by_name.setdefault(name, []).append(reference)
    longer = dict(names)
    for references in by_name.values():
        if len(references) > 1:
            longer |= _longer(references)
    return longer


def names_given(given: Sequence[str], references: Iterable[str]) -> dict[str, str]:
    """The names that users give models as `REFERENCE=NAME`, or as `NAME` of the only model, by reference.

    Raises:
        BadInput: A name is empty, too long or for no model; two are for one, or one is for two.

    >>> names_given(["GPT-2"], ["causal:gpt2"])
    {'causal:gpt2': 'GPT-2'}
    >>> names_given(["b=Second"], ["a", "b"])
    {'b': 'Second'}
    """
    models = [*dict.fromkeys(references)]
    names: dict[str, str] = {}
    for text in given:
        # A reference may have "=" in it, so that the longest one that fits is meant.
        fitting = [model for model in models if text.startswith(f"{model}=")]
        if not fitting and len(models) != 1:
            known_ones = ", ".join(models) or "none"
            raise BadInput(
                f"--name {text!r} says of none of the models what to call it",
                f"write --name REFERENCE=NAME, with one of: {known_ones}",
            )
        model = max(fitting, key=len) if fitting else models[0]
        if model in names:
            raise BadInput(f"{model} is given two names", "leave one --name out")
        name = checked_name(text.removeprefix(f"{model}=") if fitting else text)
        if other := next((other for other, its in names.items() if its == name), ""):
            reason = f"{other} and {model} are both called {name!r}"
            raise BadInput(reason, "give each a name of its own")
        names[model] = name
    return names


def checked_name(name: str) -> str:
    """The name without spaces around it.

    Raises:
        BadInput: It is empty, too long, or has characters that cannot be seen.
    """
    name = name.strip()
    if not name or len(name) > LONGEST or not name.isprintable():
        raise BadInput(
            f"{name[:LONGEST]!r} cannot be the name of a model",
            f"write one line of 1 to {LONGEST} characters",
        )
    return name


def _of_path(reference: str, scheme: str = "") -> str:
    """The last part of a path, or of each of several paths; any other name is returned unchanged."""
    kind, _, after = reference.partition(":")
    rest = after if kind in ({scheme} if scheme else known("models")) else reference
    paths = [Path(rest).expanduser()]
    if not paths[0].exists():
        paths = [Path(part).expanduser() for part in rest.split(",")]
    there = rest and all(path.exists() for path in paths)
    return ",".join(path.resolve().name for path in paths) if there else reference


def _server(reference: str) -> tuple[str, str] | None:
    """The model's name at its server, and the server's host and port; None for any other reference.

    A model that is a folder of the server has the folder's name; one that the reference leaves open, None.
    """
    address, _, model = reference.partition("#")
    kind, _, url = address.partition(":")
    if not kind or not url.startswith(("http://", "https://")) or not model.strip():
        return None
    model = model.strip()
    return model.rpartition("/")[2] if model.startswith("/") else model, urlsplit(url).netloc


def _longer(references: Sequence[str]) -> dict[str, str]:
    """The shortest names that tell these references apart."""
    servers = [_server(reference) for reference in references]
    if all(servers):
        names = [f"{server[0]} at {server[1]}" for server in servers if server]
        if len({*names}) == len(names):
            return dict(zip(references, names, strict=True))
    parts = [reference.rstrip("/").split("/") for reference in references]
    for count in range(2, max(map(len, parts))):
        names = ["/".join(part[-count:]) for part in parts]
        if len({*names}) == len(names):
            return dict(zip(references, names, strict=True))
    return {reference: reference for reference in references}


def without_port(name: str) -> str:
    """A model's name or reference without its server's port, which may differ at each start.

    >>> without_port("served:http://127.0.0.1:8080/v1#gpt")
    'served:http://127.0.0.1/v1#gpt'
    """
    return re.sub(r"(://[^/#:]+):\d+", r"\1", name)
