"""Large blocks of memory, such as a batch's logits, in places of their own."""

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Parameters of `mallopt` in glibc (malloc.h)."""
LARGE = 4 * 2**20
"""Bytes from which a block is large."""


def keep_large_blocks_apart() -> None:
    """Have the C library take each large block from the system and give it back when it is freed.

    By default glibc puts freed blocks of up to 32 MB between small objects, such as records, that live
    longer. What is free there fits the next blocks less and less: a process with a masked model grows by
    2 kB with each pair of sentences. Fresh memory for each large block takes a little time, so that this
    is for runs of many portions. Does nothing where the C library is another one.
    """
    try:
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    except (OSError, TypeError):  # not every system has it, such as Windows
        return
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, LARGE)
        mallopt(M_TRIM_THRESHOLD, LARGE)
