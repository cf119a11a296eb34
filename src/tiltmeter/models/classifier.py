"""Classifiers of texts: `classifier:FOLDER`, a hub id, or the plain name.

Any transformers checkpoint with a classification head can be used, with one label for each text (softmax) or
with labels that do not exclude each other (a sigmoid for each, as in toxicity models). A folder made by
`tiltmeter train classifier` also says how its texts are cleaned and where they are cut, and both are done
here as in its training.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Checkpoint, Traits
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.protocols import Classifies, Fact
from tiltmeter.core.reading.json_text import read_json
from tiltmeter.core.types import Array
from tiltmeter.data.texts.cleaning import RAW, Cleaning, cleaning_of
from tiltmeter.models.opening import hf, model_kinds
from tiltmeter.models.opening.load_errors import explained
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading.token_model import OpenedModel
from tiltmeter.models.speed import packed_weights

DESCRIPTION = "classifier.json"
MULTI = "multi_label_classification"
PROBE = ("He was late.", "Nobody in the old house heard the bus.")

TRAITS = Traits(
    Checkpoint("AutoModelForSequenceClassification", "sequence classifier"),
    takes_change=True,
    usual_answers=(Classifies,),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocol that a classifier satisfies.

    Raises:
        CannotAnswer: The model's output is a number and not a label.
    """
    config = model_kinds.config_of(Path(location).expanduser())
    labels = config.get("id2label")
    single = isinstance(labels, dict) and len(labels) == 1
    kind = config.get("problem_type")
    if kind == "regression" or (single and kind != MULTI):
        raise CannotAnswer(
            f"{location} gives a number and no label (regression); give a model with labels"
        )
    return (Classifies,)


def described(folder: Path) -> dict[str, Any]:
    """The description in a folder made by `train classifier`; {} for any other folder.

    Raises:
        BadInput: The description is damaged.
    """
    path = folder / DESCRIPTION
    if not path.is_file():
        return {}
    description = read_json(path, "train the classifier again")
    if not isinstance(description, dict) or not isinstance(description.get("cleaning"), dict):
        raise BadInput("it does not say how texts are cleaned", "train again", file=str(path))
    return description


class Classifier(OpenedModel):
    """A classifier of texts (`Classifies`). It batches texts by length and keeps the order of answers."""

    def __init__(self, name: str, loaded: Loaded, cleaning: Cleaning, most: int | None) -> None:
        """`most` is the number of tokens to which texts are cut; None refuses texts longer than the model."""
        super().__init__(name, loaded)
        config = loaded.model.config
        self.text_limit = hf.longest(loaded.model, loaded.tokenizer)
        self.labels = tuple(str(config.id2label[i]) for i in range(config.num_labels))
        self.exclusive = config.problem_type != MULTI
        self._cleaning, self._most = cleaning, most
        self._pads = loaded.tokenizer.pad_token_id is not None and (
            config.get_text_config().pad_token_id is not None
        )
        probe = [*PROBE] if self._pads else [PROBE[0]]
        with explained(name):
            packed_weights.pack(loaded, lambda: self._logits(probe))

    @property
    def about(self) -> Mapping[str, Fact]:
        """The facts for the card of a result."""
        cut = {"texts are cut at": f"{self._most} tokens"} if self._most else {}
        return {
            **self._loaded.about,
            "labels": ", ".join(self.labels),
            "cleaning": str(self._cleaning),
            **cut,
        }

    def text_lengths(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text as the model reads it: cleaned, and cut as in training."""
        cleaned = [self._cleaning(text) or " " for text in texts]
        lengths = [len(tokens.ids) for tokens in self._loaded.encode(cleaned, special=True)]
        return [max(1, min(n, self._most or n)) for n in lengths]

    def class_logprobs(self, texts: Sequence[str]) -> list[Array]:
        """For each text the log-probabilities of the labels, shape (labels,).

        Raises:
            CannotAnswer: A text is longer than the model's limit.
        """
        import torch

        lengths = self.text_lengths(texts)
        hf.within(self.text_limit, lengths, self.name)
        by_text: dict[int, Array] = {}
        for batch in batches_by_length(lengths, self.batch_tokens if self._pads else 1, keys=texts):
            with torch.inference_mode(), explained(self.name):
                logits = self._logits([texts[i] for i in batch]).double()  # (b, labels)
                each_by_itself = torch.nn.functional.logsigmoid
                logprobs = logits.log_softmax(-1) if self.exclusive else each_by_itself(logits)
            by_text |= zip(batch, logprobs.cpu().numpy(), strict=True)
        return [np.asarray(by_text[i], dtype=np.float64) for i in range(len(texts))]

    def _logits(self, texts: Sequence[str]) -> Any:
        cleaned = [self._cleaning(text) or " " for text in texts]
        inputs = self._loaded.tokenizer(
            cleaned,
            **self._loaded.plainly(cleaned),
            padding=self._pads,
            truncation=self._most is not None,
            max_length=self._most,
            return_tensors="pt",
        )
        return self._loaded.model(**inputs.to(self._loaded.device)).logits


def load(location: str, options: Options, *, name: str, note: str = "") -> Classifier:
    """Open a classifier from its folder."""
    folder = Path(location)
    description = described(folder)
    loaded = hf.load(location, options, name=name, scheme="classifier", note=note)
    if description:
        loaded.about |= _facts(description)
    cleaning = cleaning_of(description["cleaning"], "classifier.json") if description else RAW
    return Classifier(name, loaded, cleaning, description.get("max_tokens"))


def _facts(description: Mapping[str, Any]) -> dict[str, Fact]:
    """Facts for the card on how a classifier was trained."""
    base, data = (description.get(key) or {} for key in ("base", "data"))
    mitigated: dict[str, Fact] = {}
    if base.get("mitigation"):
        of = base.get("mitigation of")
        mitigated["trained with mitigation"] = f"{base['mitigation']}{f' of {of}' if of else ''}"
        mitigated["made from"] = base.get("made from")
    return {
        "trained from": base.get("name"),
        "trained on": data.get("name"),
        "training seed": description.get("seed"),
        **mitigated,
    }
