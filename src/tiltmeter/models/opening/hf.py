"""What all Hugging Face back-ends share: loading a model, and what identifies it."""

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
from tiltmeter.models.opening.model_kinds import need_hf
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.weight_values import check_finite
from tiltmeter.models.speed import machine_limits, packed_weights
from tiltmeter.models.speed.machine_limits import threads_fact

if TYPE_CHECKING:
    import torch

ASKING = 4
"""Goes up when a back-end asks in another way, so that answers kept before are not reused."""
VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "tokenizer*.py")
"""Files of which a tokenizer has one."""
SANE_LENGTH = 10**6
"""Longer `model_max_length` values are placeholders."""


def within(limit: int | None, lengths: Sequence[int], name: str) -> None:
    """Refuse requests that are longer than the model.

    Raises:
        CannotAnswer: One is.
    """
    longest_asked = max(lengths, default=0)
    if limit is not None and longest_asked > limit:
        raise CannotAnswer(
            f"{name} reads at most {limit:,} tokens at once, and a request has {longest_asked:,}; leave out "
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
    """Load weights and tokenizer through the `transformers` class `auto`, by default that of the kind.

    Weights whose names begin with `unread` may be missing: nothing reads them, and they are put away.
    `configured` goes before what the model's configuration says. Where that is a number of labels, the head
    is new, and only the model below it has to be in the files.

    Raises:
        CannotAnswer: Weights that are needed are not in the files or not finite, or the tokenizer lacks a
            part.
        Unavailable: Files are damaged, missing, or need something that was not allowed.
    """
    need_hf()
    import torch
    import transformers

    place = Path(folder)
    device = device_of(options.device)
    machine_limits.prepare()
    check_weights(place, name, options)
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
    """The tokenizer in a folder, the note with what is odd about it, and what the card says of it."""
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
    """A model on its device with its tokenizer, and no facts about it yet."""
    at_once = options.batch_tokens or machine_limits.tokens_at_once(model, device)
    cased, few = is_cased(tokenizer), device.type == "cpu"
    return Loaded(
        model, tokenizer, folder, device, at_once, fingerprint, {}, cased=cased, few_shapes=few
    )


def device_of(wanted: str) -> "torch.device":
    """The device of this name; auto is the fastest that is here.

    Raises:
        BadInput: There is none.
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
        Unavailable: It is one.
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
    """Without its files the library would make up an empty tokenizer, and say nothing."""
    if not any(f for pattern in VOCABULARIES for f in folder.glob(pattern)):
        raise Unavailable(
            f"{name}: {folder} contains no tokenizer ({', '.join(VOCABULARIES)}); copy it there"
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Without the library's own bars and warnings: what matters is checked and said here."""
    from transformers.utils import logging as library

    theirs: Any = library
    level, bars = theirs.get_verbosity(), theirs.is_progress_bar_enabled()
    theirs.set_verbosity(logging.CRITICAL)
    theirs.disable_progress_bar()
    try:
        # some of its bars know no switch
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        theirs.set_verbosity(level)
        if bars:
            theirs.enable_progress_bar()


def model_facts(loaded: Loaded, scheme: str, precision: str, **origin: Fact) -> dict[str, Fact]:
    """What the card says of any transformers model, with where it comes from; without what is None."""
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
    """Of everything an answer depends on: files, precision, kind of device and of products, libraries."""
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
    """Whether the tokenizer tells upper from lower case."""
    probes = ("The Quick BROWN Fox", "the quick brown fox")
    first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in probes)
    return bool(first != second)


def longest(model: Any, tokenizer: Any) -> int | None:
    """Positions the model has, special tokens included; None where positions are relative."""
    config = getattr(model.config, "text_config", None) or model.config
    if config.model_type in {"t5", "mt5", "umt5", "longt5"}:
        return None  # relative position biases: n_positions is only a training length
    positions = getattr(config, "max_position_embeddings", None)
    positions = positions or getattr(config, "n_positions", None)
    table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)
    if positions and padding is not None and config.model_type not in {"bert", "electra", "albert"}:
        positions -= padding + 1  # RoBERTa and its kin begin to count after the padding index
    declared = getattr(tokenizer, "model_max_length", None)
    others = ("max_decoder_position_embeddings", "max_encoder_position_embeddings")  # LED's
    all_declared = (positions, declared, *(getattr(config, name, None) for name in others))
    # XLNet names -1 for none
    return min((n for n in all_declared if type(n) is int and 0 < n < SANE_LENGTH), default=None)
