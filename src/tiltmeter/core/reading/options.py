"""Options, each declared once: a field of a dataclass with its help, its default and its check.

    @dataclass(frozen=True, slots=True)
    class LoopOptions(CheckedOptions):
        budget: Annotated[int, Option("Votes to buy.", min=1)] = 500

The command line (`cli.machinery.option_parameters`), the Python API (`api.keywords`), sweeps and
audit profiles (`run.sweeps.sweep`) take names, types, defaults, texts and checks from there. Modules that
declare options load nothing slow, because help pages need them.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from tiltmeter.core.errors import BadInput, UnknownName


@dataclass(frozen=True, slots=True)
class Option:
    """What users read of a field, and what they may write, besides its type and default."""

    help: str
    _: KW_ONLY
    name: str = ""
    """The option's name for users, if it differs from the field's: `map` for `columns`."""
    letter: str = ""
    """A letter that the command line takes instead of the name."""
    argument: bool = False
    """On the command line by its place, without a name."""
    min: float | None = None
    max: float | None = None
    above: float | None = None
    below: float | None = None
    """Numbers lie from `min` to `max`, above `above` and below `below`."""
    choices: tuple[str, ...] = ()
    """All values that a text may have, where its type is no `Literal`."""
    noun: str = ""
    """What the choices are, for errors: "policy for ties"; the option's name by default."""
    complete: str = ""
    """The function in `cli.completion` that gives a shell the values."""
    metavar: str | None = None
    typed: Any = None
    """The type of what users write, where the field takes more than that in Python."""
    parse: Callable[[Any], Any] | None = None
    """From what was typed on the command line to the field's value."""
    file: bool = False
    """A file to read: one of the hub (`hf:…`) is fetched when it is named on the command line."""
    may_be_empty: bool = False
    """An empty text is a value of its own, such as no separator; elsewhere the command line refuses it."""


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option with what its field says."""

    name: str
    """The name of the dataclass field."""
    option: Option
    type: Any
    """The type of what users write, without `None`."""
    optional: bool
    """Whether it may be None."""
    default: Any
    """`MISSING` where a value is required."""
    choices: tuple[str, ...]
    shape: Any
    """What Python gives where it is not what users write: `Mapping`, `tuple`; None of other values."""

    @property
    def key(self) -> str:
        """The option's name for users: `skip-invalid`."""
        return (self.option.name or self.name.rstrip("_")).replace("_", "-")

    def check(self, value: object, shown: str = "") -> None:
        """Refuse a value that users may not write.

        Raises:
            BadInput: It is of another type, or out of range.
            UnknownName: It is none of the choices.
        """
        if value is None and self.optional:
            return
        if must := self._unmet(value):
            raise BadInput(f"{shown or self.name} is {value!r}", f"it must be {must}")
        if self.choices and value not in self.choices:
            raise UnknownName(self.option.noun or self.key, str(value), self.choices)

    def _unmet(self, value: object) -> str:
        """What the value must be and is not; "" where it is."""
        if self.type is bool:
            return "" if isinstance(value, bool) else "true or false"
        if self.type is str:
            return "" if isinstance(value, str) else "a text"
        if get_origin(self.type) is Mapping:
            fits = isinstance(value, Mapping) and all(isinstance(v, str) for v in value.values())
            return "" if fits else "a table of texts"
        if get_origin(self.type) is tuple:
            numbers = get_args(self.type)[0] in (int, float)
            kinds = int | float if numbers else str | Path
            fits = isinstance(value, tuple) and all(isinstance(v, kinds) for v in value)
            return "" if fits else "a list of numbers" if numbers else "a list of texts"
        return "" if self.type not in (int, float) or self._is_in_range(value) else self._range()

    def _is_in_range(self, value: object) -> bool:
        option = self.option
        # True is an Integral in Python, and no number to whoever writes it.
        if not isinstance(value, Integral if self.type is int else Real) or isinstance(value, bool):
            return False
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            return False
        return (
            math.isfinite(number)
            and (option.min is None or number >= option.min)
            and (option.max is None or number <= option.max)
            and (option.above is None or number > option.above)
            and (option.below is None or number < option.below)
        )

    def _range(self) -> str:
        """A number that would do, in words: "a whole number from 1 up"."""
        option, words = self.option, "a whole number" if self.type is int else "a number"
        top = "up" if option.max is None else f"to {option.max:g}"
        bounds = {
            "from {:g} " + top: option.min,
            "above {:g}": option.above,
            "below {:g}": option.below,
        }
        limits = [text.format(bound) for text, bound in bounds.items() if bound is not None]
        return " ".join([words, " and ".join(limits)]).rstrip()


def options_given(options: Any) -> dict[str, Any]:
    """The options of an instance that are not at their defaults, by the names that users write.

    >>> @dataclass
    ... class Loop:
    ...     budget: Annotated[int, Option("Votes to buy.")] = 500
    >>> options_given(Loop(20)), options_given(Loop())
    ({'budget': 20}, {})
    """
    owner: Any = type(options)
    values = {key: (getattr(options, o.name), o.default) for key, o in options_of(owner).items()}
    return {key: value for key, (value, default) in values.items() if value != default}


@cache
def options_of(owner: Any) -> Mapping[str, OptionField]:
    """The options of a dataclass by the names that users write: those that it adds to its bases first.

    A field that has only another default in a subclass keeps the option of its base.
    """
    declared: dict[str, tuple[Any, Option | None]] = {}
    for base in owner.__mro__:
        for name, annotation in vars(base).get("__annotations__", {}).items():
            first, known = declared.get(name, (annotation, None))
            marks = getattr(annotation, "__metadata__", ())
            option = known or next((mark for mark in marks if isinstance(mark, Option)), None)
            declared[name] = (first, option)
    usual = {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in fields(owner)
    }
    every = [
        option_field(name, option, annotation, usual[name])
        for name, (annotation, option) in declared.items()
        if option is not None
    ]
    return {option.key: option for option in every}


def declared_types(owner: Any) -> dict[str, Any]:
    """The types of the fields that are options, by the fields' names, without what is said of them.

    >>> @dataclass
    ... class Loop:
    ...     budget: Annotated[int | None, Option("Votes to buy.")] = None
    >>> declared_types(Loop)
    {'budget': int | None}
    """
    hints = get_type_hints(owner)
    return {option.name: hints[option.name] for option in options_of(owner).values()}


def check_options(options: Any) -> None:
    """Refuse values that options cannot have; called by `__post_init__` of a dataclass of options.

    Raises:
        BadInput: One is of another type, or out of range.
        UnknownName: One is none of its choices.
    """
    owner: Any = type(options)
    for option in options_of(owner).values():
        value = getattr(options, option.name)
        if option.option.typed is None or option.choices:
            option.check(value)
        elif option.shape and not isinstance(value, option.shape | NoneType):
            must = "a list" if option.shape is tuple else "a table, as a dict"
            raise BadInput(f"{option.name} is {value!r}", f"it must be {must}")


class CheckedOptions:
    """Base of dataclasses of options that need no check beyond `check_options`."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Refuse what is of another type, out of range, or none of the choices."""
        check_options(self)


def option_field(name: str, option: Option, annotation: Any, default: Any) -> OptionField:
    """An option with what its field or parameter says; `MISSING` as the default requires a value."""
    declared = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    written = declared if option.typed is None else option.typed
    members = [member for member in get_args(written) if member is not NoneType]
    optional = len(members) < len(get_args(written)) or default is None
    kind = members[0] if optional and len(members) == 1 else written
    choices = option.choices or (get_args(kind) if get_origin(kind) is Literal else ())
    shapes = (get_origin(part) for part in (declared, *get_args(declared)))
    shape = next((origin for origin in shapes if origin in {Mapping, tuple}), None)
    kind = str if option.choices else kind
    return OptionField(name, option, kind, optional, default, choices, shape)


Encoding = Annotated[str, Option("File encoding (default UTF-8).")]
Missing = Annotated[
    str | None,
    Option(
        "Words for missing values, separated by commas (default: NA, N/A, None, null and others).",
        metavar="WORDS",
        may_be_empty=True,
    ),
]
Seed = Annotated[int, Option("Seed of bootstraps and random masks.", min=0)]
SkipInvalid = Annotated[bool, Option("Leave out items that cannot be scored, and list them.")]
READING_STUDY = Option("The study that reads the data (default: one that knows their layout).")
TABLE_LABELS = Option(
    "A table's labels, from low to high (repeatable; default: those in the table)."
)
PeopleScale = Annotated[str, Option("Rating scale of the people's file.", metavar="LOW:HIGH")]
