"""A classifier of sequences as a judge of sentiment: P(positive) less P(negative).

Which label means what is read from the names in its configuration, or given: `LABEL_0` says nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.types import Array
from tiltmeter.data.fetch import Progress
from tiltmeter.data.polarity import Instrument
from tiltmeter.models import _files, _hf
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._options import DEFAULTS, Options

WEIGHTS: Mapping[str, float] = {"positive": 1.0, "neutral": 0.0, "negative": -1.0}
"""What a label's probability counts, by its class."""
SHORT = {"pos": "positive", "neu": "neutral", "neg": "negative"}


def classes_of(names: Sequence[str], given: Mapping[str, str], model: str) -> list[str]:
    """The class of each label: as given, else as its name says.

    >>> classes_of(["NEG", "Very positive", "LABEL_2"], {"LABEL_2": "neutral"}, "m")
    ['negative', 'positive', 'neutral']

    Raises:
        BadInput: There is no such label or class, a label's name does not say its class, or none is
            positive, or none negative.
    """
    for label, kind in given.items():
        if label not in names or kind not in WEIGHTS:
            raise BadInput(
                f"{label}={kind} does not give a label of {model} a class",
                f"labels are {', '.join(names)}; classes are {', '.join(WEIGHTS)}",
            )
    found = [given.get(name) or _recognised(name) for name in names]
    unknown = [name for name, kind in zip(names, found, strict=True) if not kind]
    if unknown:
        raise BadInput(
            f"{model}: the labels {', '.join(unknown)} do not say whether they are positive, neutral or "
            "negative",
            f"give a class to each with --sentiment-label, such as {unknown[0]}=negative; the model's "
            "description says what they mean",
        )
    lacking = [kind for kind in ("positive", "negative") if kind not in found]
    if lacking:
        raise BadInput(
            f"{model} has no {lacking[0]} label ({', '.join(names)})",
            "give another model, or correct --sentiment-label",
        )
    return found


def _recognised(name: str) -> str:
    plain = name.casefold().replace("_", " ").removeprefix("very ").strip()
    return plain if plain in WEIGHTS else SHORT.get(plain, "")


class SentimentClassifier:
    """Rates texts from −1 (negative) to 1 (positive)."""

    def __init__(self, name: str, loaded: Loaded, classes: Sequence[str]) -> None:
        self.name = name
        self.fingerprint = loaded.fingerprint
        self._loaded = loaded
        self._weights = [WEIGHTS[kind] for kind in classes]
        self._limit = _hf.longest(loaded.model, loaded.tokenizer)
        self._pads = loaded.tokenizer.pad_token_id is not None

    @property
    def instrument(self) -> Instrument:
        """For the record of what it rated."""
        return Instrument(
            self,
            f"{self.name} (P(positive) − P(negative), fingerprint …{self.fingerprint[-8:]})",
            "the whole text, as its training taught it",
        )

    def __call__(self, texts: Sequence[str]) -> list[float]:
        """P(positive) less P(negative) of each text.

        Raises:
            CannotAnswer: A text is longer than the model reads.
        """
        different = list(dict.fromkeys(texts))  # equal texts are rated alike, to the last digit
        lengths = [len(one.ids) for one in self._loaded.encode(different, special=True)]
        _hf.within(self._limit, lengths, self.name)
        found: dict[str, float] = {}
        budget = self._loaded.batch_tokens if self._pads else 1
        for batch in batches_by_length(lengths, budget, keys=different):
            asked = [different[i] for i in batch]
            found |= zip(asked, self._rated(asked).tolist(), strict=True)
        return [found[text] for text in texts]

    def _rated(self, texts: Sequence[str]) -> Array:
        import torch

        inputs = self._loaded.tokenizer(list(texts), padding=self._pads, return_tensors="pt")
        with torch.inference_mode(), _hf.explained(self.name):
            logits = self._loaded.model(**inputs.to(self._loaded.device)).logits  # (b, labels)
        shares = torch.softmax(logits.double(), dim=-1).cpu().numpy()
        rated: Array = shares @ self._weights  # (b,)
        return rated


def open_classifier(
    reference: str,
    *,
    labels: Mapping[str, str] | None = None,
    options: Options = DEFAULTS,
    progress: Progress | None = None,
) -> SentimentClassifier:
    """Open a folder or a model of the hub that classifies sequences.

    Args:
        reference: A folder or a hub id.
        labels: positive, neutral or negative, by the name of a label that does not say it.
        options: How it is opened.
        progress: Of a download.

    Raises:
        BadInput: Its labels are of no known class.
        CannotAnswer: It is no trained classifier, or its labels do not exclude each other.
        TiltmeterError: It cannot be opened.
    """
    if options.precision == "auto":
        options = replace(options, precision="float32")
    folder = _files.folder_of(reference, options, progress=progress)
    auto = "AutoModelForSequenceClassification"
    name = folder.name if Path(reference).expanduser().is_dir() else reference
    loaded = _hf.load(str(folder), options, auto, name=name, scheme="sentiment")
    config: Any = loaded.model.config
    if config.num_labels < 2 or config.problem_type == "multi_label_classification":  # noqa: PLR2004
        raise CannotAnswer(
            f"{name} does not choose one of several labels, so it has no probability of a positive one; "
            "give a classifier with a positive and a negative label"
        )
    names = [str(config.id2label[i]) for i in range(config.num_labels)]
    return SentimentClassifier(name, loaded, classes_of(names, labels or {}, name))
