"""The description of a question to a model, and a question with its options set."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from struct import pack
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from tiltmeter.core.types import Array

R = TypeVar("R")
StoredValue: TypeAlias = Array | str
"""An answer as it is stored: an array of finite numbers, or a text."""
OptionValue: TypeAlias = float | int | bool | str
"""The value of an option."""
BatchRow: TypeAlias = tuple[Hashable, int]
"""A row of a forward pass, as (identity, length in tokens): requests with the same identity share it."""


RowsOf: TypeAlias = Callable[[Any, Sequence[Any], Sequence[bytes], Sequence[int]], list[BatchRow]]
"""From (model, requests, keys, sizes) to the row of a forward pass that answers each request."""


class HasRequests(Protocol):
    """A batch of whatever kind: all that counting and storing need of it."""

    @property
    def requests(self) -> Sequence[Any]:
        """The requests that share a forward pass."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionOption:
    """A keyword argument of a back-end's method. It is part of the key under which answers are stored."""

    type: type[float] | type[int] | type[bool] | type[str]
    default: OptionValue | None = None
    """None: it must be given."""


def one_each(_: Any, requests: Sequence[Any]) -> list[int]:
    """Count each request as one token.

    >>> one_each(None, ["a", "long request"])
    [1, 1]
    """
    return [1] * len(requests)


def own_rows(
    _: Any, requests: Sequence[Any], keys: Sequence[bytes], sizes: Sequence[int]
) -> list[BatchRow]:
    """Give each request a row of its own."""
    del requests
    return list(zip(keys, sizes, strict=True))


def _nothing(_: Any) -> int:
    return 0


def unchanged(value: Any) -> Any:
    """Return the value as it is."""
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[R]):
    """One question, and everything the rest of the program needs to know about it."""

    name: str
    """Part of the key of every answer. Change it when `key` or `encode` change."""
    protocol: type
    """What a back-end satisfies that can answer it."""
    ability: str
    """What such a model can do, to complete "that needs a model that can …"."""
    asked_of: str = ""
    """Which models that are, in a word for lists, as in `core.study_groups.ASKED_OF`."""
    method: str
    """The back-end's method: takes a sequence of requests, and the options as keywords, and returns a
    sequence with one answer for each request."""
    key: Callable[[R], tuple[Sequence[int], ...]] | None = None
    """What an answer depends on, as sequences of integers. None: all requests are answered in one
    call, since answers depend on each other, and nothing is stored."""
    sizes: Callable[[Any, Sequence[R]], Sequence[int]] = one_each
    """(model, requests) to the length of each request in tokens, for batches and progress. Also the
    place to refuse a request that the model has no answer to (`CannotAnswer`). All at least 1."""
    rows: RowsOf = own_rows
    options: Mapping[str, QuestionOption] = field(default_factory=dict)
    is_costly: bool = False
    """Whether an answer takes seconds or costs money, so that each is written to the store at once."""
    encode: Callable[[Any], StoredValue] = unchanged
    """From one answer to what is stored."""
    decode: Callable[[Any], Any] = unchanged
    """From what is stored to one answer; a ValueError has it asked again."""
    collect: Callable[[list[Any]], Any] = list
    """From the list of answers to what the method returns."""
    writes: Callable[[R], int] = _nothing
    """The most tokens that the model writes in reply to a request; the others of its size it reads."""
    used: Callable[[Any], tuple[int, int]] | None = None
    """From one answer to the tokens that were read and written for it; None where it does not say."""
    refined: Mapping[type, str] = field(default_factory=dict)
    """Protocols of models that answer more requests of this kind, with what those models can do."""

    @property
    def is_written(self) -> bool:
        """Whether the model writes in reply."""
        return self.writes is not _nothing

    def query(self, **given: OptionValue) -> "Query":
        """The question with its options set.

        Raises:
            TypeError: An option is missing or unknown.
        """
        if odd := given.keys() - self.options.keys():
            raise TypeError(f"{self.method}() has no option {min(odd)!r}")
        values = {name: given.get(name, option.default) for name, option in self.options.items()}
        if missing := [name for name, value in values.items() if value is None]:
            raise TypeError(f"{self.method}() needs {missing[0]}=")
        return Query(self, tuple((n, self.options[n].type(v)) for n, v in values.items()))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its options set."""

    question: Question[Any]
    options: tuple[tuple[str, OptionValue], ...] = ()

    @property
    def label(self) -> str:
        """Question and options in one line ("readout margin=2.0"), the beginning of every key."""
        return " ".join(
            [self.question.name, *(f"{name}={_written(value)}" for name, value in self.options)]
        )

    def keys(self, requests: Sequence[Any]) -> list[bytes]:
        """Sixteen bytes for each request, which two different requests do not share."""
        begun, key = blake2b(self.label.encode(), digest_size=16), self.question.key
        assert key is not None  # noqa: S101 (only what is stored has keys)
        keys = []
        for request in requests:
            digest = begun.copy()
            # Lengths keep (1, 2), (3,) apart from (1,), (2, 3).
            numbers = [number for part in key(request) for number in (len(part), *part)]
            digest.update(pack(f"<{len(numbers)}q", *numbers))
            keys.append(digest.digest())
        return keys

    def ask(self, model: Any, requests: Sequence[Any]) -> list[StoredValue]:
        """Have the model answer a batch of requests; each answer as it is stored."""
        answers = getattr(model, self.question.method)(list(requests), **dict(self.options))
        return [self.question.encode(answer) for answer in answers]


def _written(value: OptionValue) -> str:
    """An option's value within a key: unambiguous, and the same whenever it is equal."""
    if isinstance(value, str):
        return value if value.isidentifier() else repr(value)
    return str(int(value)) if isinstance(value, bool) else repr(value)


def text_key(*texts: str) -> tuple[Sequence[int], ...]:
    """Texts as parts of a key."""
    return tuple(tuple(text.encode("utf-8", "surrogatepass")) for text in texts)
