"""Pickles of lists, texts and numbers, read without running code of the file's choice."""

import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput

_SCALAR = np.int64(0).__reduce__()[0]
_KNOWN: dict[str, Any] = {
    "numpy.dtype": np.dtype, "numpy.core.multiarray.scalar": _SCALAR,
    "numpy._core.multiarray.scalar": _SCALAR, "argparse.Namespace": SimpleNamespace,
}  # fmt: skip
"""What a pickle may name besides Python's own lists, texts and numbers."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in _KNOWN:
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        return _KNOWN[f"{module}.{name}"]


def read_pickle(path: Path) -> Any:
    """What a pickle holds; BadInput where it is none, or has more than lists, texts and numbers."""
    try:
        with path.open("rb") as file:
            return _Unpickler(file).load()
    except Exception as why:  # noqa: BLE001  a damaged pickle raises almost anything
        reason = f"is no pickle of lists, texts and numbers ({why})"
        raise BadInput(reason, "save it as CSV or JSONL", file=path.name) from None
