"""The folder of a trained next-sentence head: the trunk as transformers saves it, and two files beside it.

`next_sentence_head.safetensors` has `weight` (2, d) and `bias` (2); `next_sentence.json` says how a pair is
read, what is pooled, and how the head was trained.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, Unavailable, reason_of
from tiltmeter.core.reading.json_text import read_json

if TYPE_CHECKING:
    import torch


DESCRIPTION = "next_sentence.json"
WEIGHTS = "next_sentence_head.safetensors"
FORMAT = 1
LABELS = ("follows", "does not follow")
"""The two classes, in the order of BERT's own head."""
PAIRS, RUNNING, CLOSED = "pairs", "running text", "pairs, with a closing token"
FIRST, MEAN, LAST = "first token, standardised", "mean, standardised", "last token, standardised"
WAYS = {PAIRS: FIRST, RUNNING: MEAN, CLOSED: LAST}
"""The pooling for each way to read a pair: the first token of an encoder, the mean over all positions, or the
last token where special tokens follow the text (XLNet)."""
UNREAD = "pooler."
"""The beginning of the names of a trunk's weights that no head here reads, so that they may be missing."""


@dataclass(frozen=True, slots=True)
class Description:
    """The contents of `next_sentence.json`."""

    reads: str
    """How a pair is read, one of WAYS."""
    fields: Mapping[str, Any]
    """All fields, most of which are only for people."""


def describe(folder: Path) -> Description:
    """Read and check `next_sentence.json`.

    Raises:
        BadInput: The file is not such a description, or has a format that this version does not know.
    """
    path = folder / DESCRIPTION
    fields = read_json(path, "train the head again")
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        way_out = "train the head again with this version"
        raise BadInput(f"it is not of format {FORMAT}", way_out, file=str(path))
    reads = fields.get("reads")
    if (
        not isinstance(reads, str)
        or reads not in WAYS
        or fields.get("pooling") != WAYS[reads]
        or fields.get("labels") != [*LABELS]
    ):
        ways = " or ".join(f"{way!r} with {pooling!r}" for way, pooling in WAYS.items())
        reason = f"reads and pooling must be {ways}, and labels {[*LABELS]}"
        raise BadInput(reason, "train the head again", file=str(path))
    return Description(reads, fields)


def pooled(states: "torch.Tensor", seen: "torch.Tensor", reads: str) -> "torch.Tensor":
    """The pooled states, (b, d), from last hidden states (b, t, d) and mask (b, t).

    They are those of the first token, of the last one for pairs with a closing token (whose rows are padded
    on the left), or the masked mean. Each row is scaled to mean 0 and variance 1, because the length of
    states differs a hundredfold between models, and the head would learn at as different a pace.
    """
    from torch.nn.functional import layer_norm

    if WAYS[reads] == FIRST:
        return layer_norm(states[:, 0], states.shape[-1:])
    if WAYS[reads] == LAST:
        return layer_norm(states[:, -1], states.shape[-1:])
    mask = seen.unsqueeze(-1).to(states.dtype)  # (b, t, 1)
    return layer_norm((states * mask).sum(1) / mask.sum(1), states.shape[-1:])


def load_weights(folder: Path, width: int) -> dict[str, "torch.Tensor"]:
    """The `weight` (2, width) and `bias` (2,) of the head.

    Raises:
        Unavailable: The file is missing, damaged, or that of another model.
    """
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    path = folder / WEIGHTS
    try:
        weights = load_file(path)
    except (OSError, SafetensorError) as error:
        raise Unavailable(
            f"{path}: the head's weights cannot be read ({reason_of(error)}); train it again"
        ) from error
    shapes = {name: tuple(value.shape) for name, value in weights.items()}
    if shapes != {"weight": (2, width), "bias": (2,)}:
        raise Unavailable(f"{path}: these are not the weights of this model's head; train it again")
    if not all(torch.isfinite(value).all() for value in weights.values()):
        raise Unavailable(f"{path}: a weight is not a finite number; train the head again")
    return weights


def plain(trunk: Any) -> None:
    """Convert an `XLNetModel` to one precision, as parts of it stay in float32, and to reading forwards."""
    dtype = trunk.word_embedding.weight.dtype
    trunk.to(dtype)
    encoding = trunk.relative_positional_encoding

    def in_precision(*args: Any, **kwargs: Any) -> Any:
        return encoding(*args, **kwargs).to(trunk.dtype)

    trunk.relative_positional_encoding = in_precision
    trunk.bi_data = False  # reads half of each batch backwards: for training only
