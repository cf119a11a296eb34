"""Asks a transformers model that the caller has loaded, without copying it, and leaves it as it was.

Adapters, hooks and classes of the caller's own take effect, since the object itself is asked. Its fingerprint
is made from its weights, configuration and tokenizer, and from its answers to a few probes, which reveal
what no weight does: a hook, or an adapter that is switched off.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening import hf, model_kinds, tokenizer_checks
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.models.opening.weight_values import check_finite

if TYPE_CHECKING:
    import torch

ABLE = ("masked", "causal", "seq2seq")
"""Kinds of models that can be asked in memory."""
PROBES = ("The nurse said that he was late.", "My neighbours are from another country.")
DECIMALS = 3
"""To how many decimals answers to the probes are rounded: few enough to hide rounding errors, and enough to
reveal a change of the model."""
HOOKS = (
    "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
    "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs",
)  # fmt: skip
"""The attributes in which a torch module keeps its hooks."""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """The caller's model and tokenizer, with the kind of model and its adapter."""

    model: Any
    tokenizer: Any
    scheme: str
    adapter: str
    identity: str = ""


def in_memory(
    model: Any, tokenizer: Any, *, name: str = "", kind: str = "", identity: str = ""
) -> Resolved:
    """Resolve a model that is loaded already, as `open_model.resolve` does for one on disk.

    Args:
        model: A transformers model with its head, or an object that behaves like one.
        tokenizer: The tokenizer that it was trained with.
        name: What results call it; "" takes the last part of the path or id it was loaded from.
        kind: "masked", "causal" or "seq2seq"; "" decides by its class.
        identity: A text that replaces the weights in the fingerprint where no answers are stored and reading
            all weights would take too long; "" reads them.

    Raises:
        MissingExtra: torch or transformers is not installed.
        BadInput: The kind does not exist, or the weights are not in memory (on the meta device).
        CannotAnswer: The model has no head that scores tokens, or an adapter that cannot be used.
    """
    model_kinds.need_hf()
    if kind and kind not in ABLE:
        raise BadInput(f"a model in memory cannot be used as {kind!r}", f"kinds: {', '.join(ABLE)}")
    inner, adapter = _unwrapped(model)
    config = getattr(inner, "config", None)
    if config is None or not callable(tokenizer):
        reason = f"{type(inner).__name__} is not a transformers model with a tokenizer"
        raise BadInput(reason, "give the model with its head, and its tokenizer")
    source = Path(str(getattr(config, "_name_or_path", "") or type(inner).__name__)).name
    called = name or f"{source} (in memory)"
    classes = [ancestor.__name__ for ancestor in type(inner).__mro__]
    config_dict = config.to_dict()
    actual = model_kinds.kind_of_object(
        [*classes, *(config_dict.get("architectures") or ())], called, config_dict, kind
    )
    if actual.scheme not in ABLE:
        raise CannotAnswer(
            f"{called} is a {actual.words}; a model in memory must be masked, causal or seq2seq. "
            "Save it and give the folder"
        )
    held = _Held(inner, tokenizer, actual.scheme, adapter, identity)
    return Resolved(
        reference=called,
        scheme=actual.scheme,
        location="in memory",
        answers=_answers(held),
        in_memory=partial(_opened, held),
    )


def _unwrapped(model: Any) -> tuple[Any, str]:
    """The transformers model inside wrappers, with adapters in its layers, and the name of the active one.

    Raises:
        CannotAnswer: The adapter adds tokens before texts instead of changing layers.
    """
    model = getattr(model, "_orig_mod", model)  # of torch.compile
    if not hasattr(model, "get_base_model"):
        return model, ""
    active = str(getattr(model, "active_adapter", ""))
    described = getattr(model, "peft_config", {}).get(active)
    if getattr(described, "is_prompt_learning", False):
        raise CannotAnswer(
            "an adapter that puts learnt tokens before a text cannot be scored; "
            "use adapters in the model's layers (LoRA and similar)"
        )
    return model.get_base_model(), active


def _answers(held: _Held) -> tuple[type, ...]:
    from tiltmeter.models import causal, masked, seq2seq

    if held.scheme == "masked":
        with_marks = held.tokenizer("he is here")["input_ids"]
        alone = held.tokenizer("he is here", add_special_tokens=False)["input_ids"]
        return masked.head_answers(starts=list(with_marks[:1]) != list(alone[:1]))
    if held.scheme == "seq2seq":
        return seq2seq.answers_of(str(held.model.config.model_type))
    return causal.answers_of(chats=bool(getattr(held.tokenizer, "chat_template", None)))


@contextmanager
def _opened(held: _Held, options: Options, name: str) -> Iterator[Any]:
    """A back-end that asks the model within the block; afterwards the model is as it was before."""
    from tiltmeter.models.causal import Causal
    from tiltmeter.models.masked import Masked
    from tiltmeter.models.seq2seq import Seq2Seq

    with _left_as_it_was(held.model):
        with hf.quiet():
            loaded = _loaded(held, options, name)
            kinds: dict[str, Any] = {"masked": Masked, "causal": Causal, "seq2seq": Seq2Seq}
            start = (options.start_token,) if held.scheme == "causal" else ()
            model = kinds[held.scheme](name, loaded, *start)
            identity = held.identity or _probed(model, held.scheme)
        model.fingerprint = sha256(f"{model.fingerprint} {identity}".encode()).hexdigest()
        yield model


@contextmanager
def _left_as_it_was(model: Any) -> Iterator[None]:
    """Switches dropout off within the block, then restores modes, hooks, gradients and cache settings."""
    flags = [(parameter, parameter.requires_grad) for parameter in model.parameters()]
    cached = getattr(model.config, "use_cache", None)
    modules = list(model.modules())
    modes = [module.training for module in modules]
    hooks = [{name: set(getattr(module, name, ())) for name in HOOKS} for module in modules]
    forwards = [module.__dict__.get("forward") for module in modules]
    model.eval()
    try:
        yield
    finally:
        for parameter, flag in flags:
            parameter.requires_grad_(flag)
        if cached is not None:
            model.config.use_cache = cached
        for module, mode, known, forward in zip(modules, modes, hooks, forwards, strict=True):
            module.training = mode
            for name, keys in known.items():
                held = getattr(module, name, {})
                for key in [key for key in held if key not in keys]:
                    del held[key]
            if forward is None:
                module.__dict__.pop("forward", None)
            else:
                module.forward = forward


def _loaded(held: _Held, options: Options, name: str) -> Loaded:
    model, tokenizer = held.model, held.tokenizer
    device = next(model.parameters()).device
    if device.type == "meta":
        raise BadInput(f"the weights of {name} are not in memory", "load them first")
    tokenizer_checks.check_repeatable(tokenizer, name)
    fingerprint = _fingerprint(held, device, options)
    loaded = hf.on_device(model, tokenizer, Path(name), device, options, fingerprint)
    loaded.borrowed = True
    precision = _precision(model)
    check_finite(loaded, name, precision)
    origin = {"loaded from": "memory: the caller's own model", "adapter": held.adapter or None}
    loaded.about |= hf.model_facts(loaded, held.scheme, precision, **origin)
    return loaded


def _precision(model: Any) -> str:
    """The precision of the first floating-point weight, such as "float32"."""
    kinds = (p.dtype for p in model.parameters() if p.dtype.is_floating_point)
    return str(next(kinds, "unknown")).removeprefix("torch.")


def _fingerprint(held: _Held, device: "torch.device", options: Options) -> str:
    """A fingerprint of weights, configuration, tokenizer, and everything else that answers depend on."""
    import torch
    import transformers

    digest = sha256()
    # Where a model came from changes none of its answers.
    config = {k: v for k, v in held.model.config.to_dict().items() if k != "_name_or_path"}
    identity = (
        hf.ASKING, "in memory", held.scheme, type(held.model).__name__, device.type,
        options.start_token, torch.__version__.split("+")[0], transformers.__version__, config,
        _vocabulary(held.tokenizer),
    )  # fmt: skip
    digest.update(json.dumps(identity, default=str, sort_keys=True).encode())
    if held.identity:
        digest.update(held.identity.encode())
        return digest.hexdigest()
    for name, value in held.model.state_dict().items():
        digest.update(name.encode())
        if isinstance(value, torch.Tensor):
            digest.update(f"{value.dtype} {tuple(value.shape)}".encode())
            # As bytes, since numpy has no bfloat16.
            flat = value.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
            digest.update(flat.numpy().data)
    return digest.hexdigest()


def _vocabulary(tokenizer: Any) -> object:
    """Everything that a tokenizer does to a text, as far as it can be serialised."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        return backend.to_str()
    vocabulary: Mapping[str, int] = tokenizer.get_vocab()
    return type(tokenizer).__name__, sorted(vocabulary.items()), str(tokenizer.init_kwargs)


def _probed(model: Any, scheme: str) -> str:
    """A digest of the model's rounded answers to the probes."""
    encoded = model.encode(PROBES)
    if scheme == "masked":
        answers = model.blank_logprobs([
            Blanked(t.ids, (at,), (at,)) for t in encoded for at in (1, len(t.ids) // 2)
        ])  # fmt: skip
    else:
        answers = model.continuation_logprobs([Continuation((), t.ids) for t in encoded])
    rounded = np.round(np.concatenate(answers), DECIMALS) + 0.0  # no negative zero
    return sha256(rounded.astype("<f8").tobytes()).hexdigest()
