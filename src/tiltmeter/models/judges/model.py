"""A language model as a judge (`model:MODEL`, local or `chat:URL#MODEL`), asked which label fits a text best.

Its labels are those that people gave to a sample of texts. Without these it is not opened, since a model's
judgments are only worth as much as they agree with people's.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.judges import PeopleJudge, judged_once
from tiltmeter.core.model.conversations import ALLOWANCES, Choosing, Message, Prompt, Writing
from tiltmeter.core.model.protocols import Chooses, Writes
from tiltmeter.models.opening.open_model import open_model, resolve

ASKS = "Which label fits this text best: {labels}? Reply with the label and nothing else.\n\nText: {text}"
MOST, MORE = 12, 200
"""The most tokens of a reply: enough for a label, and where that was not, enough for a sentence about it."""


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model that is asked which label fits a text."""

    instrument: str
    classes: Sequence[str]
    model: Any
    in_words: bool
    asks: str = ASKS
    reads: ClassVar[str] = "the whole text, as it was trained"

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The label of each text; "" where a reply names no label, or several."""
        return judged_once(texts, self._asked)

    def _asked(self, texts: Sequence[str]) -> list[str]:
        labels = ", ".join(self.classes[:-1]) + f" or {self.classes[-1]}"
        asked = [Message("user", self.asks.format(labels=labels, text=text)) for text in texts]
        prompts = [Prompt((message,), chat=self.model.chats) for message in asked]
        if self.in_words:
            return self._written(prompts)
        space = "" if self.model.chats else " "
        options = tuple(f"{space}{label}" for label in self.classes)
        scores = self.model.choice_logprobs([Choosing(prompt, options) for prompt in prompts])
        return [self.classes[int(score.argmax())] for score in scores]

    def _written(self, prompts: Sequence[Prompt]) -> list[str]:
        """The label that each reply names; one cut off before that is asked for again, with more room."""
        replies = self.model.write([Writing(prompt, MOST) for prompt in prompts])
        labels = [named_label(reply.text, self.classes) for reply in replies]
        short = [
            at for at, (reply, label) in enumerate(zip(replies, labels, strict=True))
            if not label and reply.finish in {"length", "thinking"}
        ]  # fmt: skip
        if short:
            room = ALLOWANCES[""]
            again = [Writing(prompts[at], MORE, thinking_tokens=room) for at in short]
            for at, reply in zip(short, self.model.write(again), strict=True):
                labels[at] = named_label(reply.text, self.classes)
        return labels


def named_label(reply: str, labels: Sequence[str]) -> str:
    """The label that a reply consists of, or the only one that it names; "" if it names none or several.

    A label behind "not" or "non" is not named, unless that is a label too.

    >>> [named_label(reply, ("toxic", "not toxic")) for reply in ("Not toxic.", "toxic!", "neither")]
    ['not toxic', 'toxic', '']
    >>> [named_label(reply, ("(a)", "b", "b+")) for reply in ("(A)", "It is b+.", "not b", "(a) or b")]
    ['(a)', 'b+', '', '']
    """
    rest, named = reply.casefold(), []
    for label in sorted(labels, key=len, reverse=True):  # "not toxic" before "toxic"
        if label.casefold() == rest.strip():
            return label
        pattern = rf"(?<!\w)(not |non[ -]?)?{re.escape(label.casefold())}(?!\w)"
        named += [label for match in re.finditer(pattern, rest) if not match[1]][:1]
        rest = re.sub(pattern, " ", rest)
    return named[0] if len(named) == 1 else ""


def open_judge(
    location: str, *, people: PeopleJudge | None = None, classes: Sequence[str] = (), asks: str = ASKS,
    **opening: object,
) -> AskedModel:  # fmt: skip
    """Open a model as a judge, with the labels that people gave.

    A study that compares the judge with people itself gives its own `classes` and its own question `asks`,
    which contains {text} and {labels}.

    Raises:
        BadInput: No people's judgments are given, or they have only one label.
        CannotAnswer: The model cannot be asked such questions.
        TiltmeterError: The model cannot be opened.
    """
    del opening
    if not (classes or people):
        raise BadInput(
            f"the judge {location} is a model, and nothing says how far it agrees with people",
            "have people judge a sample and name the file with --set people=FILE: tiltmeter export RUN "
            "sample.csv --what items --limit 200; tiltmeter survey serve label_text --items sample.csv; "
            "tiltmeter survey export",
        )
    classes = classes or (people.classes if people else ())
    if len(classes) < 2:  # noqa: PLR2004
        reason = f"people gave every text the label {classes[0]}, so there is none to choose"
        raise BadInput(reason, "have people judge more texts")
    where = resolve(location)
    model, in_words = open_model(where), where.traits.judges_in_words
    if not isinstance(model, Writes if in_words else Chooses):
        raise CannotAnswer(f"{model.name} cannot be asked in words, so it cannot judge")
    instrument = f"{model.name} (fingerprint …{model.fingerprint[-8:]}), asked for a label"
    return AskedModel(instrument, classes, model, in_words, asks)
