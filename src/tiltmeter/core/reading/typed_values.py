"""Dataclasses from files that anybody may have written: every fault at once, with its place and a way out.

A field's type says what is read: texts, numbers, true or false, some words (`Literal`), lists, mappings and
further dataclasses. `Annotated[type, check]` adds checks: functions that return the value to be used, or
raise a fault. A dataclass with a method `faults` is asked what in it does not go together.
"""

import dataclasses
import difflib
import math
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tiltmeter.core.errors import BadInput, BadItems, Problem, TiltmeterError
from tiltmeter.core.text import shortened

T = TypeVar("T")
Read: TypeAlias = Callable[[Any], Any]
_NOTHING: Mapping[str, object] = {}
LARGEST = 1 << 63
"""Whole numbers are smaller, either way: no count comes near."""
UNREAD, OTHERS = "not in the file", "all other keys"
"""In `Annotated`: a field that is filled in later; a mapping of all keys that are no fields."""
_FEW = 3
"""Of so many words none is suggested."""
_NAMES = ("name", "id", "stem")
"""Keys by which messages tell the entries of a list apart."""
_PLAIN: Mapping[Any, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    types.NoneType: "null",
}


class Fault(ValueError):
    """Why a value cannot be used, what to do, and where it is: "" for the value itself."""

    def __init__(self, reason: str, way_out: str = "", at: str = "") -> None:
        self.reason, self.way_out, self.at = reason, way_out, at
        super().__init__(f"{at} {reason}".strip())

    def moved(self, place: str) -> "Fault":
        """The same fault, located within an enclosing value.

        >>> str(Fault("is 'x'", at="article").moved("[2] 'women'").moved("groups"))
        "groups[2] 'women': article is 'x'"
        """
        joint = ": " if place.endswith("'") else "."
        inner = self.at if not self.at or self.at.startswith("[") else f"{joint}{self.at}"
        return Fault(self.reason, self.way_out, f"{place}{inner if place else self.at}")


class Faults(ValueError):
    """All that is wrong with a value."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(str(faults[0]))


@dataclasses.dataclass(frozen=True, slots=True)
class Raw:
    """In `Annotated`: a function that reads the value in place of its type."""

    read: Read


@dataclasses.dataclass(frozen=True, slots=True)
class Key:
    """In `Annotated`: the key of a field that is named otherwise, and another that does as well."""

    name: str
    also: str = ""


def made(kind: type[T], value: object, **given: object) -> T:
    """The dataclass that a JSON object or TOML table describes; lists become tuples where the field says so.

    `given` are values of fields that it does not describe, as they are to be.

    Raises:
        Faults: It is no object, a field is missing or unknown, or a value is of another type, too large, or
            not finite.

    >>> from tiltmeter.core.results import Note
    >>> made(Note, {"kind": "data", "text": "One pair is listed twice."})
    Note(kind='data', text='One pair is listed twice.')
    >>> made(Note, {"kind": "data", "text": 7})
    Traceback (most recent call last):
    tiltmeter.core.reading.typed_values.Faults: text is 7, not a text
    """
    try:
        read: T = _table(kind, value, given)
    except (Fault, TiltmeterError) as error:
        raise Faults(faults_of(error, "")) from None
    return read


def checked(kind: type[T], value: object, *, file: str, manual: str = "") -> T:
    """The dataclass that a file of the user's describes.

    Raises:
        BadItems: It cannot be used: all faults, and where a whole file is shown.
    """
    try:
        return made(kind, value)
    except Faults as wrong:
        raise bad_items(wrong.faults, file, manual) from None


def bad_items(faults: Iterable[Fault], file: str, manual: str = "") -> BadItems:
    """The error that lists what is wrong with a file."""
    way_out = f"See {manual} for a whole file." if manual else ""
    return BadItems([Problem(str(f), f.way_out, file=file) for f in faults], way_out=way_out)


def faults_of(error: ValueError | TiltmeterError, place: str) -> list[Fault]:
    """What an error says about the value at a place."""
    if isinstance(error, Faults):
        return [fault.moved(place) for fault in error.faults]
    if isinstance(error, BadInput):
        error = Fault(error.problem.reason, error.problem.way_out)
    fault = error if isinstance(error, Fault) else Fault(f"is refused: {str(error).rstrip('.')}")
    return [fault.moved(place)]


def near_miss(name: str, known: Iterable[str]) -> str:
    """The beginning of a way out that names a similar word; "" without one."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}? " if near else ""


def unknown_key(key: str, known: Sequence[str]) -> Fault:
    """That a table has a key which is not known."""
    way_out = f"{near_miss(key, known)}known: {', '.join(known)}"
    return Fault(f"has an unknown key {key[:40]!r}", way_out)


@cache
def reader(hint: Any) -> Read:
    """What reads values of a type, and raises a fault or faults."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        raw = next((mark.read for mark in inner if isinstance(mark, Raw)), None)
        return partial(_checked, raw or reader(inner[0]), tuple(filter(callable, inner[1:])))
    if origin in {Union, types.UnionType}:
        return partial(_either, [reader(each) for each in inner if each is not types.NoneType],
                       types.NoneType in inner)  # fmt: skip
    if origin is Literal:
        return partial(_word, inner)
    if isinstance(origin, type):
        return partial(_mapping if issubclass(origin, Mapping) else _listed, origin, inner)
    plain = (lambda value: value) if hint is Any else partial(_plain, hint)
    return partial(_table, hint) if dataclasses.is_dataclass(hint) else plain


def _checked(read: Read, checks: Sequence[Read], value: Any) -> Any:
    value = read(value)
    for check in checks:
        value = check(value)
    return value


def _either(readers: Sequence[Read], may_be_none: bool, value: Any) -> Any:  # noqa: FBT001
    if value is None and may_be_none:
        return None
    reasons = []
    for read in readers:
        try:
            return read(value)
        except ValueError as error:
            reasons.append(error)
    raise reasons[0]  # the first type is the usual one


def _word(words: Sequence[str], value: Any) -> Any:
    if isinstance(value, str) and value in words:
        return value
    known = " or ".join(f'"{word}"' for word in words)
    hint = near_miss(str(value), words) if len(words) > _FEW else ""
    raise Fault(f"is {_shown(value)}", f"{hint}write {known}")


def _plain(hint: Any, value: Any) -> Any:
    small = type(value) is int and abs(value) < LARGEST  # isinstance would take True for 1
    if hint is int or hint is float:
        fits = small or (hint is float and isinstance(value, float) and math.isfinite(value))
    else:
        fits = isinstance(value, hint)
    if fits:
        return value
    quoting = "put it in" if hint is str else "write it without"
    is_quoted = (hint is str) != isinstance(value, str)
    way_out = f"{quoting} quotation marks" if is_quoted else "correct it"
    raise Fault(f"is {_shown(value)}, not {_PLAIN[hint]}", way_out)


def _shown(value: object) -> str:
    return shortened(repr(value), 80)


def _each(entries: Iterable[tuple[str, Read, Any]]) -> list[Any]:
    """Every value read, or all that is wrong with them; each with its place and its reader."""
    values, faults = [], list[Fault]()
    for place, read, value in entries:
        try:
            values.append(read(value))
        except (ValueError, TiltmeterError) as error:
            faults += faults_of(error, place)
    if faults:
        raise Faults(faults)
    return values


def _mapping(_: Any, inner: Sequence[Any], value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise Fault("is not a table of keys and values", "write one")
    read_key, read = map(reader, inner)
    keys = _each((str(key)[:40], read_key, key) for key in value)
    return dict(zip(keys, _each((str(k)[:40], read, v) for k, v in value.items()), strict=True))


def _listed(origin: Any, inner: tuple[Any, ...], value: Any) -> Any:
    fixed = origin is tuple and inner[-1] is not Ellipsis
    if not isinstance(value, list | tuple) or (fixed and len(value) != len(inner)):
        kind = _bare(inner[0])
        of = "tables" if dataclasses.is_dataclass(kind) else "texts" if kind is str else "values"
        way_out = "begin each with [[…]]" if of == "tables" else "write […]"
        raise Fault(f"is not a list of {len(inner) if fixed else of}", way_out)
    hints = inner if fixed else inner[:1] * len(value)
    places = (f"[{number}]{_named(entry)}" for number, entry in enumerate(value, start=1))
    entries = _each(zip(places, map(reader, hints), value, strict=True))
    return tuple(entries) if origin is tuple else entries


def _named(entry: Any) -> str:
    names = (entry.get(key) for key in _NAMES) if isinstance(entry, Mapping) else ()
    return next((f" {name[:40]!r}" for name in names if name and isinstance(name, str)), "")


class TypedField(NamedTuple):
    """How a field is read."""

    name: str
    hint: Any
    read: Read
    is_needed: bool
    passes: frozenset[type]
    """The types of which every value is read as it is, but for numbers that are too large or not finite."""


@cache
def fields_of(kind: Any) -> Mapping[str, TypedField]:
    """The fields of a dataclass by their keys in a file; OTHERS is the key of that for all other keys."""
    hints = get_type_hints(kind, include_extras=True)
    fields = {}
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        names = next((mark for mark in marks if isinstance(mark, Key)), Key(field.name))
        default = (field.default, field.default_factory)
        is_needed = default == (dataclasses.MISSING, dataclasses.MISSING)
        for key in () if UNREAD in marks else filter(None, (names.name, names.also)):
            at = OTHERS if OTHERS in marks else key
            needed = is_needed and key != names.also
            fields[at] = TypedField(field.name, hint, reader(hint), needed, _passing(hint))
    return fields


def _passing(hint: Any) -> frozenset[type]:
    """The types of which every value passes for a hint without a check of its own (`TypedField.passes`)."""
    if get_origin(hint) in {Union, types.UnionType}:
        return frozenset().union(*map(_passing, get_args(hint)))
    if hint is float:
        return frozenset({float, int})
    return frozenset({hint}) if hint in {str, int, bool, types.NoneType} else frozenset()


def _read_at_once(kind: Any, table: dict[Any, Any]) -> dict[str, Any] | None:
    """The values of a table without a fault, by field; None where a closer look is needed.

    Thousands of tables of one kind, such as a run's estimates, are read in half the time.
    """
    fields = fields_of(kind)
    values: dict[str, Any] = {}
    try:
        for key, value in table.items():
            field, of = fields[key], type(value)
            if of not in field.passes:
                value = field.read(value)  # noqa: PLW2901
            elif (of is float and not math.isfinite(value)) or (
                of is int and abs(value) >= LARGEST
            ):
                return None
            values[field.name] = value
    except (KeyError, ValueError, TiltmeterError):
        return None
    is_whole = len(values) == len(table) and not (_needed(kind) - values.keys())
    return values if is_whole and OTHERS not in fields else None


@cache
def _needed(kind: Any) -> frozenset[str]:
    return frozenset(field.name for field in fields_of(kind).values() if field.is_needed)


def _table(kind: Any, value: Any, further: Mapping[str, object] = _NOTHING) -> Any:
    if not isinstance(value, Mapping):
        raise Fault("is not a table of keys and values", "write one")
    values = _read_at_once(kind, value) if type(value) is dict else None
    if values is None:
        given, faults = _by_field(fields_of(kind), value)
        read: list[Any] = []
        try:
            read = _each(given.values())
        except Faults as wrong:
            faults += wrong.faults
        if faults:
            raise Faults(faults)
        values = dict(zip(given, read, strict=True))
    made_of_it = kind(**values, **further)
    if faults := [*made_of_it.faults()] if hasattr(made_of_it, "faults") else []:
        raise Faults(faults)
    return made_of_it


def _by_field(
    fields: Mapping[str, TypedField], table: Mapping[Any, Any]
) -> tuple[dict[str, tuple[str, Read, Any]], list[Fault]]:
    """For each field its key, its reader and its value; and keys that are unknown, double or missing."""
    given: dict[str, tuple[str, Read, Any]] = {}
    faults, further = [], {}
    for written, value in table.items():
        key = written if written in fields else str(written).replace("-", "_")
        field = None if key == OTHERS else fields.get(key)
        if field is None:
            further[written] = value
        elif field.name in given:
            reason = f"has both {given[field.name][0]} and {written}"
            faults.append(Fault(reason, "keep one of them"))
        else:
            given[field.name] = str(written), field.read, value
    if others := fields.get(OTHERS):
        given[others.name] = "", others.read, further
    else:
        faults += [unknown_key(str(key), [*fields]) for key in further]
    for key, field in fields.items():
        if field.is_needed and field.name not in given:
            faults.append(Fault(f"has no {key}", f"write {_example(key, field.hint)}"))
    return given, faults


def _example(key: str, hint: Any) -> str:
    kind = _bare(hint)
    inner = _bare(get_args(kind)[0]) if get_args(kind) else None
    if any(isinstance(mark, Raw) for mark in get_args(hint)):
        return f"{key} = …"
    if dataclasses.is_dataclass(inner):
        return f"[[{key}]] and its keys below"
    if dataclasses.is_dataclass(kind) or get_origin(kind) is Mapping:
        return f"[{key}] and its keys below"
    return f'{key} = "…"' if kind is str else f"{key} = …"


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
