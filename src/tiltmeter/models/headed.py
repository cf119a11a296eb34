"""A language model whose next-sentence judgments come from a head trained for them.

With `headed:MODEL,HEAD`, for instance `headed:gpt2,heads/gpt2-next`, every question goes to MODEL except one,
whether a sentence follows another, which goes to HEAD. Most language models cannot answer that question, and
the studies that ask it also ask others.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.protocols import Fact, JudgesNext, Named, members
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, files_of, open_model, resolve

TRAITS = Traits(
    named_with_kind=True,
    takes_start_token=True,
    form=("headed:MODEL,HEAD", "a model with a next-sentence head that was trained"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that MODEL satisfies, and `JudgesNext`.

    Raises:
        BadInput: The location is not two names with a comma between them.
        CannotAnswer: HEAD does not judge whether a sentence follows another.
    """
    model, _ = _both(location, Options())
    return _joined(model.answers)


class Headed:
    """A model with MODEL's members under the same names, except that HEAD's replace those of `JudgesNext`."""

    def __init__(self, name: str, model: Any, head: Any, answers: Sequence[type]) -> None:
        common = set(members(Named))
        for protocol in answers:
            judges = protocol is JudgesNext
            taken = set(members(protocol)) - common - ({"batch_tokens"} if judges else set())
            for member in taken:
                setattr(self, member, getattr(head if judges else model, member))
        self.name = name
        self.batch_tokens = int(getattr(model, "batch_tokens", head.batch_tokens))
        both = json.dumps([model.fingerprint, head.fingerprint])
        self.fingerprint = sha256(f"headed {both}".encode()).hexdigest()
        self._model = model
        self._head = head

    @property
    def about(self) -> Mapping[str, Fact]:
        """MODEL's facts, and HEAD's with "head" in front of their names."""
        facts = {_plain(key): value for key, value in self._head.about.items()}
        head = {f"head: {key}": value for key, value in facts.items()}
        return {**self._model.about, "head": self._head.name, **head}


def files(location: str, options: Options) -> list[Path]:
    """The files of both models; [] where those of one are not known."""
    model, head = _both(location, options)
    both = files_of(model, options), files_of(head, replace(options, revision=None))
    return [*both[0], *both[1]] if all(both) else []


def load(location: str, options: Options, *, name: str, note: str = "") -> Headed:
    """Open both models. A revision applies to MODEL only."""
    model, head = _both(location, options)
    opened = open_model(replace(model, note=" ".join(filter(None, (model.note, note)))), options)
    judge = open_model(head, replace(options, revision=None))
    return Headed(name, opened, judge, _joined(model.answers))


def _joined(answers: Sequence[type]) -> tuple[type, ...]:
    """The protocols with `JudgesNext` last, so that HEAD's members replace MODEL's of the same name."""
    return (*(protocol for protocol in answers if protocol is not JudgesNext), JudgesNext)


def _both(location: str, options: Options) -> tuple[Resolved, Resolved]:
    model, comma, head = (part.strip() for part in location.partition(","))
    if not (model and comma and head):
        raise BadInput(f"{location!r} does not name a model and a head", "write headed:MODEL,HEAD")
    judge = resolve(head, replace(options, revision=None))
    if JudgesNext not in judge.answers:
        raise CannotAnswer(
            f"{head} (kind {judge.scheme}) does not judge whether one sentence follows another, so it is "
            "not a next-sentence head; train one: "
            f"tiltmeter train next-sentence {model} --corpus PATH"
        )
    return resolve(model, options), judge


def _plain(key: str) -> str:
    """The name of a fact without "head" or "head's" in front, which are added again."""
    return key.removeprefix("head ").removeprefix("head's ")
