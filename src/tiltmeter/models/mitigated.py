"""A model with a mitigation applied: `mitigated:FOLDER`, where `tiltmeter mitigate` made the folder.

It answers the same questions as the model itself, so that every study runs on it unchanged. The folder names
its model; if that has moved, or another one of the same kind is meant, use `mitigated:FOLDER,MODEL`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, reason_of
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.reading.json_text import read_json
from tiltmeter.models.applied_mitigations import prompted
from tiltmeter.models.applied_mitigations.projection import POINTS, Projection
from tiltmeter.models.opening.model_files import files_below, files_digest
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, files_of, open_model, place_of, resolve

DESCRIPTION = "mitigation.json"
DIRECTIONS = "directions.safetensors"
FORMAT = 1
PROMPTED = "self_debias"
"""The method that changes answers and not states; all others remove directions from states."""


@dataclass(frozen=True, slots=True)
class Mitigation:
    """A folder written by `tiltmeter mitigate`, and its description."""

    folder: Path
    description: Mapping[str, Any]
    """The contents of mitigation.json."""
    base: str = ""
    """The name in results of the model to which the mitigation is applied."""

    @property
    def model(self) -> str:
        """The reference of the model that the mitigation was fitted on."""
        return str(self.description["model"]["reference"])

    @property
    def method(self) -> str:
        """The method's name, such as `projection`."""
        return str(self.description["method"])

    def projection(self) -> Projection:
        """The projection that removes the directions in the file beside the description.

        Raises:
            BadInput: The file is missing or damaged.
        """
        import safetensors.numpy

        file = self.folder / DIRECTIONS
        try:
            basis = safetensors.numpy.load_file(file)["basis"].astype(np.float64)
        except (OSError, KeyError, ValueError, safetensors.SafetensorError) as error:
            reason = f"its directions cannot be read ({reason_of(error)})"
            raise BadInput(reason, "fit it again", file=str(file)) from error
        sound = basis.ndim == 2 and np.isfinite(basis).all()  # noqa: PLR2004
        if not sound or not np.allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-4):
            raise BadInput("its directions are not orthonormal", "fit it again", file=str(file))
        return Projection(basis, self.description.get("point", "last"), self.facts())

    def prompts(self) -> prompted.Prompts:
        """The prompts that are put before texts, with the strength of their effect.

        Raises:
            BadInput: The description is damaged.
        """
        description = self.description
        texts = description.get("prompts") if isinstance(description.get("prompts"), list) else None
        decay, epsilon = (_number(description.get(key)) for key in ("decay", "epsilon"))
        if not (
            texts
            and all(isinstance(text, str) and text.strip() for text in texts)
            and 0 <= decay < float("inf")
            and 0 <= epsilon <= 1
        ):
            reason = "its prompts, decay or epsilon are not what they should be"
            way_out = "create it again: tiltmeter mitigate prompt"
            raise BadInput(reason, way_out, file=str(self.folder / DESCRIPTION))
        facts = {"prompts": " | ".join(texts), "decay": decay, "epsilon": epsilon}
        return prompted.Prompts(tuple(texts), decay, epsilon, self.facts() | facts)

    def facts(self) -> dict[str, Any]:
        """The facts about the mitigation for the card of a result."""
        fitted = self.description.get("fitted", {})
        return {
            "mitigation": self.method,
            "mitigation of": str(self.description.get("attribute", "")),
            "made from": self.base,
            **{
                f"mitigation {key}": value
                for key, value in fitted.items()
                if value is None or isinstance(value, str | int | float | bool)
            },
        }


def read(folder: Path) -> Mitigation:
    """Read the description of a mitigation.

    Raises:
        BadInput: The folder holds no mitigation, or one that is damaged or of another version.
    """
    file = folder / DESCRIPTION
    if not file.is_file():
        what = "it contains no mitigation.json" if folder.is_dir() else "there is no such folder"
        raise BadInput(
            what, "give a folder that `tiltmeter mitigate fit` has made", file=str(folder)
        )
    description = read_json(file, "fit it again")
    whole = (
        isinstance(description, dict)
        and isinstance(description.get("model"), dict)
        and isinstance(description["model"].get("reference"), str)
        and isinstance(description.get("method"), str)
        and isinstance(description.get("fitted", {}), dict)
    )
    if not whole or description.get("point", "last") not in POINTS:
        raise BadInput("it is not the description of a mitigation", "fit it again", file=str(file))
    if description.get("format") != FORMAT:
        reason = f"it is of format {description.get('format')}, and this version reads {FORMAT}"
        raise BadInput(reason, "use the version of Tiltmeter that made it", file=str(file))
    return Mitigation(folder, description)


TRAITS = Traits(
    named_with_kind=True,
    takes_start_token=True,
    form=("mitigated:FOLDER", "a model with a mitigation"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that the model itself satisfies; for prompts, only those whose answers they change.

    Raises:
        BadInput: The folder holds no mitigation.
        CannotAnswer: The method is not defined for this kind of model.
    """
    made, where, _ = _both(location, Options())
    return _prompt_answers(where) if made.method == PROMPTED else where.answers


def files(location: str, options: Options) -> list[Path]:
    """The files of the mitigation and of its model; [] where the model's are not known."""
    made, where, _ = _both(location, options)
    of_model = files_of(where, options)
    return [*files_below(made.folder), *of_model] if of_model else []


def load(location: str, options: Options, *, name: str, note: str = "") -> Any:
    """Open the model and apply the mitigation to it."""
    made, where = as_fitted(location, options)
    where = replace(where, note=" ".join(filter(None, (note, where.note))))
    if made.method == PROMPTED:
        return prompted.against(open_model(where, options, name=name), made.prompts())
    return open_model(where, replace(options, change=made.projection()), name=name)


def as_fitted(location: str, options: Options) -> tuple[Mitigation, Resolved]:
    """The mitigation and its model, after checking that it is the model that the mitigation was made for.

    If the location names another model, that is allowed and stated in a note.

    Raises:
        BadInput: The model has changed since the mitigation was made, or `read` raises it.
        CannotAnswer: The method is not defined for the model.
    """
    made, where, is_named = _both(location, options)
    changed = _changed(made, where, options, is_named=is_named)
    return made, replace(where, note=" ".join(filter(None, (where.note, changed))))


def projected(location: str) -> tuple[Projection, Resolved]:
    """The projection of a mitigation and its model, for training a classifier on the projected states.

    Raises:
        CannotAnswer: The method changes answers and not states.
        BadInput: `as_fitted` raises it.
    """
    made, where = as_fitted(location, Options())
    if made.method == PROMPTED:
        raise CannotAnswer(
            f"mitigated:{location} changes what the model answers to prompts and not its states, so no "
            "classifier can be trained on it; fit a subspace, or train the model further (mitigate train)"
        )
    return made.projection(), where


def check(method: str, where: Resolved, reference: str) -> None:
    """Refuse a model for which the method is not defined.

    Raises:
        CannotAnswer: The method is not defined for the model.
    """
    if method == PROMPTED and not (where.traits.takes_change and _prompt_answers(where)):
        raise CannotAnswer(
            f"{reference} is a model of kind {where.scheme}, which gives no probabilities of words that a "
            "prompt could change; give a masked, permutation, causal or sequence-to-sequence language model"
        )
    if not where.traits.takes_change:
        raise CannotAnswer(
            f"{reference} is a model of kind {where.scheme}, which has no states that anything could be "
            "taken out of"
        )


def _prompt_answers(where: Resolved) -> tuple[type, ...]:
    return tuple(protocol for protocol in where.answers if protocol in prompted.ANSWERED)


def _both(location: str, options: Options) -> tuple[Mitigation, Resolved, bool]:
    """The mitigation, its model, and whether the location names the model."""
    place, _, other = (part.strip() for part in location.partition(","))
    if Path(location).expanduser().is_dir():  # a comma in its name
        place, other = location, ""
    made = read(Path(place).expanduser())
    reference = other or made.model
    if reference.startswith("mitigated:"):
        raise CannotAnswer(
            f"{reference} is mitigated already; a mitigation is of a model as it was trained"
        )
    where = resolve(_beside(reference, made.folder), options)
    check(made.method, where, reference)
    return replace(made, base=where.name), where, bool(other)


def _beside(reference: str, folder: Path) -> str:
    """The path of a mitigation's model: a relative one is looked up here first, then from its folder."""
    path = folder / reference
    return str(path) if not Path(reference).exists() and path.exists() else reference


def made_from(location: str) -> str:
    """The location of a mitigation's model; "" where the folder cannot be read."""
    try:
        return _both(location, Options())[1].location
    except TiltmeterError:
        return ""


def _changed(made: Mitigation, where: Resolved, options: Options, *, is_named: bool) -> str:
    """A note if the model is not the one on which the mitigation was fitted; otherwise "".

    Raises:
        BadInput: It is another model, and the user has not named it.
    """
    fitted_on = made.description["model"].get("sha256")
    if not fitted_on or fitted_on == files_digest(place_of(where, options)):
        return ""
    if not is_named:
        raise BadInput(
            f"its model {made.model} has changed since the mitigation was made (other files)",
            f"make the mitigation again, or name the model to use it anyway: "
            f"mitigated:{made.folder},{made.model}",
            file=str(made.folder),
        )
    return "The mitigation was made for another model, or for another version of this one."


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
