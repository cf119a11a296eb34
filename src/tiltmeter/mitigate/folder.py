"""The folder that a mitigation is kept in, and how it is written."""

from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array
from tiltmeter.models.mitigated import DESCRIPTION, DIRECTIONS
from tiltmeter.train.checkpoint import storing
from tiltmeter.train.training_run import write_json


def free(out: Path) -> None:
    """See that nothing is there yet.

    Raises:
        BadInput: Something is.
    """
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise BadInput(
            "it already exists and is not an empty folder",
            "name another folder with --out, or remove it",
            file=str(out),
        )


def reference_of(model: str) -> str:
    """A folder by its whole path, so that it is found from anywhere; any other name as it is."""
    scheme, colon, rest = model.rpartition(":")
    path = Path(rest).expanduser()
    return f"{scheme}{colon}{path.resolve()}" if path.exists() else model


def save(out: Path, description: dict[str, Any], basis: Array | None = None) -> None:
    """Directions, if any, first; the description last and under its name only when it is whole.

    Raises:
        StorageError: It cannot be written.
    """
    import numpy as np
    import safetensors.numpy

    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
        if basis is not None:
            safetensors.numpy.save_file({"basis": np.ascontiguousarray(basis)}, out / DIRECTIONS)
        write_json(out / DESCRIPTION, description)
