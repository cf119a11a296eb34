"""Directions that were fitted on one model, applied to another of the same size."""

import json
import shutil
from pathlib import Path

from tiltmeter.core.errors import BadInput, CannotAnswer, StorageError
from tiltmeter.mitigate.fit import reference_of
from tiltmeter.models import _kinds
from tiltmeter.models._open import HUGGING_FACE, Options, Resolved, resolve
from tiltmeter.models.mitigated import ABLE, DESCRIPTION, DIRECTIONS, read

SIZES = ("hidden_size", "d_model", "n_embd", "dim")
"""What configurations call the size of the states."""


def apply(folder: Path, model: str, out: Path, options: Options | None = None) -> Path:
    """A folder like the first, of another model: one fine-tuned from the same checkpoint, say.

    Raises:
        BadInput: Something is at `out` already.
        CannotAnswer: The model's states are of another size, or it has none.
    """
    options = options or Options()
    made = read(folder)
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise BadInput("something is there already", "name another folder", file=str(out))
    where = resolve(model, options)
    if where.scheme not in ABLE:
        raise CannotAnswer(
            f"{model} is a model of kind {where.scheme}, which has no states that anything could be "
            "taken out of"
        )
    wanted, size = made.projection().basis.shape[1], _size(where, options)
    if size is not None and size != wanted:
        raise CannotAnswer(
            f"{model} has states of {size:,} numbers, and the directions were fitted on states of "
            f"{wanted:,}. Fit some on this model: tiltmeter mitigate fit"
        )
    said = dict(made.said)
    said["fitted on"] = said["model"]
    said["model"] = {"reference": reference_of(model), "name": where.name, "hidden size": wanted}
    try:
        out.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / DIRECTIONS, out / DIRECTIONS)
        text = json.dumps(said, indent=2, ensure_ascii=False, allow_nan=False)
        (out / DESCRIPTION).write_text(text + "\n", "utf-8")
    except OSError as error:
        raise StorageError(f"{out}: it could not be written: {error}") from error
    return out


def _size(where: Resolved, options: Options) -> int | None:
    """Of the model's states, from its configuration; None where that does not say."""
    if where.scheme not in HUGGING_FACE:
        return None
    folder = _kinds.folder_of(where.location, options, only=["config.json"])
    try:
        said = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    found = (said.get(name) for name in SIZES)
    return next((size for size in found if isinstance(size, int)), None)
