"""Export a mitigated language model as an ordinary checkpoint, if its projection can be folded into the head.

The head first applies a linear layer to the states, W x + b. With the projection P before it, this is
(W P) x + b, so that P can become part of the weights, and whoever loads the checkpoint does not need
Tiltmeter. Only the answers of the head are those of the mitigated model. States that are read elsewhere
(vectors of texts, or a classifier on top) are those of the original model.
"""

from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.mitigate.folder import free
from tiltmeter.models.applied_mitigations.projection import fold
from tiltmeter.models.mitigated import PROMPTED, Mitigation, as_fitted
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.checkpoint_parts import APPLIED
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import place_of
from tiltmeter.train.training_run import complete, write_model

ABLE = frozenset({"masked", "causal"})
"""Kinds of models that can be exported."""
PROBE = ("She is a doctor and he is a nurse.", "Nobody in the old house heard the bus.")
"""Texts on which the exported model must answer as the mitigated one does."""


def export(folder: Path, out: Path, options: Options | None = None) -> Path:
    """Write the checkpoint, once it is certain that it answers as the mitigated model does.

    Args:
        folder: The folder of the mitigation.
        out: The folder to write, which must be empty or missing.
        options: How the model is opened.

    Returns:
        `out`.

    Raises:
        BadInput: `out` is not empty, or the model has changed since the mitigation was made.
        CannotAnswer: The projection cannot be folded in, because it is applied after every layer, the model
            is of another kind, or its head does not begin with a linear layer.
    """
    import torch

    options = options or Options()
    made, where = as_fitted(str(folder), options)
    free(out)
    instead = f"Use mitigated:{folder}"
    if made.method == PROMPTED:
        raise CannotAnswer(
            "prompts change what a model answers and not its weights, so there is nothing to export. "
            f"{instead}"
        )
    if where.scheme not in ABLE:
        raise CannotAnswer(
            f"{made.model} is a model of kind {where.scheme}; only masked and causal models can be "
            f"exported. {instead}"
        )
    projection = made.projection()
    loaded = hf.load(
        place_of(where, options), replace(options, change=projection), name=where.name,
        scheme=where.scheme,
    )  # fmt: skip
    inputs = [loaded.tokenizer(text, return_tensors="pt").to(loaded.device) for text in PROBE]

    def logits() -> torch.Tensor:
        return torch.cat([loaded.model(**given).logits.flatten() for given in inputs])

    try:
        fold(loaded.model, projection, logits)
    except CannotAnswer as error:
        raise CannotAnswer(f"{where.name}: {error}. Nothing was written. {instead}") from error
    return _save(loaded, made, out)


def _save(loaded: Loaded, made: Mitigation, out: Path) -> Path:
    kept = ("method", "attribute", "point", "model", "fitted", "words")
    contents = {key: made.description[key] for key in kept if key in made.description}
    contents["applied"] = "folded into the head: vectors of texts are the model's own"
    complete(out, lambda: write_model(loaded, out), contents, APPLIED)
    return out
