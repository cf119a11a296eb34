"""Models that the caller holds, ready to be asked."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput
from tiltmeter.models.opening.in_memory import in_memory
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class WrappedModel:
    """A transformers model in memory, ready to be asked; made by `wrap`, which has an example."""

    source: Resolved

    @property
    def name(self) -> str:
        """The name under which results list the model."""
        return self.source.reference

    @property
    def kind(self) -> str:
        """Which questions it answers: masked, causal or seq2seq."""
        return self.source.scheme


def wrap(
    model: "PreTrainedModel | Any",
    tokenizer: "PreTrainedTokenizerBase | Any",
    *,
    name: str = "",
    kind: str = "",
) -> WrappedModel:
    """A loaded transformers model for `run` and `score`; it is neither copied nor changed.

    Masked, causal and sequence-to-sequence models with their heads, subclasses of them, and models with
    adapters in their layers (peft).

    >>> import tiltmeter as tm
    >>> from transformers import BertConfig, BertForMaskedLM, BertTokenizer
    >>> words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "nurse", "she", "he", "ran", "."]
    >>> tokenizer = BertTokenizer(vocab={word: number for number, word in enumerate(words)})
    >>> small = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    >>> model = BertForMaskedLM(BertConfig(vocab_size=len(words), intermediate_size=8, **small))
    >>> mine = tm.wrap(model.eval(), tokenizer, name="mine")
    >>> mine.kind
    'masked'
    >>> tm.run("pairs", mine, data=[("The nurse she ran.", "The nurse he ran.")]).headline.n
    1

    Args:
        model: On the device and in the precision in which it is to be asked.
        tokenizer: The one that it was trained with.
        name: What results call it; by default where it was loaded from, "(in memory)".
        kind: masked, causal or seq2seq; by default the class tells.

    Raises:
        CannotAnswer: It has no head that scores tokens.
        MissingExtra: torch or transformers is not installed.
    """
    return WrappedModel(in_memory(model, tokenizer, name=name, kind=kind))


def source_of(
    model: str | Path | WrappedModel, opening: Options, precision: str | None
) -> str | Resolved:
    """What the planning takes: a reference, or the model in memory.

    Raises:
        BadInput: A device or a precision is named for a model that is in memory.
    """
    if not isinstance(model, WrappedModel):
        return str(model)
    if precision is not None or opening.device != "auto":
        raise BadInput(
            f"{model.name} is in memory already and is asked as it is there",
            "leave out device and precision, or move it before",
        )
    return model.source
