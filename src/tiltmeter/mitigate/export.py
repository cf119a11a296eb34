"""A mitigated language model as a normal checkpoint, where its head can take the projection in.

The head's first step on the states is a linear layer, W x + b. With the projection P before it, it is
(W P) x + b: P goes into the weights, and whoever loads the checkpoint needs nothing of Tiltmeter. Only the
head's answers are those of the mitigated model: states that are read elsewhere (vectors of texts, a
classifier put on top) are the model's own.
"""

import json
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import CannotAnswer, StorageError, reason_of
from tiltmeter.mitigate.folder import free
from tiltmeter.models.mitigated import PROMPTED, Mitigation, as_fitted
from tiltmeter.models.mitigations.projection import fold
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.checkpoint_parts import APPLIED
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options

AUTO = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}
PROBE = ("She is a doctor and he is a nurse.", "Nobody in the old house heard the bus.")


def export(folder: Path, out: Path, options: Options | None = None) -> Path:
    """Write the checkpoint, after seeing that it answers as the mitigated model does.

    Raises:
        BadInput: Something is at `out` already, or the model has changed since the mitigation was made.
        CannotAnswer: The projection cannot be folded in: it stands behind every layer, the model is of
            another kind, or its head does not begin with a linear layer.
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
    if where.scheme not in AUTO:
        raise CannotAnswer(
            f"{made.model} is a model of kind {where.scheme}; only masked and causal models can be "
            f"exported. {instead}"
        )
    projection = made.projection()
    loaded = hf.load(
        where.location, replace(options, change=projection), AUTO[where.scheme],
        name=where.name, scheme=where.scheme,
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
    try:
        out.mkdir(parents=True, exist_ok=True)
        with hf.quiet():
            loaded.model.save_pretrained(out)
        loaded.tokenizer.save_pretrained(out)
        text = json.dumps(contents, indent=2, ensure_ascii=False, allow_nan=False)
        (out / APPLIED).write_text(text + "\n", "utf-8")
    except OSError as error:
        raise StorageError(f"{out}: it could not be written: {reason_of(error)}") from error
    return out
