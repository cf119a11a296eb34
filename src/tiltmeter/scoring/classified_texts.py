"""The rule for classifiers: what a model says about a text, and about the same text after a swap.

Scores of a record: `truth` and `said`, indices of the text's options; `truth_positive` and `said_positive`
(1 or 0; -1 where no label is positive); `probability`, of positive. Of a swap: `before`, `after` (both
probabilities) and `before_positive`, `after_positive`.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer, Problem
from tiltmeter.core.labelled_items import LabelledText, SwappedText
from tiltmeter.core.protocols import Classifies
from tiltmeter.core.results import Note, Record
from tiltmeter.core.study import Context, Rule
from tiltmeter.core.types import Array

Asked = TypeVar("Asked", LabelledText, SwappedText)
TWO = 2
BORKAN = "Borkan et al. 2019, doi:10.1145/3308560.3317593"
GARG = "Garg et al. 2019, doi:10.1145/3306618.3317950"


def threshold_of(settings: Mapping[str, str]) -> float:
    """The probability of positive from which a text is called so.

    Raises:
        BadInput: It is no number between 0 and 1.
    """
    text = settings.get("threshold", "0.5")
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise BadInput(f"the setting threshold is {text!r}", "write a number between 0 and 1: 0.5")
    return value


def positive_columns(model: Classifies, positive: str, context: Context) -> list[int]:
    """The model's labels whose probabilities add up to that of positive.

    Raises:
        CannotAnswer: The model has no such label, or nothing says which one is meant.
    """
    known = {label.casefold(): at for at, label in enumerate(model.labels)}
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


def _fitting(model: Classifies, texts: Sequence[str]) -> list[bool]:
    """Whether each text is short enough."""
    limit = model.text_limit
    return [limit is None or n <= limit for n in model.text_lengths(texts)]


def score_labelled(
    model: Classifies, items: Sequence[LabelledText], context: Context
) -> list[Record]:
    """One record for each text that is short enough: its label, and what the classifier says."""
    kept = _kept(model, items, [(item.text,) for item in items], context)
    threshold = threshold_of(context.settings)
    by_options = {(item.options, item.positive) for item in kept}
    columns = {key: _columns(model, *key, context) for key in by_options}
    context.settle()
    answers = model.class_logprobs([item.text for item in kept])
    return [
        Record(
            item.id,
            _scores(item, np.exp(answer), columns[item.options, item.positive], threshold),
            item.groups,
            item.cluster,
            texts={"text": item.text, "options": "\n".join(item.options)},
        )
        for item, answer in zip(kept, answers, strict=True)
    ]


def _columns(
    model: Classifies, options: Sequence[str], positive: str, context: Context
) -> list[int]:
    """The model's labels for positive; where all are on a par, that of each option."""
    if positive:
        return positive_columns(model, positive, context)
    known = {label.casefold(): at for at, label in enumerate(model.labels)}
    lacking = [option for option in options if option.casefold() not in known]
    if lacking or not model.exclusive:
        raise CannotAnswer(
            f"{model.name} does not choose among the labels of the data ({', '.join(options)}): it has "
            f"{', '.join(model.labels)}. Ask about one of them with --set positive=LABEL"
        )
    return [known[option.casefold()] for option in options]


def _scores(
    item: LabelledText, shares: Array, columns: Sequence[int], threshold: float
) -> dict[str, float]:
    truth = item.options.index(item.truth)
    if not item.positive:
        predicted = int(np.argmax(shares[list(columns)]))
        return {
            "truth": float(truth),
            "said": float(predicted),
            "truth_positive": -1.0,
            "said_positive": -1.0,
        }
    chance = min(1.0, float(shares[list(columns)].sum()))
    at, called = item.options.index(item.positive), chance >= threshold
    return {
        "truth": float(truth),
        "said": float(at if called else 1 - at),
        "truth_positive": float(truth == at),
        "said_positive": float(called),
        "probability": chance,
    }


def score_swaps(model: Classifies, items: Sequence[SwappedText], context: Context) -> list[Record]:
    """One record for each swap: the probability of positive before it and after it."""
    kept = _kept(model, items, [item.texts for item in items], context)
    threshold = threshold_of(context.settings)
    columns = positive_columns(model, items[0].before.positive, context)
    context.settle()
    answers = model.class_logprobs([text for item in kept for text in item.texts])
    chances = [min(1.0, float(np.exp(answer)[columns].sum())) for answer in answers]
    return [
        Record(
            item.id,
            {
                "before": before, "after": after,
                "before_positive": float(before >= threshold), "after_positive": float(after >= threshold),
            },
            item.groups,
            item.cluster,
            texts={"text": item.before.text, "edited": item.after},
        )
        for item, before, after in zip(kept, chances[::2], chances[1::2], strict=True)
    ]  # fmt: skip


def _kept(
    model: Classifies, items: Sequence[Asked], texts: Sequence[tuple[str, ...]], context: Context
) -> list[Asked]:
    """Items whose texts the model can read; the others are reported."""
    flat = [text for some in texts for text in some]
    fits = iter(_fitting(model, flat))
    kept: list[Asked] = []
    for item, some in zip(items, texts, strict=True):
        if all([next(fits) for _ in some]):  # noqa: C419  (each takes its own)
            kept.append(item)
            continue
        reason = f"text {item.id!r} is longer than the {model.text_limit:,} tokens that {model.name} reads"
        context.refuse(Problem(reason, "shorten it, or leave it out", item.where, item=item.id))
    return kept


CLASSIFY: Rule[LabelledText] = Rule(
    "classify",
    Classifies,
    score_labelled,
    "The classifier gives each of its labels a probability. The text is called positive if that of its "
    "positive labels reaches the threshold.",
    BORKAN,
)
CLASSIFY_SWAPS: Rule[SwappedText] = Rule(
    "classify_swap",
    Classifies,
    score_swaps,
    "The classifier is asked about the text as it is and with its identity terms exchanged; what counts is "
    "how the probability of positive changes.",
    GARG,
)
