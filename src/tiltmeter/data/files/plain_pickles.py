"""Pickles of plain data: lists, texts and numbers, and nothing that could run code."""

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput

_SCALAR: Any = np.int64(0).__reduce__()[0]
_PLAIN: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "scalar"): _SCALAR,
    ("numpy._core.multiarray", "scalar"): _SCALAR,
    ("argparse", "Namespace"): SimpleNamespace,
}
"""What a pickle may name besides Python's own lists, texts and numbers."""


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _PLAIN:
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        return _PLAIN[module, name]


def read_pickle(path: Path) -> Any:
    """What a pickle of plain data holds; no code of the file's choice is run.

    Raises:
        BadInput: It is no pickle, or one of anything else.
    """
    try:
        with path.open("rb") as file:
            return _PlainUnpickler(file).load()
    except OSError as why:
        raise BadInput(f"cannot be read ({why.strerror})", file=path.name) from None
    except Exception as why:  # noqa: BLE001  a damaged pickle raises almost anything
        reason = f"is no pickle of lists, texts and numbers ({why})"
        raise BadInput(reason, "save it anew, or as CSV or JSONL", file=path.name) from None
