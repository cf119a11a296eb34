"""Memory that is free within the process goes back to the system."""

import ctypes
from collections.abc import Callable
from functools import cache


def return_free_memory() -> None:
    """Have the C library give back what was freed; does nothing where it has no such function.

    glibc keeps freed blocks of up to 32 MB, such as a batch's logits, and cannot join them where small
    objects that live longer, such as records, lie between them. Without this the process grows by some
    2 kB per scored pair of sentences, in which nothing is stored.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    except (OSError, TypeError):  # no such library, or Windows
        return None
    return found
