"""A classifier of texts as a judge: by its own labels, or of sentiment by P(positive) less P(negative).

Of sentiment, which label means what is read from the names in its configuration, or given: `LABEL_0` says
nothing.
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
"""What a label's probability counts, by its class."""
SHORT = {"pos": "positive", "neu": "neutral", "neg": "negative"}


NAMING = "--sentiment-label"
"""How a user gives the class of a label, unless the caller has another way."""


def classes_of(
    names: Sequence[str], given: Mapping[str, str], model: str, naming: str = NAMING
) -> list[str]:
    """The class of each label: as given, else as its name says; `naming` is how a user gives it.

    >>> classes_of(["NEG", "Very positive", "LABEL_2"], {"LABEL_2": "neutral"}, "m")
    ['negative', 'positive', 'neutral']

    Raises:
        BadInput: There is no such label or class, a label's name does not say its class, or none is
            positive, or none negative.
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
    """Rates texts from −1 (negative) to 1 (positive), by what a classifier says of them."""

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
        """P(positive) less P(negative) of each text.

        Raises:
            CannotAnswer: A text is longer than the model reads.
        """
        ask, weights = self._classifier.class_logprobs, self._weights
        return judged_once(texts, lambda some: (float(np.exp(row) @ weights) for row in ask(some)))

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The sentiment of each text."""
        return sentiments_of(self.rate(texts))


NO_LABEL = "no label"


class LabelClassifier:
    """Gives each text its likeliest label; where labels do not exclude each other, one likelier than not."""

    reads = "the whole text, as its training taught it"

    def __init__(self, classifier: Classifier) -> None:
        self.classes = (*classifier.labels, *(() if classifier.exclusive else (NO_LABEL,)))
        self.instrument = f"{classifier.name} (fingerprint …{classifier.fingerprint[-8:]})"
        self._classifier = classifier

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The label of each text.

        Raises:
            CannotAnswer: A text is longer than the model reads.
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
    """Open a folder or a model of the hub that classifies sequences.

    Args:
        location: A folder or a hub id.
        labels: positive, neutral or negative, by the name of a label that does not say it.
        naming: How a user gives `labels`, for errors.
        options: How it is opened.
        progress: Of a download.
        any_labels: Whether its labels are the classes, whatever they say.
        opening: Ignored.

    Raises:
        BadInput: Its labels are of no known class.
        CannotAnswer: It is no trained classifier, or its labels do not exclude each other.
        TiltmeterError: It cannot be opened.
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
