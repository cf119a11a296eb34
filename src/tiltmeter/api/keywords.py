"""Options as keyword arguments: names and types for type checkers, the rest as their dataclasses declare it.

A function that takes `**options: Unpack[ModelKeywords]` is decorated with `takes(ModelKeywords, Options)`.
Its signature then has every option with its default, and its documentation the help of each.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypedDict, TypeVar, cast

from tiltmeter.api.python_words import errors_for_python
from tiltmeter.core.reading.options import OptionField, options_of
from tiltmeter.core.types import Ties

P = ParamSpec("P")
T = TypeVar("T")


class ScoringKeywords(TypedDict, total=False):
    """How items are scored, by a study or without one."""

    convention: str | None
    settings: Mapping[str, str]
    seed: int
    skip_invalid: bool


class RereadKeywords(TypedDict, total=False):
    """How the replies of a run are read again, and how the run's data are."""

    rule: str | None
    convention: str | None
    settings: Mapping[str, str]
    columns: Mapping[str, str]
    encoding: str
    missing: str | None


class ImportKeywords(RereadKeywords, total=False):
    """How scores and replies of other programs are read, and which of them."""

    ties: Ties | None
    skip_invalid: bool
    valid: str | Path | None
    split: str | None
    split_seed: int
    seed: int
    thinking_tags: str


class CallbackKeywords(ScoringKeywords, total=False):
    """How a model that is being trained is measured."""

    rule: str | None
    batch_tokens: int | None


class ModelKeywords(TypedDict, total=False):
    """How a model is opened: all of `Options`."""

    device: str
    precision: str
    batch_tokens: int | None
    revision: str | None
    trust_remote_code: bool
    allow_pickle: bool
    start_token: str | None
    tokenizer: str | None
    at_once: int
    timeout: float
    tries: int


class ReplyKeywords(TypedDict, total=False):
    """How a model replies: all of `ReplyOptions`."""

    system: str | Path | None
    thinking: str | None
    answer_tokens: int | None
    thinking_tokens: int | None
    thinking_tags: str
    repeats: int | None


class AuditKeywords(ReplyKeywords, ModelKeywords, total=False):
    """How a model is opened and audited: all of `AuditOptions`, too."""

    profile: str | Path
    against: str | Path | None
    margin: tuple[str, ...]
    max_time: str | None
    require_complete: bool
    fresh: bool
    overwrite: bool


class ScoreKeywords(ScoringKeywords, ModelKeywords, total=False):
    """How a model is opened, and how it scores items."""

    fresh: bool


class RunKeywords(ScoreKeywords, ReplyKeywords, total=False):
    """All of `Options` and of `RunOptions`, besides the data."""

    rule: str | None
    ties: Ties | None
    columns: Mapping[str, str]
    encoding: str
    missing: str | None
    valid: str | Path | None
    split: str | None
    split_seed: int
    limit: int | None
    wordings: str | None
    placebo: str | None
    tokens: bool


def takes(keywords: type, *owners: type) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Give a function of `**options` the signature and the documentation of its options."""
    names = inspect.get_annotations(keywords)
    every = (option for owner in owners for option in options_of(owner).values())
    options = {option.name: option for option in every if option.name in names}

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        plain = inspect.signature(function)
        plain_parameters = [p for p in plain.parameters.values() if p.kind is not p.VAR_KEYWORD]
        known = {*options, *(parameter.name for parameter in plain_parameters)}

        @wraps(function)
        def checked(*values: P.args, **given: P.kwargs) -> T:
            refuse_unknown(given, known, function.__name__)
            with errors_for_python():
                return function(*values, **given)

        added = [_parameter(option, names[option.name]) for option in options.values()]
        signature = plain.replace(parameters=[*plain_parameters, *added])
        checked.__signature__ = signature  # type: ignore[attr-defined]
        lines = [f"    {name}: {option.option.help}" for name, option in options.items()]
        # Since Python 3.13 docstrings come without their indentation.
        before, _, after = inspect.cleandoc(cast("str", function.__doc__)).partition(
            "    **options: "
        )
        checked.__doc__ = before + "\n".join((*lines, after.partition("\n")[2]))
        return checked

    return decorate


def refuse_unknown(given: Iterable[str], known: Collection[str], function: str) -> None:
    """Raise an error if a function lacks arguments of these names.

    Raises:
        TypeError: It lacks one; the message has the nearest that it has.
    """
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f". Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() has no argument {name!r}{hint}")


def _parameter(option: OptionField, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=annotation
    )


def options_made(owner: type[T], options: Mapping[str, object], **others: object) -> T:
    """The dataclass of options from keywords of which some are another's; None counts as not given."""
    declared: Any = owner
    names = {option.name for option in options_of(declared).values()}
    given = {name: value for name, value in options.items() if name in names and value is not None}
    return owner(**given, **others)
