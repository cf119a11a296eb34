"""What the library's XLNet does that no question asked here wants."""

from typing import Any


def plain(trunk: Any) -> None:
    """One precision for all, where the library keeps float32 in places, and no reading backwards.

    Args:
        trunk: An `XLNetModel`; changed in place.
    """
    dtype = trunk.word_embedding.weight.dtype
    trunk.to(dtype)
    encoding = trunk.relative_positional_encoding

    def in_precision(*args: Any, **kwargs: Any) -> Any:
        return encoding(*args, **kwargs).to(trunk.dtype)

    trunk.relative_positional_encoding = in_precision
    trunk.bi_data = False  # reads half of each batch backwards: for training only
