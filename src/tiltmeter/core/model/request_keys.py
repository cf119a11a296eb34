"""Of each kind of request: under which key its answer is stored, how large it is, what shares a row."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Choosing, Prompt, Writing, request_key
from tiltmeter.core.model.prefix_trees import beginning, tree_batches
from tiltmeter.core.model.query import BatchRow, RowsOf, own_rows, text_key
from tiltmeter.core.model.requests import Continuation, Passage
from tiltmeter.core.types import Array

LETTERS = 4
"""The assumed number of letters in a token."""
TIMES = 4
"""How many times as many replies a batch has as are written at once, where replies may be long. They end at
very different lengths and give their places to others of the batch; only at its end do places stay empty."""


def rows_by(shared: Callable[[Any], Hashable]) -> RowsOf:
    """Requests that are alike in this share a row."""

    def rows(
        _: Any, requests: Sequence[Any], __: Sequence[bytes], sizes: Sequence[int]
    ) -> list[BatchRow]:
        return [(shared(request), size) for request, size in zip(requests, sizes, strict=True)]

    return rows


def continuation_key(request: Continuation) -> tuple[Sequence[int], ...]:
    """What an answer depends on: both texts, the start token, what follows."""
    after = (request.after,) if request.after else ()
    return request.context, request.ids, (int(request.start),), *after


def continuation_sizes(_: Any, requests: Sequence[Continuation]) -> list[int]:
    """Tokens of each text, with its start token."""
    return [len(r.context) + len(r.ids) + len(r.after) + 1 for r in requests]


def continuation_rows(
    model: Any, requests: Sequence[Continuation], keys: Sequence[bytes], sizes: Sequence[int]
) -> list[BatchRow]:
    """Put as many texts as fit into one row, if the model can read their common beginnings once."""
    most = int(getattr(model, "shared_row", 0))
    if not most:
        return own_rows(model, requests, keys, sizes)
    rows: dict[int, BatchRow] = {}
    # No token is negative: −1 stands for the start token. The last token is scored and never read.
    read = [(-int(r.start), *r.context, *r.ids)[:-1] for r in requests]
    for members, tokens in tree_batches(read, most):
        first = min(keys[i] for i in members)
        rows |= dict.fromkeys(members, (first, max(1, tokens)))
    return [rows[i] for i in range(len(requests))]


def passage_key(request: Passage) -> tuple[Sequence[int], ...]:
    """The text and the place in it."""
    return *text_key(request.text), request.at


def passage_sizes(model: Any, requests: Sequence[Passage]) -> list[int]:
    """Tokens of each passage.

    Raises:
        CannotAnswer: The model has no vector for one.
    """
    lengths: list[int] = model.passage_lengths(requests)
    if 0 in lengths:
        unknown = requests[lengths.index(0)]
        text = unknown.text[slice(*unknown.at)] if unknown.at != (0, 0) else unknown.text
        raise CannotAnswer(f"{model.name} has no vector for {text!r}; leave it out")
    return lengths


def prompted_key(request: Any) -> tuple[Sequence[int], ...]:
    """The whole request: prompt, options, and which repeat it is."""
    return text_key(request_key(request))


def prompted_sizes(size: Callable[[int, Any], int]) -> Callable[[Any, Sequence[Any]], list[int]]:
    """Tokens of each request, from those of its prompt and the request."""

    def sizes(model: Any, requests: Sequence[Any]) -> list[int]:
        lengths = model.prompt_lengths([request.prompt for request in requests])
        return list(map(size, lengths, requests))

    return sizes


def choosing_size(length: int, request: Choosing) -> int:
    """Tokens of a request for the likeliest option; a thought's are estimated, as only its text is known."""
    return length + len(request.options) + len(request.thought or "") // LETTERS


def prompted_rows(
    model: Any, requests: Sequence[Writing | Choosing], keys: Sequence[bytes], sizes: Sequence[int]
) -> list[BatchRow]:
    """Several replies to one prompt share a row, where the model can make use of it.

    Prompts that mostly consist of a common beginning count as equally long, so that they come into one
    batch and the beginning is read once; it does not count. Replies that may become longer than planned count
    alike.
    """
    if not model.reply_tokens:
        return own_rows(model, requests, keys, sizes)
    sizes = [size - _unusual(r) for size, r in zip(sizes, requests, strict=True)]
    first: dict[Prompt, tuple[bytes, int]] = {}
    for key, size, request in zip(keys, sizes, requests, strict=True):
        kept = first.get(request.prompt, (key, size))
        first[request.prompt] = min(kept[0], key), max(kept[1], size)
    written = {r.prompt: getattr(r, "usual_tokens", 0) for r in requests}
    rows: dict[Prompt, BatchRow] = {}
    for family in _beginning_alike(first):
        name, size = min(first[p][0] for p in family), max(first[p][1] for p in family)
        size -= int(_share(family) * min(first[prompt][1] - written[prompt] for prompt in family))
        rows |= {prompt: ((name, first[prompt][0]), max(1, size)) for prompt in family}
    long = {r.prompt for r in requests if _unusual(r)}
    size = sum(rows[prompt][1] for prompt in long) // (TIMES * max(1, len(long)))
    rows |= {prompt: (rows[prompt][0], max(1, size)) for prompt in long}
    return [rows[request.prompt] for request in requests]


def _unusual(request: Writing | Choosing) -> int:
    """Tokens that a request may take and usually does not: most long replies end before that."""
    return request.most_tokens - request.usual_tokens if isinstance(request, Writing) else 0


def _beginning_alike(prompts: Iterable[Prompt]) -> Iterator[list[Prompt]]:
    """Prompts whose first half is the same, in letters."""
    family: list[Prompt] = []
    for prompt in sorted(prompts, key=lambda p: (p.chat, p.plain)):
        if family and not _is_alike(family[0], prompt):
            yield family
            family = []
        family.append(prompt)
    if family:
        yield family


def _share(family: Sequence[Prompt]) -> float:
    """Which part of the longest prompt all begin with, in letters; 0 for one alone."""
    texts = [prompt.plain for prompt in family]
    return beginning(texts) / max(map(len, texts)) if len(texts) > 1 else 0.0


def _is_alike(first: Prompt, second: Prompt) -> bool:
    begun = max(len(first.plain), len(second.plain)) // 2
    same = first.chat == second.chat and first.messages[:-1] == second.messages[:-1]
    return same and first.plain[:begun] == second.plain[:begun]


def stacked(vectors: list[Array]) -> Array:
    """Vectors as the rows of a matrix."""
    return np.stack(vectors) if vectors else np.zeros((0, 0))
