"""A mitigated language model as a normal checkpoint, where its head can take the projection in.

The head's first step on the states is a linear layer, W x + b. With the projection P before it, it is
(W P) x + b: P goes into the weights, and whoever loads the checkpoint needs nothing of Tiltmeter. Only the
head's answers are those of the mitigated model: states that are read elsewhere (vectors of texts, a
classifier put on top) are the model's own.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import CannotAnswer, StorageError, reason_of
from tiltmeter.mitigate.folder import free
from tiltmeter.models.mitigated import PROMPTED, Mitigation, as_fitted
from tiltmeter.models.mitigations.projection import Projection, without
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.checkpoint_parts import APPLIED
from tiltmeter.models.opening.model_options import Options

if TYPE_CHECKING:
    import torch

AUTO = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}
CLOSE = 1e-4
"""How far the exported model's logits may lie from the mitigated model's, as a share of the largest."""
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
    if made.method == PROMPTED:
        raise CannotAnswer(
            "prompts change what a model answers and not its weights, so there is nothing to export. "
            f"Use mitigated:{folder}"
        )
    projection = made.projection()
    _able(made, where.scheme, projection)
    loaded = hf.load(
        where.location, options, AUTO[where.scheme], name=where.name, scheme=where.scheme
    )
    model, tokenizer = loaded.model, loaded.tokenizer
    with torch.inference_mode():
        inputs = [tokenizer(text, return_tensors="pt").to(loaded.device) for text in PROBE]
        head = _first_step(model, inputs[0], where.name)
    basis = torch.from_numpy(projection.basis).float().to(loaded.device)
    with torch.inference_mode():
        wanted = [_mitigated_logits(model, head, text_inputs, basis) for text_inputs in inputs]
    _fold(model, head, basis)
    with torch.inference_mode():
        exported = [model(**text_inputs).logits for text_inputs in inputs]
    far = max(
        float((a - b).abs().max() / b.abs().max().clamp(min=1))
        for a, b in zip(exported, wanted, strict=True)
    )
    if not far <= CLOSE:  # also of NaN
        raise CannotAnswer(
            f"{where.name}: the exported model would not match the mitigated one (logits differ by "
            f"{far:.2g} of the largest), so nothing was written. Use mitigated:{folder}"
        )
    return _save(model, tokenizer, made, out)


def _able(made: Mitigation, scheme: str, projection: Projection) -> None:
    if projection.point != "last":
        raise CannotAnswer(
            "directions that are taken out behind every layer cannot be folded into the head. "
            f"Use mitigated:{made.folder}"
        )
    if scheme not in AUTO:
        raise CannotAnswer(
            f"{made.model} is a model of kind {scheme}; only masked and causal models can be exported. "
            f"Use mitigated:{made.folder}"
        )


def _first_step(model: Any, inputs: Any, name: str) -> "torch.nn.Linear":
    """The linear layer outside the trunk that reads the states first, and alone."""
    import torch

    trunk = {id(module) for module in model.base_model.modules()}
    called: list[torch.nn.Linear] = []
    hooks = [
        module.register_forward_pre_hook(lambda linear, _: called.append(linear))
        for module in model.modules()
        if isinstance(module, torch.nn.Linear) and id(module) not in trunk
    ]
    try:
        model(**inputs)
    finally:
        for hook in hooks:
            hook.remove()
    if not called:
        raise CannotAnswer(
            f"{name}: its head does not begin with a linear layer, so the projection cannot be folded in"
        )
    return called[0]


def _mitigated_logits(model: Any, head: Any, inputs: Any, basis: "torch.Tensor") -> "torch.Tensor":
    hook = head.register_forward_pre_hook(lambda _, given: (without(given[0], basis), *given[1:]))
    try:
        logits: torch.Tensor = model(**inputs).logits
    finally:
        hook.remove()
    return logits


def _fold(model: Any, head: Any, basis: "torch.Tensor") -> None:
    """W becomes W P; weights that the head shares with the embeddings become its own."""
    import torch

    if any(head.weight is embedding.weight for embedding in _embeddings(model)):
        model.config.tie_word_embeddings = False
        model.config.get_text_config().tie_word_embeddings = False
    head.weight = torch.nn.Parameter(without(head.weight.detach(), basis).clone())


def _embeddings(model: Any) -> list[Any]:
    embedding = model.get_input_embeddings()
    return [] if embedding is None else [embedding]


def _save(model: Any, tokenizer: Any, made: Mitigation, out: Path) -> Path:
    kept = ("method", "attribute", "point", "model", "fitted", "words")
    contents = {key: made.description[key] for key in kept if key in made.description}
    contents["applied"] = "folded into the head: vectors of texts are the model's own"
    try:
        out.mkdir(parents=True, exist_ok=True)
        with hf.quiet():
            model.save_pretrained(out)
        tokenizer.save_pretrained(out)
        text = json.dumps(contents, indent=2, ensure_ascii=False, allow_nan=False)
        (out / APPLIED).write_text(text + "\n", "utf-8")
    except OSError as error:
        raise StorageError(f"{out}: it could not be written: {reason_of(error)}") from error
    return out
