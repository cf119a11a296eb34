"""Models that say whether one sentence follows another.

They are named `next_sentence:heads/gpt2-next` or by the plain name. Such a model is a folder made by
`tiltmeter train next-sentence`, or a checkpoint with BERT's own head (`BertForNextSentencePrediction`). It
only judges pairs of sentences; `headed:MODEL,HEAD` combines it with a language model.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.model.back_ends import Checkpoint, Traits
from tiltmeter.core.model.protocols import Fact, JudgesNext
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.load_errors import explained
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading import next_head
from tiltmeter.models.reading.next_head import plain
from tiltmeter.models.reading.next_pairs import Judge, JudgesPairs, PairReader
from tiltmeter.models.reading.token_model import OpenedModel
from tiltmeter.models.speed import packed_weights

if TYPE_CHECKING:
    import torch

PROBE = (("He was late.", "The bus had gone."), ("She sang.", "Nobody in the old house heard it."))

TRAITS = Traits(
    Checkpoint("AutoModelForNextSentencePrediction", "next-sentence model"),
    takes_change=True,
    usual_answers=(JudgesNext,),
)


def answers(_: str) -> tuple[type, ...]:
    """The protocols that a next-sentence model satisfies."""
    return (JudgesNext,)


class NextSentence(OpenedModel, JudgesPairs):
    """A next-sentence model (`JudgesNext`). It batches pairs by length and keeps the order of answers."""

    def __init__(self, name: str, loaded: Loaded, judge: Judge) -> None:
        super().__init__(name, loaded)
        self._make_judge = lambda: judge
        loaded.about["longest pair"] = judge.limit
        with explained(name):
            judge.logprobs(PROBE)


def load(location: str, options: Options, *, name: str, note: str = "") -> NextSentence:
    """Open a trained head, or a checkpoint with BERT's own head."""
    if (Path(location) / next_head.DESCRIPTION).is_file():
        return _trained(location, options, name, note)
    loaded = hf.load(location, options, name=name, scheme="next_sentence", note=note)
    loaded.about["next-sentence head"] = "the checkpoint's own"
    reader = PairReader(loaded)
    return _judging(name, loaded, reader, lambda inputs: loaded.model(**inputs).logits)


def _trained(location: str, options: Options, name: str, note: str) -> NextSentence:
    import torch

    described = next_head.describe(Path(location))
    loaded = hf.load(
        location, options, "AutoModel", name=name, scheme="next_sentence", note=note,
        unread=next_head.UNREAD,
    )  # fmt: skip
    trunk = loaded.model
    if described.reads == next_head.CLOSED:
        plain(trunk)
    width = int(trunk.config.hidden_size)
    weights = next_head.load_weights(Path(location), width)
    weight, bias = (weights[key].to(loaded.device, torch.float32) for key in ("weight", "bias"))

    def logits(inputs: Mapping[str, "torch.Tensor"]) -> "torch.Tensor":
        states = trunk(**inputs).last_hidden_state.float()  # (b, t, d)
        read = next_head.pooled(states, inputs["attention_mask"], described.reads)  # (b, d)
        return torch.nn.functional.linear(read, weight, bias)  # (b, 2)

    loaded.about |= _facts(described, loaded)
    reader = PairReader(loaded, reads=described.reads)
    return _judging(name, loaded, reader, logits)


def _judging(
    name: str, loaded: Loaded, reader: PairReader, logits: Callable[[Mapping[str, Any]], Any]
) -> NextSentence:
    probe = reader.inputs(reader.read(PROBE))
    with explained(name):
        packed_weights.pack(loaded, lambda: logits(probe))
    return NextSentence(name, loaded, Judge(name, loaded, reader, logits))


def _facts(described: next_head.Description, loaded: Loaded) -> dict[str, Fact]:
    """Facts for the card on how the head was trained and how accurate it is."""
    fields = described.fields
    base, corpus, held_out = (fields.get(key) or {} for key in ("base", "corpus", "held_out"))
    return {
        "parameters": sum(p.numel() for p in loaded.model.parameters()),
        "next-sentence head": f"trained on pooled states ({fields['pooling']}), reads {fields['reads']}",
        "head trained on": corpus.get("file"),
        "head trained from": base.get("name"),
        "head's pairs": fields.get("pairs"),
        "head's held-out pairs": held_out.get("pairs"),
        "head's held-out accuracy": held_out.get("accuracy"),
    }
