"""Apply a mitigation that was made for one model to another."""

from pathlib import Path

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.mitigate.folder import free, reference_of, save
from tiltmeter.models.mitigated import PROMPTED, Mitigation, check, read
from tiltmeter.models.opening import model_files
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, resolve

SIZES = ("hidden_size", "d_model", "n_embd", "dim")
"""Names under which configurations give the size of the states."""


def apply(folder: Path, model: str, out: Path, options: Options | None = None) -> Path:
    """Write a mitigation's folder anew for another model, such as one fine-tuned from the same checkpoint.

    Args:
        folder: The folder of the mitigation.
        model: The other model.
        out: The folder to write, which must be empty or missing.
        options: How the other model is opened.

    Returns:
        `out`.

    Raises:
        BadInput: `out` is not empty.
        CannotAnswer: The model's states are of another size, or the method cannot be applied to its kind.
    """
    options = options or Options()
    made = read(folder)
    free(out)
    where = resolve(model, options)
    check(made.method, where, model)
    description = dict(made.description)
    description["fitted on"] = description["model"]
    description["model"] = {"reference": reference_of(model), "name": where.name}
    if digest := model_files.files_digest(
        where.location
    ):  # of a hub model that is not fetched: none
        description["model"]["sha256"] = digest
    if made.method == PROMPTED:
        made.prompts()  # says what is wrong with them, if anything is
        save(out, description)
    else:
        basis = _fitting(made, where, model, options)
        description["model"]["hidden size"] = basis.shape[1]
        save(out, description, basis)
    return out


def _fitting(made: Mitigation, where: Resolved, model: str, options: Options) -> Array:
    """The directions of a mitigation, shape (k, d).

    Raises:
        CannotAnswer: The model's states are of another size.
    """
    basis = made.projection().basis
    wanted, size = basis.shape[1], _size(where, options)
    if size is not None and size != wanted:
        raise CannotAnswer(
            f"{model} has states of {counted(size, 'numbers')}, and the directions were fitted on states of "
            f"{wanted:,}. Fit some on this model: tiltmeter mitigate fit"
        )
    return basis


def _size(where: Resolved, options: Options) -> int | None:
    """The size of the model's states according to its configuration; None if that does not say."""
    if not where.traits.checkpoint:
        return None
    folder = model_files.folder_of(where.location, options, only=["config.json"])
    try:
        config = parsed((folder / "config.json").read_text("utf-8"), twice=True)
    except (OSError, ValueError):
        return None
    sizes = (config.get(name) for name in SIZES)
    return next((size for size in sizes if isinstance(size, int)), None)
