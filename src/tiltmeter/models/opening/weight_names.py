"""Whether the weights in a model's files are those that its configuration asks for, by their names."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tiltmeter.core.errors import CannotAnswer

LISTED = 3
_NUMBER = re.compile(r"\.\d+\.")


def check_missing(missing: Sequence[str], name: str) -> None:
    """Refuse a model some of whose weights are not in its files.

    Raises:
        CannotAnswer: There are some.
    """
    if missing:
        raise CannotAnswer(
            f"{name}: {len(missing)} weights are not in its files ({', '.join(missing[:LISTED])}"
            f"{', …' if len(missing) > LISTED else ''}): they would be random. Use the checkpoint that "
            "has them."
        )


def check_layers(model: Any, unread: Iterable[str], name: str) -> None:
    """Refuse weights of layers that the configuration does not count.

    Other weights may be left over, such as those of a head for another task: only a name that differs
    from one of the model's in its numbers is a layer's.

    Raises:
        CannotAnswer: There are some.
    """
    known = {_without_numbers(key) for key in model.state_dict()}
    known |= {key.partition(".")[2] for key in known}  # files of a bare encoder lack the first part
    beyond = sorted(key for key in unread if _NUMBER.search(key) and _without_numbers(key) in known)
    if beyond:
        raise CannotAnswer(
            f"{name}: its files hold more layers than config.json names ({beyond[0]} would not be used). "
            "Correct the number of layers in config.json."
        )


def _without_numbers(key: str) -> str:
    return _NUMBER.sub(".#.", key)
