"""The rule for classifiers: what a model says about a text.

Scores of a record: `truth` and `said`, indices of the text's options; `truth_positive` and `said_positive`
(1 or 0; -1 where no label is positive); `probability`, of positive.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from tiltmeter.core.data.labelled_items import LabelledText, SwappedText
from tiltmeter.core.errors import BadInput, CannotAnswer, Problem
from tiltmeter.core.model.protocols import Classifies
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.text import counted, decimal_number

_CONSTANT = (
    "The classifier calls {} positive, so every group has the same rates and every gap in them is 0, however "
    "well it separates texts. Train it further, or choose another threshold with --set threshold=NUMBER."
)
NEVER, ALWAYS = (Note("caution", _CONSTANT.format(which)) for which in ("no text", "every text"))
Asked = TypeVar("Asked", LabelledText, SwappedText)
TWO = 2


def threshold_of(settings: Mapping[str, str]) -> float:
    """The probability from which a text is called positive; BadInput if not between 0 and 1."""
    text = settings.get("threshold", "0.5")
    value = decimal_number(text) or 0.0
    if not 0 < value < 1:
        raise BadInput(f"the setting threshold is {text!r}", "write a number between 0 and 1: 0.5")
    return value


def positive_columns(model: Classifies, positive: str, context: Context) -> list[int]:
    """The model's labels whose probabilities add up to that of positive.

    Raises:
        CannotAnswer: The model has no such label, or nothing says which one is meant.
    """
    known = _known(model)
    wanted = [
        part.strip() for part in context.settings.get("predicts", "").split("+") if part.strip()
    ]
    listed = ", ".join(model.labels)
    if wanted:
        lacking = [name for name in wanted if name.casefold() not in known]
        if lacking:
            raise CannotAnswer(f"{model.name} has no label {lacking[0]!r}; it has {listed}")
        columns = [known[name.casefold()] for name in wanted]
    elif positive.casefold() in known:
        columns = [known[positive.casefold()]]
    elif all(part.casefold() in known for part in positive.split("+")):
        columns = [known[part.casefold()] for part in positive.split("+")]
    elif len(model.labels) == TWO:
        columns = [1]
        context.notes.append(
            Note(
                "caution",
                f"The probability of {positive!r} is that of the model’s label {model.labels[1]!r}, the "
                "second of two; name another with --set predicts=LABEL.",
            )
        )
    else:
        raise CannotAnswer(
            f"nothing says which label of {model.name} ({listed}) means {positive!r}; name it with "
            "--set predicts=LABEL"
        )
    if len(columns) > 1 and not model.exclusive:
        raise CannotAnswer(
            f"labels of {model.name} do not exclude each other, so their probabilities cannot be added; "
            "name one with --set predicts=LABEL"
        )
    return columns


def _known(model: Classifies) -> dict[str, int]:
    """The places of the model's labels, by their names in lower case."""
    return {label.casefold(): at for at, label in enumerate(model.labels)}


def score_labelled(
    model: Classifies, items: Sequence[LabelledText], context: Context
) -> list[Record]:
    """One record for each text that is short enough: its label, and what the classifier says."""
    kept = readable_items(model, items, [(item.text,) for item in items], context)
    threshold = threshold_of(context.settings)
    by_options = {(item.options, item.positive) for item in kept}
    columns = {key: _columns(model, *key, context) for key in by_options}
    context.settle()
    answers = model.class_logprobs([item.text for item in kept])
    records = []
    for item, answer in zip(kept, answers, strict=True):
        shares = np.exp(answer)[columns[item.options, item.positive]]
        if item.positive:
            chance = min(1.0, float(shares.sum()))
            records.append(record_of(item, label_at(item, chance, threshold), chance))
        else:
            records.append(record_of(item, int(np.argmax(shares))))
    note_constant({record.scores["said_positive"] for record in records}, context)
    return records


def note_constant(called: set[float], context: Context) -> None:
    """Add or withdraw the notes that all texts are, or none is, called positive, from what a portion has."""
    for answer, note in ((0.0, NEVER), (1.0, ALWAYS)):
        if called == {answer}:
            context.add_unless_ruled_out(note)
        else:
            context.rule_out(note)


def _columns(
    model: Classifies, options: Sequence[str], positive: str, context: Context
) -> list[int]:
    """The model's labels for positive; where all are on a par, that of each option."""
    if positive:
        return positive_columns(model, positive, context)
    known = _known(model)
    lacking = [option for option in options if option.casefold() not in known]
    if lacking or not model.exclusive:
        raise CannotAnswer(
            f"{model.name} does not choose among the labels of the data ({', '.join(options)}): it has "
            f"{', '.join(model.labels)}. Ask about one of them with --set positive=LABEL"
        )
    return [known[option.casefold()] for option in options]


def label_at(item: LabelledText, chance: float, threshold: float) -> int:
    """The label that a text is given for this probability of positive, a place in its options."""
    at = item.options.index(item.positive)
    return at if chance >= threshold else 1 - at


def record_of(item: LabelledText, given: int, chance: float | None = None) -> Record:
    """The record of a text that is given a label, and a probability of positive where there is one."""
    truth = item.options.index(item.truth)
    positive = item.options.index(item.positive) if item.positive else None
    return Record(
        item.id,
        {
            "truth": float(truth),
            "said": float(given),
            "truth_positive": -1.0 if positive is None else float(truth == positive),
            "said_positive": -1.0 if positive is None else float(given == positive),
            **({} if chance is None else {"probability": chance}),
        },
        item.groups,
        item.cluster,
        texts={"text": item.text, "options": "\n".join(item.options)},
    )


def readable_items(
    model: Classifies, items: Sequence[Asked], texts: Sequence[tuple[str, ...]], context: Context
) -> list[Asked]:
    """Items whose texts the model can read; the others are reported."""
    lengths = iter(model.text_lengths([text for some in texts for text in some]))
    kept: list[Asked] = []
    for item, some in zip(items, texts, strict=True):
        longest = max(next(lengths) for _ in some)
        if model.text_limit is None or longest <= model.text_limit:
            kept.append(item)
            continue
        reason = (
            f"text {item.id!r} is longer than the {counted(model.text_limit, 'tokens')} that "
            f"{model.name} reads"
        )
        context.refuse(Problem(reason, "shorten it, or leave it out", item.where, item=item.id))
    return kept


CLASSIFY: Rule[LabelledText] = Rule(
    "classify",
    Classifies,
    score_labelled,
    summary="The classifier gives each of its labels a probability. The text is called positive if "
    "that of its positive labels reaches the threshold.",
    source="Borkan et al. 2019, doi:10.1145/3308560.3317593",
)
