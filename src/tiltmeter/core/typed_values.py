"""Dataclasses from JSON that anybody may have edited: every value of the type that its field declares."""

import dataclasses
import math
import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
LARGEST = 1 << 63
"""Whole numbers are smaller, either way: no count comes near."""


def made(kind: type[T], said: object) -> T:
    """The dataclass that a JSON object describes.

    Lists become tuples where the field says so; whole numbers serve as floating-point ones.

    Args:
        kind: The dataclass.
        said: What was read.

    Raises:
        ValueError: It is no object, a field is missing or unknown, or a value is of another type, too
            large, or not finite.

    >>> from tiltmeter.core.results import Note
    >>> made(Note, {"kind": "data", "text": "One pair is listed twice."})
    Note(kind='data', text='One pair is listed twice.')
    >>> made(Note, {"kind": "data", "text": 7})
    Traceback (most recent call last):
    ValueError: text is not a text
    """
    if not isinstance(said, Mapping):
        raise ValueError("it is not an object")  # noqa: TRY004  (one kind of error for all)
    described: Any = kind  # its hints are kept, for which mypy takes a type to be no key
    hints = _hints(described)
    for name in said:
        if name not in hints:
            raise ValueError(f"{str(name)[:40]!r} is not known")
    needed = [f.name for f in dataclasses.fields(kind) if _is_needed(f)]  # type: ignore[arg-type]
    missing = [name for name in needed if name not in said]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    return kind(**{name: _value(hints[name], value, name) for name, value in said.items()})


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


@cache
def _hints(kind: type[Any]) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}


def _value(hint: Any, value: object, at: str) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return _one_of(inner, value, at)
    if origin is Literal:
        return _checked(
            value, isinstance(value, str) and value in inner, at, "one of the known words"
        )
    if isinstance(origin, type) and issubclass(origin, Mapping):
        _checked(value, isinstance(value, dict), at, "an object")
        assert isinstance(value, dict)  # noqa: S101  (for mypy; JSON has no other mappings)
        return {key: _value(inner[1], each, f"{at}.{str(key)[:40]}") for key, each in value.items()}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _listed(origin, inner, value, at)
    described: Any = hint
    return made(described, value) if dataclasses.is_dataclass(hint) else _plain(hint, value, at)


def _one_of(hints: Sequence[Any], value: object, at: str) -> Any:
    reasons = []
    for hint in hints:
        try:
            return _value(hint, value, at)
        except ValueError as error:
            reasons.append(str(error))
    raise ValueError(reasons[0])


def _listed(origin: type[Any], inner: Sequence[Any], value: object, at: str) -> Any:
    _checked(value, isinstance(value, list), at, "a list")
    assert isinstance(value, list)  # noqa: S101
    fixed = origin is tuple and inner[-1] is not Ellipsis
    if fixed and len(value) != len(inner):
        raise ValueError(f"{at} is not a list of {len(inner)}")
    each = inner if fixed else [inner[0]] * len(value)
    found = [_value(hint, one, at) for hint, one in zip(each, value, strict=True)]
    return tuple(found) if origin is tuple else found


def _plain(hint: Any, value: object, at: str) -> Any:
    if hint is Any:
        return value
    if hint is types.NoneType:
        return _checked(value, value is None, at, "null")
    if hint is str:
        return _checked(value, isinstance(value, str), at, "a text")
    if hint is bool:
        return _checked(value, isinstance(value, bool), at, "true or false")
    small = type(value) is int and abs(value) < LARGEST
    if hint is int:
        return _checked(value, small, at, "a whole number")
    finite = small or (isinstance(value, float) and math.isfinite(value))
    return _checked(value, finite, at, "a number")


def _checked(value: object, fits: bool, at: str, what: str) -> Any:  # noqa: FBT001
    if not fits:
        raise ValueError(f"{at} is not {what}")
    return value
