"""The true labels that answers point to, and how accurate each annotator is (Dawid and Skene)."""

from collections.abc import Iterator

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.raters.dawid_skene import accuracy_inference, dawid_skene

ACCURACY = quantity("accuracy", "Accuracy against the estimated true labels", "accuracy", unit="%")
GIVEN_SHARE = quantity("given_share", "Share of answers with this label", "given", unit="%")
TRUE_SHARE = quantity(
    "true_share", "Share of items whose true label is estimated to be this one", "true", unit="%"
)
LABEL_QUANTITIES = (ACCURACY, GIVEN_SHARE, TRUE_SHARE)


def true_labels(judgments: Judgments, question: str, *, seed: int = 0) -> Iterator[Estimate]:
    """Fit the model of Dawid and Skene to the answers to one question; each value is a label.

    Accuracies are by question and annotator, shares by question and label. Where the model is not
    identified, accuracies are undefined, with the reason, and there are no shares.
    """
    answers, rng = judgments.answers[question], np.random.default_rng(seed)
    counts = (~np.isnan(answers)).sum(axis=0)
    places = [{"question": question, "annotator": name} for name in judgments.annotators]
    people = [*zip(places, counts.tolist(), strict=True)]
    try:
        fit = dawid_skene(answers, rng=rng)
        why = "" if fit.identified else f"not identified: {fit.why}"
    except Undefined as none:
        why = str(none)
    if why:
        yield from (ACCURACY.at(None, n=n, why=why, groups=at) for at, n in people if n)
        return
    intervals = accuracy_inference(answers, fit, rng=rng)
    for (groups, n), value, interval in zip(people, fit.accuracy, intervals, strict=True):
        if n:
            yield ACCURACY.at(100 * float(value), interval.times(100), n=n, groups=groups)
    given = answers[~np.isnan(answers)]
    for value, share in zip(fit.values, fit.prevalence, strict=True):
        groups = {"question": question, "label": _label(judgments, question, value)}
        yield GIVEN_SHARE.at(100 * float(np.mean(given == value)), groups=groups)
        yield TRUE_SHARE.at(100 * float(share), groups=groups)


def _label(judgments: Judgments, question: str, value: float) -> str:
    words = judgments.words.get(question)
    return words[int(value)] if words else f"{value:g}"
