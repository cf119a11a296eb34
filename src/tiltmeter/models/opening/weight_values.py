"""Checks that all weights of a model are finite numbers.

Its answers do not always show it: fused attention gives finite values where a query or key weight is NaN.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.text import counted, verb_for
from tiltmeter.models.opening.loaded import Loaded

if TYPE_CHECKING:
    import torch

CHECK = "finite weights"
ROUNDED = frozenset({"float16", "bfloat16"})
"""Precisions in which a finite weight of the file may become infinite."""


def check_finite(loaded: Loaded, name: str, precision: str, parts: Iterable[Any] = ()) -> None:
    """Refuse a model with a weight that is not a finite number; that all are finite is remembered.

    Args:
        loaded: The model.
        name: What results call it.
        precision: The precision of its weights, such as "float32".
        parts: Further modules on which its answers depend, such as those of a sentence encoder.

    Raises:
        CannotAnswer: A weight is NaN or infinite.
    """
    if loaded.verdict(CHECK):
        return
    for weight, value in _weights([loaded.model, *parts]):
        if not _is_finite(value):
            raise CannotAnswer(_reason(name, weight, value, precision, is_held=loaded.borrowed))
    loaded.remember(CHECK, verdict=True)


def _weights(modules: Iterable[Any]) -> "Iterator[tuple[str, torch.Tensor]]":
    """The names and values of floating-point parameters and stored buffers; shared ones occur once."""
    import torch

    visited: set[tuple[int, int]] = set()
    for module in modules:
        for name, value in module.state_dict().items():
            if not isinstance(value, torch.Tensor) or value.is_meta or not value.numel():
                continue
            place = value.data_ptr(), value.numel()
            if value.is_floating_point() and (not place[0] or place not in visited):
                visited.add(place)
                yield name, value.detach()


def _is_finite(value: "torch.Tensor") -> bool:
    """Whether all numbers are finite.

    Only the lowest and the highest are tested, which are NaN if any number is: one pass, and no copy.
    """
    import torch

    wide = value if value.element_size() > 1 else value.float()  # torch cannot compare 8-bit floats
    return bool(torch.isfinite(torch.stack(torch.aminmax(wide))).all())


def _reason(name: str, weight: str, value: "torch.Tensor", precision: str, *, is_held: bool) -> str:
    import torch

    wide = value.float()
    bad = int((~torch.isfinite(wide)).sum())
    kind = "NaN" if bool(torch.isnan(wide).any()) else "infinite"
    if is_held:
        way_out = "its training has diverged: use an earlier checkpoint, or a lower learning rate"
    elif precision in ROUNDED:
        way_out = (
            "if the numbers in the file are finite, they are too large for this precision: use "
            "--precision float32; otherwise the file is damaged: download the model again"
        )
    else:
        way_out = (
            "the file is damaged, or the training that wrote it diverged: download the model again, or use "
            "an earlier checkpoint"
        )
    return (
        f"{name}: {bad:,} of {counted(value.numel(), 'numbers')} of the weight {weight} "
        f"{verb_for(bad, 'are')} {kind}; {way_out}"
    )
