"""Rows of a log as samples: rows of one sample are joined, others are kept apart, and none is overwritten.

A log may say several things of a sample in several rows, such as a score for each filter or metric. It may
also hold rows that only look like that: two tasks whose ids restart, the same row twice, two answers of two
models. Whatever a reader adds ends as a part of a sample, or as a problem with its reason.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from tiltmeter.bridges.samples import SHOWN, LoggedSample, identity
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.text import counted, shortened, verb_for

OF_ONE_SAMPLE = ("text", "reply", "options", "logprobs", "document", "thought")
"""What all rows of a sample agree in, where they have it."""
LISTED = 10
"""Ids that a note names."""
APART = "give each model and each evaluation a file of its own, or correct the log"


@dataclass(slots=True)
class _Known:
    """A sample, and the rows that it was joined from by what each is about."""

    sample: LoggedSample
    rows: dict[Hashable, tuple[bytes, int | None]]
    """The content and the line of each row, by its filter, metric or whatever the program has several of."""


class SampleRows:
    """Takes the rows of one log in their order."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._samples: dict[Hashable, _Known] = {}
        self._read = 0

    def add(
        self,
        sample: LoggedSample,
        row: object,
        *,
        question: object,
        about: Hashable = None,
        repeats: Hashable = None,
    ) -> None:
        """Add what one row says.

        Args:
            sample: What it says; its id is "" where the row has none.
            row: The row itself: equal rows are one row written twice.
            question: What was asked. Rows of one id with different questions are different samples.
            about: Which of several rows of a sample it is: its filter, its metric.
            repeats: What tells several answers to one question apart.

        Raises:
            BadInput: Two rows contradict each other, and nothing says that they are about two samples.
        """
        self._read += 1
        key: Hashable = (sample.id, sample.repeat, repeats, _digest(question))
        content = _digest(row)
        if not sample.id:
            key = self._unnamed(key, about)
        known = self._samples.get(key)
        if known is None:
            self._samples[key] = _Known(sample, {about: (content, sample.line)})
        elif about not in known.rows:
            joined = _joined(known.sample, sample, self.file)
            self._samples[key] = _Known(joined, {**known.rows, about: (content, sample.line)})
        elif known.rows[about][0] == content:
            first = known.rows[about][1]
            where = f"line {first:,}" if first else "an earlier one, word for word"
            self.leave_out(sample, f"it repeats {where}")
        else:
            _contradiction(known.sample, sample, self.file)

    def _unnamed(self, key: Hashable, about: Hashable) -> Hashable:
        """The key of a row without an id: of a sample that lacks such a row, else a new one."""
        number = 0
        while (known := self._samples.get((key, number))) is not None and about in known.rows:
            number += 1
        return key, number

    def leave_out(self, sample: LoggedSample, reason: str) -> None:
        """Count a row as left out, by its name and line."""
        name = sample.called if sample.id else f"row {self._read:,}"
        self.problems.append(
            Problem(
                f"{name}: {reason}", file=self.file, line=sample.line, item=_key(sample, self._read)
            )
        )

    def shared_ids(self) -> list[str]:
        """Ids that several questions have."""
        often = Counter((k.sample.id, k.sample.repeat) for k in self._samples.values())
        return [name for (name, _), count in often.items() if name and count > 1]

    def finished(self, right: tuple[str, ...] = ()) -> tuple[list[LoggedSample], list[str]]:
        """The samples, each under an id of its own, and notes on ids that several had.

        Args:
            right: Scores that say whether an answer is right, the best first; () where `correct` is set.
        """
        samples = [known.sample for known in self._samples.values()]
        taken = {(s.id, s.repeat) for s in samples if s.id}
        seen = Counter[tuple[str, int]]()
        named = []
        for place, sample in enumerate(samples, 1):
            key = sample.id, sample.repeat
            seen[key] += 1
            if not sample.id or seen[key] > 1:
                base = f"{sample.id}#{seen[key]}" if sample.id else f"row {sample.line or place}"
                sample = replace(sample, id=_free(base, sample.repeat, taken))  # noqa: PLW2901
            named.append(sample)
        shared = self.shared_ids()
        notes = []
        if shared:
            stands = "stands" if len(shared) == 1 else "stand"
            notes.append(
                f"{counted(len(shared), 'ids')} of {self.file} {stands} for several questions, kept apart "
                f"as ID#2 and so on: {some(shared)}."
            )
        if unnamed := sum(not s.id for s in samples):
            notes.append(
                f"{counted(unnamed, 'samples')} of {self.file} {verb_for(unnamed, 'have')} no "
                "id; they are called after their rows."
            )
        self._samples.clear()  # a log may have very many, and the samples are copied once more
        return with_correct(named, right) if right else named, notes


def with_correct(samples: Sequence[LoggedSample], names: Sequence[str]) -> list[LoggedSample]:
    """The samples with `correct` from the first of these scores that each names.

    One that is named without a number is not replaced by another: whether the answer is right is not known.
    One that goes beyond 0 to 1 in any sample, such as one in per cent, says of no sample whether it is right.
    """
    values = {name: [s.scores[name] for s in samples if name in s.scores] for name in names}
    names = [name for name in names if all(0 <= value <= 1 for value in values[name])]
    made = []
    for sample in samples:
        chosen = next((n for n in names if n in sample.scores or n in sample.unscored), "")
        value = sample.scores.get(chosen)
        made.append(sample if value is None else replace(sample, correct=value))
    return made


def _joined(known: LoggedSample, further: LoggedSample, file: str) -> LoggedSample:
    """Both rows as one sample.

    Raises:
        BadInput: They contradict each other.
    """
    same: dict[str, Any] = {}
    for name in OF_ONE_SAMPLE:
        a, b = getattr(known, name), getattr(further, name)
        if a and b and a != b:
            _contradiction(known, further, file)
        same[name] = a or b
    scores, unscored = _united(known, further, file), {**further.unscored, **known.unscored}
    return replace(
        known,
        **same,
        correct=further.correct if known.correct is None else known.correct,
        scores=scores,
        unscored={name: why for name, why in unscored.items() if name not in scores},
        fields={
            name: value
            for name, value in {**further.fields, **known.fields}.items()
            if further.fields.get(name, value)
            == value  # what differs is about the row, not the sample
        },
        fault=known.fault or further.fault,
        rows=known.rows + further.rows,
    )


def _united(known: LoggedSample, further: LoggedSample, file: str) -> Mapping[str, float]:
    if any(further.scores.get(name, value) != value for name, value in known.scores.items()):
        _contradiction(known, further, file)
    return {**known.scores, **further.scores}


def _contradiction(known: LoggedSample, further: LoggedSample, file: str) -> None:
    lines = [f"{line:,}" for line in (known.line, further.line) if line]
    where = f" (lines {' and '.join(lines)})" if len(lines) > 1 else ""
    reason = f"{known.called} has two values of {_differing(known, further)}{where}"
    raise BadInput(reason, APART, file=file)


def _differing(known: LoggedSample, further: LoggedSample) -> str:
    """What two rows of a sample contradict each other in, and both values."""
    a, b = ({**s.unscored, **{k: f"{v:g}" for k, v in s.scores.items()}} for s in (known, further))
    for name in a.keys() & b.keys():
        if a[name] != b[name]:
            return f"{name}, {a[name]} and {b[name]}"
    for name in (*OF_ONE_SAMPLE, "correct", "fault"):
        one, other = getattr(known, name), getattr(further, name)
        if one != other:
            return f"{name}, {_short(one)} and {_short(other)}"
    return "what is logged of it"


def _short(value: object) -> str:
    return repr(shortened(str(value), SHOWN))


def _key(sample: LoggedSample, place: int) -> str:
    """What tells a row that was left out from every other."""
    return f"{sample.id}/{sample.repeat}/{place}"


def _free(base: str, repeat: int, taken: set[tuple[str, int]]) -> str:
    name, number = base, 1
    while (name, repeat) in taken:
        number += 1
        name = f"{base} ({number})"
    taken.add((name, repeat))
    return name


def some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> some([f"q{n}" for n in range(30)])
    'q0, q1, q2, q3, q4, q5, q6, q7, q8, q9 and 20 more'
    """
    shown = ", ".join(shortened(name, SHOWN) for name in names[:LISTED])
    rest = len(names) - LISTED
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def _digest(value: object) -> bytes:
    """Equal for equal JSON, whatever the order of its fields."""
    return sha256(identity(value if isinstance(value, dict | list) else [value]).encode()).digest()
