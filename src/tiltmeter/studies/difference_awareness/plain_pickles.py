"""Pickles of lists, texts and numbers, read as data and without running any of their code.

The instructions of a pickle are interpreted here, and only those that lists, tuples, dicts, texts and numbers
need. Python's own reader is not used: whatever a pickle may name there can be made to hold a state that its
code does not expect, which ends the process or worse. NumPy's numbers and texts become Python's, a
`Namespace` becomes a dict; nothing is imported and nothing is called.
"""

import pickletools
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tiltmeter.core.errors import BadInput

_SCALAR = frozenset({"numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar"})
_DTYPE, _NAMESPACE = "numpy.dtype", "argparse.Namespace"
_FLOATS: Mapping[int, str] = {2: "e", 4: "f", 8: "d"}
_DEEPEST = 100
"""Levels of lists in lists; a deeper pickle is refused, as what walks through it would run out of stack."""


def read_pickle(path: Path) -> Any:
    """What a pickle holds; BadInput where it is none, or has more than lists, texts and numbers."""
    try:
        return _Reader().read(path.read_bytes())
    except (IndexError, ValueError, OSError, OverflowError, struct.error) as why:
        reason = f"is no pickle of lists, texts and numbers ({why})"
        raise BadInput(reason, "save it as CSV or JSONL", file=path.name) from None


@dataclass(frozen=True, slots=True)
class _Name:
    """A class or function that the pickle names: never looked up."""

    name: str


@dataclass(slots=True)
class _Kind:
    """A type of numbers or texts of NumPy: a letter and the bytes of one, such as i8; and their order."""

    code: str
    order: str = "<"


class _Mark:
    """Where a list's elements begin on the stack."""


class _Reader:
    """The state of reading: a stack, and values that the pickle refers to again by number."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def read(self, content: bytes) -> Any:
        for instruction, argument, _ in pickletools.genops(content):
            if instruction.name == "STOP":
                value = self._stack.pop()
                _check_plain(value)
                return value
            if instruction.name not in _DO:
                raise ValueError(f"it has the instruction {instruction.name}")
            _DO[instruction.name](self, argument)
        raise ValueError("it does not end")

    def push(self, value: Any) -> None:
        """Push a value that the instruction itself holds."""
        self._stack.append(value)

    def keep(self, number: int | None) -> None:
        """Remember the top of the stack under this number; None is the next free one."""
        self._memo[len(self._memo) if number is None else number] = self._stack[-1]

    def recall(self, number: int) -> None:
        """Push what was remembered under this number."""
        if number not in self._memo:
            raise ValueError("it refers to what it has not kept")
        self._stack.append(self._memo[number])

    def push_tuple(self, length: int) -> None:
        """Replace the topmost values by a tuple of them."""
        self._stack.append(tuple(self._pop(length)))

    def collect(self, kind: Callable[[list[Any]], Any]) -> None:
        """Replace what lies above the mark by one value made of it."""
        self._stack.append(kind(self._since_mark()))

    def extend(self, elements: list[Any]) -> None:
        """Extend the list or dict below these elements by them."""
        below = self._stack[-1]
        if type(below) is list:
            below.extend(elements)
        elif type(below) is dict:
            below.update(_dict(elements))
        else:
            raise ValueError(f"it adds to {type(below).__name__}")

    def extend_by_one(self, length: int) -> None:
        """Extend by the topmost values: one element, or a key with its value."""
        self.extend(self._pop(length))

    def extend_by_many(self, _: Any) -> None:
        """Extend by what lies above the mark."""
        self.extend(self._since_mark())

    def _pop(self, length: int) -> list[Any]:
        return [self._stack.pop() for _ in range(length)][::-1]

    def _since_mark(self) -> list[Any]:
        elements = []
        while not isinstance(top := self._stack.pop(), _Mark):
            elements.append(top)
        return elements[::-1]

    def name(self, argument: str | None) -> None:
        """Push a class or function, named in the instruction or by the two topmost texts."""
        if argument is None:
            module, name = self._pop(2)
            full = f"{module}.{name}" if type(module) is type(name) is str else "no text"
        else:
            full = argument.replace(" ", ".")
        if full not in {*_SCALAR, _DTYPE, _NAMESPACE}:
            raise ValueError(f"it names {full}")
        self._stack.append(_Name(full))

    def call(self, _: Any) -> None:
        """Replace a class or function and its arguments by the plain value that they stand for."""
        name, arguments = self._pop(2)
        self._stack.append(_called(name, arguments))

    def build(self, _: Any) -> None:
        """The state of a type or of a namespace."""
        state = self._stack.pop()
        target = self._stack[-1]
        if isinstance(target, _Kind) and type(state) is tuple and len(state) > 1:
            target.order = ">" if state[1] == ">" else "<"
        elif type(target) is dict and type(state) is dict and not target:
            target.update(state)
        else:
            raise ValueError("it sets the state of an object")


def _with(method: "_Instruction", value: Any, reader: _Reader, _: Any) -> None:
    method(reader, value)


def _push_new(make: Callable[[], Any], reader: _Reader, _: Any) -> None:
    reader.push(make())


def _check_plain(value: Any, depth: int = 0, checked: dict[int, int] | None = None) -> None:
    """Refuse what is not plain, or nested so deeply that it may have no end."""
    checked = {} if checked is None else checked
    if isinstance(value, (_Name, _Kind, _Mark)):
        raise ValueError(  # noqa: TRY004  (of the file)
            "it holds more than values"
        )
    if not isinstance(value, (list, tuple, dict)) or checked.get(id(value), -1) >= depth:
        return
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    checked[id(value)] = depth  # what is shared is gone through again only where it lies deeper
    for element in value.values() if isinstance(value, dict) else value:
        _check_plain(element, depth + 1, checked)


def _dict(elements: list[Any]) -> dict[str | int, Any]:
    keys, values = elements[::2], elements[1::2]
    if not all(type(key) in {str, int} for key in keys):
        raise ValueError("a key is neither a text nor a whole number")
    return dict(zip(keys, values, strict=True))


def _called(name: Any, arguments: Any) -> Any:
    """The plain value for what a constructor of NumPy or argparse would make."""
    if not isinstance(name, _Name) or type(arguments) is not tuple:
        raise ValueError("it calls what it has not named")
    if name.name == _NAMESPACE and not arguments:
        return {}
    if name.name == _DTYPE and arguments and type(arguments[0]) is str:
        return _Kind(arguments[0])
    if name.name in _SCALAR and len(arguments) == 2:  # noqa: PLR2004  (type and bytes)
        return _scalar(*arguments)
    raise ValueError(f"it calls {name.name} with other arguments than a number has")


def _scalar(kind: Any, raw: Any) -> bool | int | float | str:
    if not isinstance(kind, _Kind) or type(raw) is not bytes:
        raise ValueError("a number has no type")
    letter, size = kind.code[:1], kind.code[1:]
    width = int(size) if size.isascii() and size.isdigit() else -1
    if letter == "U" and len(raw) == 4 * width:
        return raw.decode("utf-32-be" if kind.order == ">" else "utf-32-le").rstrip("\0")
    if len(raw) != width:
        raise ValueError(f"a number of the type {kind.code[:9]} has {len(raw)} bytes")
    if letter == "f" and width in _FLOATS:
        (number,) = struct.unpack(kind.order + _FLOATS[width], raw)
        return float(number)
    if letter in "iub" and width in {1, 2, 4, 8}:
        order: Literal["big", "little"] = "big" if kind.order == ">" else "little"
        whole = int.from_bytes(raw, order, signed=letter == "i")
        return bool(whole) if letter == "b" else whole
    raise ValueError(f"it has numbers of the type {kind.code[:9]}")


_Instruction: TypeAlias = Callable[[_Reader, Any], None]
_CONSTANTS: Mapping[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "MARK": _Mark,
    "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "EMPTY_DICT": dict,
}  # fmt: skip
_VALUES = (
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "UNICODE",
    "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8",
)  # fmt: skip
"""Instructions that hold a value."""
_DO: Mapping[str, _Instruction] = {
    **{name: partial(_push_new, make) for name, make in _CONSTANTS.items()},
    **dict.fromkeys(_VALUES, _Reader.push),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), _Reader.keep),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Reader.recall),
    **{f"TUPLE{n}": partial(_with, _Reader.push_tuple, n) for n in (1, 2, 3)},
    "TUPLE": partial(_with, _Reader.collect, tuple),
    "LIST": partial(_with, _Reader.collect, list),
    "DICT": partial(_with, _Reader.collect, _dict),
    "APPEND": partial(_with, _Reader.extend_by_one, 1),
    "SETITEM": partial(_with, _Reader.extend_by_one, 2),
    **dict.fromkeys(("APPENDS", "SETITEMS"), _Reader.extend_by_many),
    **dict.fromkeys(("GLOBAL", "STACK_GLOBAL"), _Reader.name),
    **dict.fromkeys(("REDUCE", "NEWOBJ"), _Reader.call),
    "BUILD": _Reader.build,
    **dict.fromkeys(("PROTO", "FRAME"), lambda *_: None),
}
"""What each instruction does; a pickle with another one is refused."""
