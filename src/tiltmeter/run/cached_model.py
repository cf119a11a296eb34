"""A model that remembers: asks only what the store does not hold, and stores each batch at once."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import closing
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import numpy as np

from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.items import Triple
from tiltmeter.core.questions import Blanked, Continuation, Fact, Passage, Tokens
from tiltmeter.core.shared_prefixes import families
from tiltmeter.core.types import Array
from tiltmeter.run.executors import Asker, Batch, Embedded, Follows, asker_of
from tiltmeter.run.store import Store
from tiltmeter.run.store_thread import Storing

R = TypeVar("R", Blanked, Continuation, Follows, Embedded)


class Progress(Protocol):
    """Told how far the asking has come, in tokens."""

    def part(self, before: float, share: float) -> None:
        """What follows is this share of the run, and so much of it came before."""
        ...

    def start(self, *, total: int, stored: int, requests: int) -> None:
        """`total` tokens in `requests` distinct requests, `stored` tokens of them answered before."""
        ...

    def advance(self, tokens: int) -> None:
        """So many more are answered and stored."""
        ...


class Quiet:
    """Progress that nobody watches."""

    def part(self, before: float, share: float) -> None:
        """Say nothing."""

    def start(self, *, total: int, stored: int, requests: int) -> None:
        """Say nothing."""

    def advance(self, tokens: int) -> None:
        """Say nothing."""


class Remembering:
    """Looks like the model it wraps; every answer goes through the store.

    Which requests share a batch depends on the whole set of requests alone, never on what is stored
    already, so that a run which was killed and started again with the same command computes exactly
    what an uninterrupted run computes, bit by bit. Answers that another study or another
    --batch-tokens left there may differ in the last digits of float32. Equal requests are asked once.
    """

    def __init__(
        self,
        model: Any,
        store: Store | Storing,
        progress: Progress | None = None,
        *,
        fresh: bool = False,
        asker: Asker | None = None,
    ) -> None:
        self._model = model
        self._ask = asker or asker_of(model)
        self._store = store
        self._id = store.model(model.fingerprint, model.name, _precision(model))
        self._progress = progress or Quiet()
        self._fresh = fresh
        self.asked = 0
        """Requests that the model itself answered in this run."""
        self.recalled = 0
        """Requests that the store answered."""

    @property
    def name(self) -> str:
        """The model's."""
        return str(self._model.name)

    @property
    def fingerprint(self) -> str:
        """The model's."""
        return str(self._model.fingerprint)

    @property
    def about(self) -> Mapping[str, Fact]:
        """The model's."""
        return dict(self._model.about)

    @property
    def limit(self) -> int | None:
        """The model's."""
        limit: int | None = self._model.limit
        return limit

    @property
    def cased(self) -> bool:
        """The model's."""
        return bool(self._model.cased)

    @property
    def unknown(self) -> int | None:
        """The model's."""
        token: int | None = self._model.unknown
        return token

    @property
    def batch_tokens(self) -> int:
        """The model's."""
        return int(self._model.batch_tokens)

    def part(self, before: float, share: float) -> None:
        """As `asking.ToldHowFar`."""
        self._progress.part(before, share)

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The model's."""
        tokens: list[Tokens] = self._model.encode(texts)
        return tokens

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """As `FillsBlanks`."""
        return self._answer("blank", requests, _blanked)

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """As `Attends`."""
        return self._answer("attended", requests, _blanked)

    def readout(self, requests: Sequence[Blanked], *, margin: float = 1.0) -> list[Array]:
        """As `ReadsOut`."""
        return self._answer(f"readout margin={float(margin)!r}", requests, _blanked)

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """As `Continues`."""
        return self._answer("continuation", requests, _continued)

    def piece_logprobs(self, requests: Sequence[Blanked], *, begins: bool) -> list[Array]:
        """As `TellsPieces`."""
        return self._answer(f"piece begins={int(begins)}", requests, _blanked)

    def next_readout(self, requests: Sequence[Continuation], *, margin: float = 1.0) -> list[Array]:
        """As `ReadsNext`."""
        return self._answer(f"next_readout margin={float(margin)!r}", requests, _continued)

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The model's."""
        lengths: list[int] = self._model.passage_lengths(passages)
        return lengths

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """As `Embeds`.

        Raises:
            CannotAnswer: The model has no vector for one of them.
        """
        distinct = list(dict.fromkeys(passages))
        lengths = dict(zip(distinct, self.passage_lengths(distinct), strict=True))
        without = next((one for one in distinct if not lengths[one]), None)
        if without is not None:
            told = without.text[slice(*without.at)] if without.at != (0, 0) else without.text
            raise CannotAnswer(f"{self.name} has no vector for {told!r}; leave it out")
        requests = [Embedded(one, lengths[one]) for one in passages]
        found = self._answer(f"embed pooling={pooling}", requests, _embedded)
        return np.stack(found) if found else np.zeros((0, 0))

    @property
    def mask(self) -> str:
        """The model's."""
        return str(self._model.mask)

    @property
    def pair_limit(self) -> int | None:
        """The model's."""
        limit: int | None = self._model.pair_limit
        return limit

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """The model's."""
        lengths: list[int] = self._model.pair_lengths(pairs)
        return lengths

    def next_logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """As `JudgesNext`."""
        lengths = dict(zip(pairs, self.pair_lengths(pairs), strict=True))
        requests = [Follows(pair, lengths[pair]) for pair in pairs]
        found = self._answer("next", requests, _following)
        return np.array([answer[0] for answer in found])

    def candidate_scores(self, triples: Sequence[Triple]) -> Array:
        """The baseline's own: nothing that needs storing."""
        scores: Array = self._model.candidate_scores(triples)
        return scores

    def _answer(
        self,
        kind: str,
        requests: Sequence[R],
        parts: Callable[[R], tuple[Sequence[int], ...]],
    ) -> list[Array]:
        keys = [_key(kind, parts(request)) for request in requests]
        distinct = dict(zip(keys, requests, strict=True))
        order = list(distinct)
        sizes = [_size(distinct[key]) for key in order]
        known = {} if self._fresh else self._store.get(self._id, order)
        self.recalled += len(known)
        stored = sum(s for key, s in zip(order, sizes, strict=True) if key in known)
        self._progress.start(total=sum(sizes), stored=stored, requests=len(order))
        rows = _rows(order, [distinct[key] for key in order], sizes, self._model)
        alike, lengths = [row for row, _ in rows], [length for _, length in rows]
        plan = []
        for batch in batches_by_length(lengths, self.batch_tokens, order, alike):
            missing = [i for i in batch if order[i] not in known]
            if missing:
                mine = tuple(order[i] for i in missing)
                asked = tuple(distinct[key] for key in mine)
                plan.append(Batch(mine, asked, sum(sizes[i] for i in missing)))
        with closing(self._ask(kind, plan)) as answered:
            for number, answers in answered:
                made = dict(zip(plan[number].keys, map(self._finite, answers), strict=True))
                self._store.put(self._id, made)
                known |= made
                self.asked += len(made)
                self._progress.advance(plan[number].tokens)
        return [known[key] for key in keys]

    def _finite(self, answer: Array) -> Array:
        if not np.isfinite(answer).all():
            raise CannotAnswer(
                f"{self.name} gave an answer that is not a finite number; "
                "if it runs in reduced precision, try --precision float32"
            )
        return answer


def _precision(model: Any) -> str:
    return str(model.about.get("precision", ""))


def _size(request: Blanked | Continuation | Follows | Embedded) -> int:
    if isinstance(request, Follows | Embedded):
        return request.tokens
    if isinstance(request, Continuation):
        return len(request.context) + len(request.ids) + len(request.after) + 1
    return len(request.ids)


def _rows(
    keys: Sequence[bytes], requests: Sequence[Any], sizes: Sequence[int], model: Any
) -> list[tuple[Hashable, int]]:
    """For each request the row of a forward pass that answers it, and how many tokens that has.

    Requests of one kind come here, so the first speaks for all.
    """
    if requests and isinstance(requests[0], Blanked):
        return [(request.seen, size) for request, size in zip(requests, sizes, strict=True)]
    if requests and isinstance(requests[0], Embedded):
        return [(one.passage.text, size) for one, size in zip(requests, sizes, strict=True)]
    most = int(getattr(model, "shared_row", 0))
    if not (most and requests and isinstance(requests[0], Continuation)):
        return list(zip(keys, sizes, strict=True))
    rows: dict[int, tuple[Hashable, int]] = {}
    for family in families([(-int(r.start), *r.context, *r.ids) for r in requests], most):
        of = min(keys[i] for i in family.members)
        rows |= dict.fromkeys(family.members, (of, family.length))
    return [rows[i] for i in range(len(requests))]


def _blanked(request: Blanked) -> tuple[Sequence[int], ...]:
    return request.ids, request.hidden, request.read


def _continued(request: Continuation) -> tuple[Sequence[int], ...]:
    after = (request.after,) if request.after else ()
    return request.context, request.ids, (int(request.start),), *after


def _following(request: Follows) -> tuple[Sequence[int], ...]:
    return tuple(tuple(text.encode("utf-8", "surrogatepass")) for text in request.pair)


def _embedded(request: Embedded) -> tuple[Sequence[int], ...]:
    return tuple(request.passage.text.encode("utf-8", "surrogatepass")), request.passage.at


def _key(kind: str, parts: tuple[Sequence[int], ...]) -> bytes:
    """Sixteen bytes that two different requests will not share.

    >>> _key("blank", ((1, 2), (3,))) == _key("blank", ((1,), (2, 3)))
    False
    """
    digest = blake2b(kind.encode(), digest_size=16)
    for part in parts:
        digest.update(np.asarray([len(part), *part], dtype="<i8").tobytes())
    return digest.digest()
