"""Every error this library raises on purpose.

TiltmeterError
├── UnknownName     a study, rule, convention, model or data set that does not exist
├── BadInput        a file or an option that cannot be used as it is
├── BadItems        items that cannot be scored, all of them listed
├── CannotAnswer    the model cannot be asked what the rule asks
├── MissingExtra    a library that an optional part needs is not installed
├── Unavailable     something outside failed: a download, a model that does not load
├── StorageError    an answer or a result could not be written or read back
├── LimitReached    a limit that the user has set, on requests or cost, stopped a run
└── Undefined       a metric that has no value on these scores

Each names the thing, the reason and the way out. `exit_code` is what the command line ends with:
2 for input or usage that the user can correct, 1 for an outside failure.
"""

import difflib
import pickle
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tiltmeter.core.distribution import DISTRIBUTION
from tiltmeter.core.reading.file_names import similar_paths
from tiltmeter.core.text import shortened, visible

LISTED = 20
"""How many problems an error message lists before it only counts the rest."""
_NUMBER = re.compile(r"\[Errno -?\d+\] ")


class TiltmeterError(Exception):
    """Base class: `except TiltmeterError` catches all of them and nothing else.

    >>> isinstance(BadInput("the file is empty"), TiltmeterError)
    True
    """

    exit_code: ClassVar[int] = 2

    def __reduce__(self) -> tuple[object, ...]:
        # pickle would call `__init__` with the message alone, of which several classes take more
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[TiltmeterError], args: tuple[object, ...]) -> TiltmeterError:
    return kind.__new__(kind, *args)


class UnknownName(TiltmeterError):
    """An unknown name; the message suggests similar names, or gives a hint, and lists the known ones.

    With `or_file`, the name may also be that of a file, and one with a folder or a suffix is answered with
    the files that it resembles. Names that come over the network are never looked up so.

    >>> str(UnknownName("study", "crow_pairs", ["crows_pairs", "winobias"]))
    "No study named 'crow_pairs'. Did you mean 'crows_pairs'? Known: crows_pairs, winobias."
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], hint: str = "", *, or_file: bool = False
    ) -> None:
        names, name = sorted(known), str(name)  # from Python it may be anything
        is_path = bool(Path(name).suffix) or "/" in name
        near = similar_paths(name) if or_file and is_path else []
        near = near or difflib.get_close_matches(name.lower(), names, n=3)
        meant = f"Did you mean {' or '.join(map(repr, near))}?" if near else hint
        hint = f" {meant}" if meant else ""
        listed = ", ".join(names) if names else "none"
        shown = repr(shortened(name, 200))
        super().__init__(shortened(f"No {kind} named {shown}.{hint} Known: {listed}."))


def known_names(kind: str, names: Iterable[str], known: Collection[str]) -> list[str]:
    """The names, each of which must be known.

    Raises:
        UnknownName: One is not.
    """
    listed = list(names)
    for name in listed:
        if name not in known:
            raise UnknownName(kind, name, known)
    return listed


def reason_of(error: BaseException) -> str:
    """What an error of Python says, to be put into a message: without its number and the file's name.

    >>> reason_of(FileNotFoundError(2, "No such file or directory", "a.csv"))
    'No such file or directory'
    >>> reason_of(ConnectionError("[Errno 111] Connection refused"))
    'Connection refused'
    """
    text = getattr(error, "strerror", None) or str(error)
    return _NUMBER.sub("", text) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with one item: where it is, what is wrong, how to correct it.

    >>> print(Problem("sent_less is empty", "fill it in", file="pairs.csv", line=17))
    pairs.csv:17: sent_less is empty; fill it in
    """

    reason: str
    way_out: str = ""
    file: str = ""
    line: int | None = None
    item: str = ""
    field: str = ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part not in {"", None})
        described = f"item {self.item!r}" if self.item and not place else ""
        start = ": ".join(part for part in (place, described) if part)
        text = f"{start}: {self.reason}" if start else self.reason
        return visible(shortened(f"{text}; {self.way_out}" if self.way_out else text))


class BadInput(TiltmeterError):
    """A file or an option that cannot be used as it is.

    >>> str(BadInput("the file is empty", "give one with a header line", file="pairs.csv"))
    'pairs.csv: the file is empty; give one with a header line'
    """

    def __init__(
        self, reason: str, way_out: str = "", *, file: str = "", line: int | None = None
    ) -> None:
        self.problem = Problem(reason, way_out, file=file, line=line)
        super().__init__(str(self.problem))


class BadItems(TiltmeterError):
    """Items that have no defined score. They stop the run rather than score 0.

    Of more than `LISTED` problems, those with the same reason are one line that counts them.
    """

    def __init__(self, problems: Sequence[Problem], *, way_out: str = "") -> None:
        self.problems, self.way_out = tuple(problems), way_out
        kinds = (
            _alike(self.problems) if len(self.problems) > LISTED else [[p] for p in self.problems]
        )
        shown = [
            f"{first} (and {len(others):,} more like it)" if others else str(first)
            for first, *others in kinds[:LISTED]
        ]
        rest = sum(len(kind) for kind in kinds[LISTED:])
        if rest:
            shown.append(f"… and {rest} more")
        if way_out:
            shown.append(way_out)
        super().__init__("\n".join(shown))


def _alike(problems: Iterable[Problem]) -> list[list[Problem]]:
    """The problems that differ only in where they are, together."""
    kinds: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault((problem.reason, problem.way_out, problem.file), []).append(problem)
    return list(kinds.values())


def in_one_line(error: BaseException) -> str:
    r"""The message of an error in one line, preceded by the error's class if it is not a TiltmeterError.

    Of many items it has the first problem, and counts the others.

    >>> in_one_line(ValueError("two\nlines"))
    'ValueError: two lines'
    >>> in_one_line(BadItems([Problem("too long", item="a"), Problem("too short", item="b")]))
    "item 'a': too long (and 1 more)"
    """
    if isinstance(error, BadItems) and len(error.problems) > 1:
        first, rest = str(error.problems[0]), len(error.problems) - 1
        return in_one_line(BadInput(f"{first} (and {rest:,} more)", error.way_out))
    text = " ".join(str(error).split())[:500]
    if isinstance(error, TiltmeterError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def stop_at(problems: Sequence[Problem], what: str = "rows", *, skip_invalid: bool = False) -> None:
    """Stop where there are problems with rows, or items called `what`, unless these are to be skipped.

    Raises:
        BadItems: There are, and they are not. All are listed.
    """
    if problems and not skip_invalid:
        way_out = f"Correct these {what}, or leave them out with --skip-invalid."
        raise BadItems(problems, way_out=way_out)


class CannotAnswer(TiltmeterError):
    """The model lacks what the rule needs; `lacks` says it in a few words: "cannot embed texts"."""

    def __init__(self, message: str, *, lacks: str = "") -> None:
        super().__init__(message)
        self.lacks = lacks


class MissingExtra(TiltmeterError):
    """A library that an optional part of Tiltmeter needs is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        way_out = f"pip install '{DISTRIBUTION}[{extra}]'"
        super().__init__(f"{what} needs the extra [{extra}]: {way_out}")


@contextmanager
def extra(what: str, name: str) -> Iterator[None]:
    """Where libraries of an extra are imported, for `what`: MissingExtra if they are not installed."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(what, name) from error


class Unavailable(TiltmeterError):
    """Something outside failed: a download, a checksum, a model that does not load."""

    exit_code = 1


class StorageError(TiltmeterError):
    """An answer or a result could not be written, or read back."""

    exit_code = 1


class LimitReached(TiltmeterError):
    """A limit on requests or cost stopped a run; what was answered is kept."""

    exit_code = 1


class Undefined(TiltmeterError):
    """The metric has no value here. The runner reports null and this reason, never 0."""

    exit_code = 1


def portable(error: BaseException) -> BaseException:
    """The error itself if pickle can send it to another process, or one with the same message.

    That one is of the closest base class of which this holds, and has no attributes of its own. So an
    error of the user stays one, and an error of the system too.
    """
    if _same_elsewhere(error):
        return error
    kinds = (kind for kind in type(error).__mro__ if issubclass(kind, BaseException))
    others = (kind.__new__(kind, str(error)) for kind in kinds)
    return next(other for other in others if _same_elsewhere(other, str(error)))


def _same_elsewhere(error: BaseException, message: str | None = None) -> bool:
    """Whether it arrives as the same kind of error with this message, or with its own."""
    try:
        other = pickle.loads(pickle.dumps(error))  # noqa: S301 what was pickled just now
    except Exception:  # noqa: BLE001 whatever the classes of errors and attributes raise
        return False
    return type(other) is type(error) and str(other) == (str(error) if message is None else message)
