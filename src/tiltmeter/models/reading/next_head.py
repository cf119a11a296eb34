"""A trained next-sentence head as a folder: the trunk as transformers saves it, and two files beside it.

`next_sentence_head.safetensors` holds `weight` (2, d) and `bias` (2); `next_sentence.json` says how a
pair is read, what is pooled, and where the head comes from.
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
"""The classes in their order, which is that of BERT's own head."""
PAIRS, RUNNING, CLOSED = "pairs", "running text", "pairs, with a closing token"
FIRST, MEAN, LAST = "first token, standardised", "mean, standardised", "last token, standardised"
WAYS = {PAIRS: FIRST, RUNNING: MEAN, CLOSED: LAST}
"""What is pooled, by how a pair is read: what the first token of an encoder saw, every position, or what
the last token saw where special tokens stand after the text (XLNet)."""
UNREAD = "pooler."
"""Weights of a trunk that no head here reads: they may be missing."""


@dataclass(frozen=True, slots=True)
class Description:
    """What `next_sentence.json` says that reading the folder needs; the rest is for people."""

    reads: str
    fields: Mapping[str, Any]


def describe(folder: Path) -> Description:
    """Read and check `next_sentence.json`.

    Raises:
        BadInput: It is not such a file, or of a format that this version does not know.
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
    """(b, t, d) last hidden states and (b, t) mask to (b, d): one token's, or the masked mean.

    The one token is the first, or the last where pairs are closed: such rows are padded on the left. Each
    row is brought to mean 0 and variance 1: how long the states are differs a hundredfold between models,
    and the head would learn at as different a pace.
    """
    from torch.nn.functional import layer_norm

    if WAYS[reads] == FIRST:
        return layer_norm(states[:, 0], states.shape[-1:])
    if WAYS[reads] == LAST:
        return layer_norm(states[:, -1], states.shape[-1:])
    mask = seen.unsqueeze(-1).to(states.dtype)  # (b, t, 1)
    return layer_norm((states * mask).sum(1) / mask.sum(1), states.shape[-1:])


def load_weights(folder: Path, width: int) -> dict[str, "torch.Tensor"]:
    """`weight` (2, width) and `bias` (2,) of the head.

    Raises:
        Unavailable: The file is missing, damaged, or another model's.
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
    """Give an `XLNetModel` one precision, where its library keeps some float32; nothing is read backwards."""
    dtype = trunk.word_embedding.weight.dtype
    trunk.to(dtype)
    encoding = trunk.relative_positional_encoding

    def in_precision(*args: Any, **kwargs: Any) -> Any:
        return encoding(*args, **kwargs).to(trunk.dtype)

    trunk.relative_positional_encoding = in_precision
    trunk.bi_data = False  # reads half of each batch backwards: for training only
