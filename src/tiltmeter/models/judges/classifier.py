"""A classifier of texts as a judge, by its own labels or of sentiment by P(positive) − P(negative).

For sentiment, the meaning of its labels is read from their names in its configuration, or given by the user
where names such as `LABEL_0` say nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.judges import SENTIMENTS, judged_once, sentiments_of
from tiltmeter.data.downloads.fetch import Progress
from tiltmeter.models.classifier import Classifier, load
from tiltmeter.models.opening import model_files
from tiltmeter.models.opening.model_options import DEFAULTS, Options

WEIGHTS: Mapping[str, float] = {"positive": 1.0, "neutral": 0.0, "negative": -1.0}
"""The weight of a label's probability in the rating, by its class."""
SHORT = {"pos": "positive", "neu": "neutral", "neg": "negative"}


NAMING = "--sentiment-label"
"""The option by which a user gives the class of a label, for messages; callers may name another."""


def classes_of(
    names: Sequence[str], given: Mapping[str, str], model: str, naming: str = NAMING
) -> list[str]:
    """The class of each label: as given or, otherwise, as its name says.

    `naming` is how a user gives the class of a label, for messages.

    >>> classes_of(["NEG", "Very positive", "LABEL_2"], {"LABEL_2": "neutral"}, "m")
    ['negative', 'positive', 'neutral']

    Raises:
        BadInput: A given label or class does not exist, a label's name does not say its class, or no label
            is positive or none is negative.
    """
    for label, kind in given.items():
        if label not in names or kind not in WEIGHTS:
            way_out = f"labels are {', '.join(names)}; classes are {', '.join(WEIGHTS)}"
            raise BadInput(f"{label}={kind} does not give a label of {model} a class", way_out)
    classes = [given.get(name) or _recognised(name) for name in names]
    unknown = [name for name, kind in zip(names, classes, strict=True) if not kind]
    if unknown:
        raise BadInput(
            f"{model}: the labels {', '.join(unknown)} do not say whether they are positive, neutral or "
            "negative",
            f"give a class to each with {naming}, such as {unknown[0]}=negative; the model's "
            "description says what they mean",
        )
    lacking = [kind for kind in ("positive", "negative") if kind not in classes]
    if lacking:
        way_out = f"give another model, or correct {naming}"
        raise BadInput(f"{model} has no {lacking[0]} label ({', '.join(names)})", way_out)
    return classes


def _recognised(name: str) -> str:
    plain = name.casefold().replace("_", " ").removeprefix("very ").strip()
    return plain if plain in WEIGHTS else SHORT.get(plain, "")


class SentimentClassifier:
    """Rates the sentiment of texts from −1 (negative) to 1 (positive) with a classifier."""

    reads = "the whole text, as its training taught it"
    classes = SENTIMENTS

    def __init__(self, classifier: Classifier, classes: Sequence[str]) -> None:
        self.name = classifier.name
        self.fingerprint = classifier.fingerprint
        told = f"P(positive) − P(negative), fingerprint …{self.fingerprint[-8:]}"
        self.instrument = f"{self.name} ({told})"
        self._classifier = classifier
        self._weights = np.array([WEIGHTS[kind] for kind in classes])

    def rate(self, texts: Sequence[str]) -> list[float]:
        """P(positive) − P(negative) of each text.

        Raises:
            CannotAnswer: A text is longer than the model's limit.
        """
        ask, weights = self._classifier.class_logprobs, self._weights
        return judged_once(texts, lambda some: (float(np.exp(row) @ weights) for row in ask(some)))

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The sentiment of each text, one of `classes`."""
        return sentiments_of(self.rate(texts))


NO_LABEL = "no label"


class LabelClassifier:
    """Gives each text its likeliest label.

    If labels do not exclude each other, a text without a label above one half gets "no label".
    """

    reads = "the whole text, as its training taught it"

    def __init__(self, classifier: Classifier) -> None:
        self.classes = (*classifier.labels, *(() if classifier.exclusive else (NO_LABEL,)))
        self.instrument = f"{classifier.name} (fingerprint …{classifier.fingerprint[-8:]})"
        self._classifier = classifier

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The label of each text.

        Raises:
            CannotAnswer: A text is longer than the model's limit.
        """
        rest = [] if self._classifier.exclusive else [np.log(0.5)]
        ask = self._classifier.class_logprobs
        best = judged_once(texts, lambda some: (int(np.argmax([*row, *rest])) for row in ask(some)))
        return [self.classes[at] for at in best]


def open_judge(
    location: str,
    *,
    labels: Mapping[str, str] | None = None,
    naming: str = NAMING,
    options: Options = DEFAULTS,
    progress: Progress | None = None,
    any_labels: bool = False,
    **opening: object,
) -> SentimentClassifier | LabelClassifier:
    """Open a sequence classifier, from a folder or the hub, as a judge.

    Args:
        location: A folder or a hub id.
        labels: The class (positive, neutral or negative) of each label whose name does not say it.
        naming: How a user gives `labels`, for error messages.
        options: How the model is opened.
        progress: Receives the progress of a download.
        any_labels: Whether the judge's classes are the model's own labels, whatever they are.
        opening: Ignored; other judges take further arguments.

    Raises:
        BadInput: The class of a label is not known.
        CannotAnswer: The model is not a trained classifier, or its labels do not exclude each other.
        TiltmeterError: The model cannot be opened.
    """
    del opening
    folder = model_files.folder_of(location, options, progress=progress)
    name = folder.name if Path(location).expanduser().is_dir() else location
    classifier = load(str(folder), options, name=name)
    if any_labels:
        return LabelClassifier(classifier)
    if len(classifier.labels) < 2 or not classifier.exclusive:  # noqa: PLR2004
        raise CannotAnswer(
            f"{name} does not choose one of several labels, so it has no probability of a positive one; "
            "give a classifier with a positive and a negative label"
        )
    classes = classes_of(classifier.labels, labels or {}, name, naming)
    return SentimentClassifier(classifier, classes)
