"""The precision in which a model is opened where the user names none, and the memory that this takes.

It is float32, the reference. Where that does not fit into the memory that is free, a model whose files are in
bfloat16 or float16 is opened in their precision. It is said before the weights are loaded, and cards,
fingerprints and stored answers have it, so that results in different precisions never mix.
"""

import gc
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.text import in_bytes
from tiltmeter.models.opening.model_kinds import config_of
from tiltmeter.models.opening.model_options import AUTO, Options
from tiltmeter.models.opening.weight_files import StoredTensor, precision_of_files, tensors
from tiltmeter.models.speed.free_memory import free_bytes, whole_bytes

REFERENCE = "float32"
SIZES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes of a number."""
BESIDE = {"float32": 4, "bfloat16": 8, "float16": 0}
"""Further bytes on a CPU, for each number of the largest tensor. It rearranges weights one by one
(`packed_weights`). The largest, the words' vectors, may also be the output layer's, and in bfloat16 both are
computed in float32."""


@dataclass(frozen=True, slots=True)
class PrecisionChoice:
    """The options with which a model is opened, and what to say of its memory before it is loaded."""

    options: Options
    """With a precision that is not "auto", where the model's files are known."""
    reason: str = ""
    """The precision and why it is not float32, or that memory may not suffice; "" where there is nothing to
    say."""


def weights_bytes(stored: Mapping[str, StoredTensor], precision: str, device: str) -> int:
    """The most memory that a model's weights take while it is opened, in bytes.

    Args:
        stored: The tensors in its files.
        precision: "float32", "bfloat16" or "float16".
        device: The kind of device, such as "cpu".
    """
    counts = [tensor.count for tensor in stored.values()]
    beside = BESIDE[precision] * max(counts, default=0) if device == "cpu" else 0
    return SIZES[precision] * sum(counts) + beside


def choose_precision(folder: Path, options: Options, device: str, name: str) -> PrecisionChoice:
    """The precision for the model in a folder, by its weight files and the memory that is free.

    Args:
        folder: The model's folder, with its weights.
        options: How the model is to be opened. A precision that the user named is kept.
        device: The kind of device on which it will be.
        name: What results call the model.

    Raises:
        Unavailable: Its weights need more memory than there is at all.
    """
    stored = tensors(folder)
    asked = options.precision
    precision = REFERENCE if asked == AUTO else asked
    if not stored or _is_quantised(folder):  # how large they become is known to their library alone
        return PrecisionChoice(replace(options, precision=precision))
    needs = {kind: weights_bytes(stored, kind, device) for kind in SIZES}
    own, free = precision_of_files(stored), free_bytes(device)
    if free is not None and needs[precision] > free:
        gc.collect()  # a model that was closed a moment ago may still be held by cycles
        free = free_bytes(device)
    fits = free is None or needs[precision] <= free
    if asked == AUTO and not fits and own in SIZES:
        precision = own
    _check_whole(needs, precision, device, name)
    reason = ""
    if not fits:
        reason = f"{precision}: that takes {in_bytes(needs[precision])}, and {in_bytes(free or 0)} are free"
    if precision != REFERENCE and asked == AUTO:
        reason = (
            f"{precision}, as in its files: that takes {in_bytes(needs[precision])} and {REFERENCE} "
            f"{in_bytes(needs[REFERENCE])}, and {in_bytes(free or 0)} are free"
        )
    return PrecisionChoice(replace(options, precision=precision), reason)


def _check_whole(needs: Mapping[str, int], precision: str, device: str, name: str) -> None:
    whole = whole_bytes(device)
    if whole is None or needs[precision] <= whole:
        return
    less = min(needs, key=lambda kind: needs[kind])
    way_out = (
        f"use --precision {less} ({in_bytes(needs[less])}), or" if needs[less] <= whole else "use"
    )
    raise Unavailable(
        f"{name}: opening it in {precision} takes {in_bytes(needs[precision])} of memory, and this machine "
        f"has {in_bytes(whole)}; {way_out} a smaller model or a machine with more memory"
    )


def _is_quantised(folder: Path) -> bool:
    try:
        return "quantization_config" in config_of(folder)
    except BadInput:
        return False
