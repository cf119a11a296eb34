"""What evaluation programs log, in one form, and how their JSON is read, which anybody may have made."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from sys import intern
from typing import Any

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.model.conversations import Finish, Reply
from tiltmeter.core.model.thoughts import with_thought_apart
from tiltmeter.core.text import counted, decimal_number, shortened, verb_for

LARGEST = 2**30
"""Bytes of a file, or of one part of an archive, at most."""
WAY_OUT = "log the evaluation again"
MOST = 1e300
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Scores that inspect_ai writes as letters: correct, incorrect, partly correct, no answer."""
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Scores that it takes for numbers in any case, as its own conversion does."""
ENDS: Mapping[str, Finish] = {
    "length": "length", "max_tokens": "length", "model_length": "length", "max_length": "length",
    "content_filter": "content_filter", "content_policy_violated": "content_filter",
    "safety": "content_filter", "thinking": "thinking",
}  # fmt: skip
"""Why replies ended, as programs and their servers write it in any case; anything else is "stop"."""
SHOWN = 60
"""Characters of a value that a reason shows."""


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """One question to the model, and what came of it."""

    id: str
    text: str
    """What the model was given, or the question in it."""
    reply: str = ""
    """What it wrote; where the program took a letter or a number for a choice, the choice."""
    answer: str = ""
    """What the program took from the reply as the answer, where the log says that; "" where it took that from
    a thought."""
    options: tuple[str, ...] = ()
    logprobs: tuple[float, ...] = ()
    """The log-probabilities of the options; () if the model wrote."""
    correct: float | None = None
    """Whether the program took the answer as right, from 0 to 1."""
    scores: Mapping[str, float] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    """What else the log says of the question, such as the data set's row."""
    document: str = ""
    """Samples with the same one are about the same thing; "" is the id."""
    repeat: int = 0
    unscored: Mapping[str, str] = field(default_factory=dict)
    """Scores that the log names without a number, each with the value that the log has in its place."""
    fault: str = ""
    """Why the logged log-probabilities cannot be used; "" where they can."""
    rows: int = 1
    """How many rows of the log this sample was made from."""
    line: int | None = None
    """The line of the first of them, if the log has lines."""
    thought: str = ""
    """What the model thought before its reply."""
    finish: Finish = "stop"
    tokens: tuple[int, int, int] = (0, 0, 0)
    """The tokens of the prompt, of all that was written, and of the thought; 0 if the log does not say."""

    @property
    def written(self) -> Reply:
        """The reply as that of a model that was asked here."""
        tokens_in, tokens_out, thought_tokens = self.tokens
        return Reply(self.reply, self.finish, tokens_in, tokens_out, self.thought, thought_tokens)

    def replied(self, reply: Reply, tags: Sequence[str] = ()) -> "LoggedSample":
        """The sample with what the model wrote, a thought in it taken off.

        Args:
            reply: As the program stored it.
            tags: A further beginning and end of a thought; () for none.
        """
        apart = with_thought_apart(reply, tags)
        if apart.finish == "length" and not apart.text.strip():
            apart = replace(
                apart, finish="thinking"
            )  # of a thought that the server keeps to itself
        answer = self.answer
        if apart.finish == "thinking":
            answer = ""  # what the program found was in a thought
        elif answer and apart.text != reply.text:
            kept = re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", apart.text)
            answer = "" if kept is None else answer
        if answer == apart.text:
            answer = apart.text  # in memory once
        return replace(
            self, reply=apart.text, answer=answer, thought=apart.thought, finish=apart.finish,
            tokens=(apart.tokens_in, apart.tokens_out, apart.thought_tokens),
        )  # fmt: skip

    @property
    def called(self) -> str:
        """What an error calls it."""
        epoch = f" (repeat {self.repeat + 1})" if self.repeat else ""
        return f"sample {shortened(self.id, SHOWN)!r}{epoch}"


@dataclass(frozen=True, slots=True)
class EvaluationLog:
    """The answers of one model to one task."""

    program: str
    """lm_eval, inspect_ai, helm or every_eval_ever, as conventions are called."""
    task: str
    model: str
    file: str
    sha256: str
    samples: Sequence[LoggedSample]
    reported: Mapping[str, float] = field(default_factory=dict)
    """The numbers that the log itself gives for the whole task."""
    problems: Sequence[Problem] = ()
    """Samples that were left out because they have no answer, with their places in the log."""
    notes: Sequence[str] = ()
    """What the reader had to decide: which samples share an id, for one."""
    chats: bool = False
    """Whether prompts were given as conversations."""
    epochs: bool = False
    """Whether the repeats of a sample are all replies to the same prompt."""
    cut: str = ""
    """Why the file does not have all that the program evaluated; "" where nothing says so."""


def why_cut(problems: Sequence[Problem], last: int, samples: int, evaluated: int = 0) -> str:
    """Why a log is not whole; "" where it may be.

    Args:
        problems: Of lines that cannot be read.
        last: The last line that could be read.
        samples: How many samples the log has.
        evaluated: How many the program says that it evaluated; 0 where it does not.
    """
    ends = [p.line for p in problems if p.line is not None and p.line > last]
    of_all = (
        f": {samples:,} of {counted(evaluated, 'samples')} {verb_for(samples, 'are')} here"
        if samples < evaluated
        else ""
    )
    if ends:
        return f"it ends in the middle of line {ends[0]:,}{of_all}"
    return f"it is not whole{of_all}" if of_all else ""


def sized(path: Path) -> Path:
    """The path itself; an error if the file there is too large."""
    if path.is_file() and path.stat().st_size > LARGEST:
        reason = f"it has more than {LARGEST >> 30} GiB"
        raise BadInput(reason, "divide the evaluation", file=path.name)
    return path


def at(value: object, *path: str | int) -> Any:
    """What lies there in a JSON value; None where there is nothing.

    >>> at({"a": [{"b": 1}]}, "a", 0, "b"), at({"a": 1}, "a", 0, "b")
    (1, None)
    """
    for step in path:
        keyed = isinstance(value, Mapping) and step in value
        if not keyed and not (isinstance(value, list) and step in range(-len(value), len(value))):
            return None
        value = value[step]  # type: ignore[index]
    return value


def named(value: object, *path: str | int) -> list[tuple[str, Any]]:
    """The keys and values of an object that lies there; [] where none does."""
    inner = at(value, *path)
    return list(inner.items()) if isinstance(inner, Mapping) else []


def listed(value: object, *path: str | int) -> list[Any]:
    """The entries of a list or the values of an object that lie there; [] where neither does."""
    inner = at(value, *path)
    return list(inner) if isinstance(inner, list) else [each for _, each in named(inner)]


def text(value: object) -> str:
    r"""A text, number or truth value as text; texts of a list or of messages on lines; else "".

    >>> text(3.0), text([{"role": "user", "content": "Who?"}, "me"]), text(None)
    ('3', 'Who?\nme', '')
    """
    if isinstance(value, list):
        return "\n".join(filter(None, map(text, value)))
    if isinstance(value, Mapping):
        return text(value.get("content", value.get("text")))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, str | int | float) else ""


def finish(value: object) -> Finish:
    """Why a reply ended.

    >>> finish("max_tokens"), finish("LENGTH"), finish(None)
    ('length', 'length', 'stop')
    """
    return ENDS.get(text(value).lower(), "stop")


def count(value: object) -> int:
    """A number of tokens; 0 where it is none."""
    return max(int(number(value) or 0), 0)


def identity(value: object) -> str:
    """An id as text, whatever the log has there: objects and lists as JSON, "" for none.

    >>> identity(3), identity({"doc": 1}), identity(None)
    ('3', '{"doc":1}', '')
    """
    if isinstance(value, Mapping | list):
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text(value)


def number(value: object) -> float | None:
    """A score as a finite number, of letters, words and truth values too; None where it is not one number.

    >>> number("C"), number(True), number("No"), number("0.5"), number(float("nan")), number([1.0])
    (1.0, 1.0, 0.0, 0.5, None, None)
    """
    if isinstance(value, str):
        plain = value.strip()
        return LETTERS.get(plain, WORDS.get(plain.lower(), decimal_number(plain)))
    return float(value) if isinstance(value, int | float) and abs(value) < MOST else None


def numbers(values: object) -> dict[str, float]:
    """The values of an object that are single numbers."""
    return {k: read for k, v in named(values) if (read := number(v)) is not None}


def scores_of(values: Mapping[str, object]) -> tuple[dict[str, float], dict[str, str]]:
    """Scores by name as numbers, and the others with what stands there instead of a number.

    >>> scores_of({"acc": 1, "f1": None, "bleu": float("nan"), "grade": "good"})
    ({'acc': 1.0}, {'f1': 'null', 'bleu': 'NaN', 'grade': "the text 'good'"})
    """
    scores: dict[str, float] = {}
    unscored: dict[str, str] = {}
    for name, value in values.items():
        if (read := number(value)) is not None:
            scores[name] = read
        else:
            unscored[name] = _no_number(value)
    return scores, unscored


def _no_number(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"the text {shortened(value, SHOWN)!r}" if value.strip() else "an empty text"
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, int | float):
        return "an infinite number"
    return "a list" if isinstance(value, list) else "an object"


def fields(row: object, before: str = "") -> dict[str, str]:
    """The texts and numbers of an object, those of an object within it as `name.key`.

    >>> fields({"a": 1, "b": {"c": "x"}, "d": None})
    {'a': '1', 'b.c': 'x'}
    """
    flat: dict[str, str] = {}
    for key, value in named(row):
        inner = isinstance(value, Mapping) and not before
        flat |= fields(value, f"{key}.") if inner else {intern(f"{before}{key}"): text(value)}
    return {key: value for key, value in flat.items() if value}
