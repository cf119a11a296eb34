"""Write the folder of a mitigation."""

from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array
from tiltmeter.models.mitigated import DESCRIPTION, DIRECTIONS
from tiltmeter.train.checkpoint import storing
from tiltmeter.train.training_run import write_json


def free(out: Path) -> None:
    """Check that a folder is empty or does not exist yet.

    Raises:
        BadInput: Something is there already.
    """
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise BadInput(
            "it already exists and is not an empty folder",
            "name another folder with --out, or remove it",
            file=str(out),
        )


def reference_of(model: str) -> str:
    """A model's name for a description: a folder by its absolute path, and any other name as it is."""
    scheme, colon, rest = model.rpartition(":")
    path = Path(rest).expanduser()
    return f"{scheme}{colon}{path.resolve()}" if path.exists() else model


def save(out: Path, description: dict[str, Any], basis: Array | None = None) -> None:
    """Write directions, if there are any, and then the description, so that a folder with one is complete.

    Raises:
        StorageError: The folder cannot be written.
    """
    import numpy as np
    import safetensors.numpy

    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
        if basis is not None:
            safetensors.numpy.save_file({"basis": np.ascontiguousarray(basis)}, out / DIRECTIONS)
        write_json(out / DESCRIPTION, description)
