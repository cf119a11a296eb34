"""What all Hugging Face back-ends share: loading a model, its fingerprint and its facts."""

import io
import json
import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from hashlib import sha256 as new_sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable
from tiltmeter.core.model.back_ends import checkpoint_of
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import file_digest
from tiltmeter.data.hub import hub_cache
from tiltmeter.models.opening import tokenizer_checks
from tiltmeter.models.opening.checkpoint_parts import origin_facts
from tiltmeter.models.opening.load_errors import (
    check_layer_count,
    check_layers,
    check_missing,
    explained,
    panics_unprinted,
)
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_kinds import config_of, need_hf
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.precision_choice import choose_precision
from tiltmeter.models.opening.weight_files import check_files, check_quantised
from tiltmeter.models.opening.weight_values import check_finite
from tiltmeter.models.speed import machine_limits, packed_weights
from tiltmeter.models.speed.machine_limits import threads_fact

if TYPE_CHECKING:
    import torch

ASKING = 4
"""A version, raised when a back-end asks in another way, so that stored answers are not reused."""
VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "tokenizer*.py")
"""Files of which every tokenizer has at least one."""
SANE_LENGTH = 10**6
"""Values of `model_max_length` from this on are placeholders for no limit."""


def within(limit: int | None, lengths: Sequence[int], name: str) -> None:
    """Refuse requests that are longer than the model's limit in tokens.

    Raises:
        CannotAnswer: A request is longer.
    """
    longest_asked = max(lengths, default=0)
    if limit is not None and longest_asked > limit:
        raise CannotAnswer(
            f"{name} reads at most {counted(limit, 'tokens')} at once, and a request has "
            f"{longest_asked:,}; leave out "
            "longer ones"
        )


def load(
    folder: str,
    options: Options,
    auto: str = "",
    *,
    name: str,
    scheme: str,
    note: str = "",
    unread: str = "",
    configured: Mapping[str, Any] | None = None,
) -> Loaded:
    """Load weights and tokenizer through a class of `transformers`.

    Args:
        folder: The model's folder.
        options: How the model is opened.
        auto: The class to load it with; "" takes that of the kind `scheme`.
        name: What results call the model.
        scheme: The kind of model.
        note: A note for the card.
        unread: The beginning of the names of weights that nothing reads. They may be missing, and are
        removed.
        configured: Settings that override the model's configuration. With a number of labels, the head is
            new, so that only the weights below it have to be in the files.

    Raises:
        CannotAnswer: Weights that are needed are missing or not finite, or the tokenizer lacks a part.
        Unavailable: Files are damaged or missing, or need something that was not allowed.
    """
    need_hf()
    import torch
    import transformers

    place = Path(folder)
    device = device_of(options.device)
    machine_limits.prepare()
    check_weights(place, name, options)
    check_files(place, name)
    check_quantised(place, config_of(place), name)
    options = choose_precision(place, options, device.type, name).options
    check_tokenizer(place, name)
    check_layer_count(place, name)
    with quiet(), explained(name, place):
        model, info = getattr(transformers, auto or checkpoint_of(scheme).auto).from_pretrained(
            place,
            dtype=getattr(torch, options.precision),
            output_loading_info=True,
            use_safetensors=None if options.allow_pickle else True,
            trust_remote_code=options.trust_remote_code,
            local_files_only=True,
            **(configured or {}),
        )
    tokenizer, note, tokenizer_facts = load_tokenizer(place, name, options, scheme, note)
    missing = sorted(info.get("missing_keys") or ())
    if unread and any(key.startswith(unread) for key in missing):
        setattr(model, unread.rstrip("."), None)
        missing = [key for key in missing if not key.startswith(unread)]
    if "num_labels" in (configured or ()):  # a pooler is as new as the head that reads it
        below = f"{model.base_model_prefix}."
        missing = [key for key in missing if key.startswith(below) and "pooler" not in key]
    check_missing(missing, name)
    check_layers(model, info.get("unexpected_keys") or (), name)
    model.eval().to(device)
    changed = options.change.install(model, name) if options.change else {}
    fingerprint = _fingerprint(place, scheme, device.type, options)
    loaded = on_device(model, tokenizer, place, device, options, fingerprint)
    check_finite(loaded, name, options.precision)
    of_hub = hub_cache.origin(place)
    loaded.about |= model_facts(
        loaded, scheme, options.precision,
        folder=place.name if of_hub is None else place.parent.parent.name,
        revision=None if of_hub is None else of_hub.revision,
        licence=hub_cache.licence(place),
    )  # fmt: skip
    loaded.about |= origin_facts(place) | ({"note": note} if note else {})
    loaded.about |= tokenizer_facts
    loaded.about |= dict(changed)
    return loaded


def load_tokenizer(
    folder: Path, name: str, options: Options, scheme: str, note: str = ""
) -> tuple[Any, str, dict[str, Fact]]:
    """The tokenizer in a folder, the note with anything unusual about it added, and facts for the card."""
    import transformers

    with quiet(), explained(name, folder), panics_unprinted():
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            folder, trust_remote_code=options.trust_remote_code, local_files_only=True
        )
        note = tokenizer_checks.tried(tokenizer, scheme, note)
        sampled = tokenizer_checks.switch_off(tokenizer)
        tokenizer_checks.check_repeatable(tokenizer, name)
    return tokenizer, note, {"tokenizer": "random splits switched off"} if sampled else {}


def on_device(
    model: Any,
    tokenizer: Any,
    folder: Path,
    device: "torch.device",
    options: Options,
    fingerprint: str,
) -> Loaded:
    """A model on its device together with its tokenizer, without any facts about it yet."""
    at_once = options.batch_tokens or machine_limits.tokens_at_once(model, device)
    cased, few = is_cased(tokenizer), device.type == "cpu"
    return Loaded(
        model, tokenizer, folder, device, at_once, fingerprint, {}, cased=cased, few_shapes=few
    )


def device_of(wanted: str) -> "torch.device":
    """The device of this name; "auto" is the fastest one on this machine.

    Raises:
        BadInput: There is no such device.
    """
    import torch

    if wanted == "auto":
        wanted = "mps" if torch.backends.mps.is_available() else "cpu"
        wanted = "cuda" if torch.cuda.is_available() else wanted
    try:
        device = torch.device(wanted)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise BadInput(
            f"there is no device {wanted!r} on this machine", "use --device auto or cpu"
        ) from error
    return device


def check_weights(folder: Path, name: str, options: Options) -> None:
    """Refuse a folder without weights, or with pickled ones that were not allowed.

    Raises:
        Unavailable: The folder is refused.
    """
    if any(folder.glob("*.safetensors")):
        return
    pickles = sorted(p.name for p in folder.glob("*.bin"))
    if not pickles:
        raise Unavailable(f"{name}: {folder} contains no weights (*.safetensors)")
    if not options.allow_pickle:
        raise Unavailable(
            f"{name}: its weights are pickled ({pickles[0]}), and unpickling can run code. Use a copy "
            "in safetensors, or --allow-pickle if you trust its source."
        )


def check_tokenizer(folder: Path, name: str) -> None:
    """Refuse a folder without a tokenizer's files, for which the library would silently make an empty one."""
    if not any(f for pattern in VOCABULARIES for f in folder.glob(pattern)):
        raise Unavailable(
            f"{name}: {folder} contains no tokenizer ({', '.join(VOCABULARIES)}); copy it there"
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Suppresses the library's progress bars and warnings; Tiltmeter checks and reports what matters."""
    from transformers.utils import logging as library

    theirs: Any = library
    level, bars = theirs.get_verbosity(), theirs.is_progress_bar_enabled()
    theirs.set_verbosity(logging.CRITICAL)
    theirs.disable_progress_bar()
    try:
        # Some of the library's progress bars cannot be switched off.
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        theirs.set_verbosity(level)
        if bars:
            theirs.enable_progress_bar()


def model_facts(loaded: Loaded, scheme: str, precision: str, **origin: Fact) -> dict[str, Fact]:
    """The facts for the card of any transformers model, with those on its `origin`; None is left out."""
    import torch
    import transformers

    facts: dict[str, Fact] = {
        "kind": scheme,
        "architecture": type(loaded.model).__name__,
        "parameters": sum(p.numel() for p in loaded.model.parameters()),
        "vocabulary": len(loaded.tokenizer),
        "precision": precision,
        "device": str(loaded.device),
        "threads": threads_fact() if loaded.device.type == "cpu" else None,
        **origin,
        "libraries": f"torch {torch.__version__}, transformers {transformers.__version__}",
        "model type": str(loaded.model.config.model_type),
    }
    return {key: value for key, value in facts.items() if value is not None}


def _fingerprint(folder: Path, scheme: str, device: str, options: Options) -> str:
    """A fingerprint of everything that answers depend on: files, options, kind of device, libraries."""
    import torch
    import transformers

    digest = new_sha256()
    settings = (ASKING, scheme, device, options.precision, options.start_token,
            options.trust_remote_code, torch.__version__.split("+")[0],
            transformers.__version__, packed_weights.is_used(device, options.precision))  # fmt: skip
    digest.update(json.dumps(settings).encode())
    if options.change:
        digest.update(options.change.digest.encode())
    patterns = ("*.safetensors", "*.bin", "*.json", "*.model", "*.txt", "*.py")
    for file in sorted({f for pattern in patterns for f in folder.glob(pattern) if f.is_file()}):
        digest.update(f"{file.name}:{file_digest(file)}".encode())
    return digest.hexdigest()


def is_cased(tokenizer: Any) -> bool:
    """Whether the tokenizer distinguishes upper from lower case."""
    probes = ("The Quick BROWN Fox", "the quick brown fox")
    first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in probes)
    return bool(first != second)


def longest(model: Any, tokenizer: Any) -> int | None:
    """The most tokens that the model can read, special ones included; None where there is no limit."""
    config = getattr(model.config, "text_config", None) or model.config
    if config.model_type in {"t5", "mt5", "umt5", "longt5"}:
        return None  # relative position biases: n_positions is only a training length
    positions = getattr(config, "max_position_embeddings", None)
    positions = positions or getattr(config, "n_positions", None)
    table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)
    if positions and padding is not None and config.model_type not in {"bert", "electra", "albert"}:
        positions -= padding + 1  # RoBERTa and related models count from the padding index on
    declared = getattr(tokenizer, "model_max_length", None)
    others = ("max_decoder_position_embeddings", "max_encoder_position_embeddings")  # LED's
    all_declared = (positions, declared, *(getattr(config, name, None) for name in others))
    # XLNet uses -1 for no limit.
    return min((n for n in all_declared if type(n) is int and 0 < n < SANE_LENGTH), default=None)
