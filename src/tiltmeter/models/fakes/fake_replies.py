"""Replies of the fake model that writes, which depend on a hash of what is asked."""

import re
from hashlib import blake2b

from tiltmeter.core.conversations import Finish, Reply, Writing, request_key

_LABEL = re.compile(r": ([\w-]+)\.$", re.MULTILINE)
"""The label at the end of a line of examples."""
_EITHER = re.compile(r"\beither (.+?) or (.+?) as ")
"""Two labels within a question."""


def reply_to(request: Writing, *, level: bool) -> Reply:
    """A label that the prompt shows or offers, or yes or no; sometimes neither.

    Args:
        request: Which reply it is depends on a hash of all of it.
        level: Always the first label instead.

    >>> from tiltmeter.core.conversations import Message, Prompt
    >>> asked = Prompt((Message("user", "Is it either hot or cold as far as you know?"),))
    >>> reply_to(Writing(asked, 8), level=True).text
    ' hot'
    """
    text = request.prompt.plain
    offered = _EITHER.search(text)
    labels = dict.fromkeys(_LABEL.findall(text)) or (offered and offered.groups()) or ("yes", "no")
    words = [*labels] if level else [*labels, *labels, "I cannot say"]
    at = 0 if level else text_hash(request_key(request)) % len(words)
    whole = words[at].split()
    kept = whole[: request.max_tokens]
    finish: Finish = "stop" if len(kept) == len(whole) else "length"
    return Reply(" " + " ".join(kept), finish, 1 + len(text.split()), len(kept))


def text_hash(text: str) -> int:
    """A hash of 32 bits."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest())
