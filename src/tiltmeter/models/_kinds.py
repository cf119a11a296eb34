"""Which kind of model a folder holds, from its configuration alone; and where a hub id's files are."""

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tiltmeter.core.errors import BadInput, CannotAnswer, MissingExtra, Unavailable
from tiltmeter.models._modules import MODULES, check_first, parts_of
from tiltmeter.models._next_head import DESCRIPTION

if TYPE_CHECKING:
    from tiltmeter.models._open import Options

WEIGHTS = ("*.safetensors", "*.safetensors.index.json")
PICKLES = ("*.bin", "*.bin.index.json")
BESIDES = ("*.json", "*.model", "*.txt", "*.jinja", "README.md")
NEXT_SENTENCE = "seq_relationship.weight"
"""What the weights of BERT's next-sentence head are called, and its kin's."""
TOLD_BY = ("config.json", DESCRIPTION, MODULES)
"""Files that tell of which kind a model is."""
OFFLINE = (
    "give a folder, or a name of `tiltmeter models list`; a hub id needs its files in the hub's cache "
    "or a connection"
)


class Kind(NamedTuple):
    """The scheme that asks such a model, and what to call it."""

    scheme: str
    words: str


def folder_of(reference: str, options: "Options", *, only: Sequence[str] = ()) -> Path:
    """The folder with the model's files: itself, or the hub's snapshot.

    `only` names the files that are wanted; without it, all that loading needs.

    Raises:
        BadInput: It looks like a path and does not exist.
        Unavailable: The hub has no such model, or cannot be reached.
    """
    path = Path(reference).expanduser()
    if path.is_dir():
        if options.revision:
            raise BadInput("a folder has no revisions", "leave out --revision", file=reference)
        return path.resolve()
    if path.is_file():
        raise BadInput(
            "a model is a folder, or a .gguf file",
            "give the folder it lies in; word vectors are vectors:FILE",
            file=reference,
        )
    if reference.startswith(("/", ".", "~")) or reference.count("/") > 1 or "\\" in reference:
        raise BadInput(
            "there is no such folder",
            "check the path; a hub id is NAME or OWNER/NAME",
            file=reference,
        )
    folder = _snapshot(reference, options, only or [*WEIGHTS, *BESIDES, *_code(options)])
    if not only and options.allow_pickle and not list(folder.glob("*.safetensors")):
        folder = _snapshot(reference, options, PICKLES)
    if not only and (folder / MODULES).is_file():
        within = [part.path for part in parts_of(folder) if part.path not in {"", "."}]
        kinds = ("*.json", "*.safetensors", *(PICKLES if options.allow_pickle else ()))
        _snapshot(reference, options, [f"{path}/{kind}" for path in within for kind in kinds], ())
    return folder


def _code(options: "Options") -> Sequence[str]:
    return ["*.py"] if options.trust_remote_code else []


def _snapshot(
    reference: str,
    options: "Options",
    patterns: Sequence[str],
    without: Sequence[str] = ("*/*", "consolidated*"),  # the same weights in other formats
) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
        from huggingface_hub.utils.tqdm import disable_progress_bars
    except ImportError as error:
        raise MissingExtra("A model from the hub", "hf") from error
    disable_progress_bars()
    try:
        return Path(
            snapshot_download(
                reference,
                revision=options.revision,
                allow_patterns=list(patterns),
                ignore_patterns=list(without),
            )
        )
    except HFValidationError as error:
        raise BadInput(f"{reference!r} is neither a folder nor a hub id", OFFLINE) from error
    except HfHubHTTPError as error:
        status = int(error.response.status_code)
        why = {
            401: "does not exist or is private",
            403: "asks for its terms to be accepted first",
            404: "does not exist",
        }.get(status, f"could not be fetched ({status})")
        raise Unavailable(f"the hub model {reference!r} {why}; {OFFLINE}") from error
    except (OSError, ValueError) as error:
        raise Unavailable(
            f"there is no folder {reference!r}, and the hub could not be reached for a model of that "
            f"name ({_first_line(error)}); {OFFLINE}"
        ) from error


def kind_of(folder: Path, name: str, wanted: str = "") -> Kind:
    """Read the files of TOLD_BY and nothing else.

    A sentence encoder may be made of a language model, and may still have its head: as such it is
    taken only where a kind is `wanted`.

    Raises:
        BadInput: There are none, or they are not a model's.
        CannotAnswer: The model has no head that scores tokens, and is no encoder.
    """
    if (folder / MODULES).is_file() and wanted in {"", "encoder"}:
        check_first(folder, name)
        return Kind("encoder", "sentence encoder")
    config = _config(folder)
    if (folder / DESCRIPTION).is_file():
        return Kind("next_sentence", "trained next-sentence head")
    model_type = str(config.get("model_type", ""))
    architectures = config.get("architectures")
    if not (isinstance(architectures, list) and architectures):
        raise BadInput(
            "its config.json names no architecture, so its kind is not known",
            'add "architectures", such as ["BertForMaskedLM"]', file=str(folder),
        )  # fmt: skip
    return _kind(name, str(architectures[0]), model_type, config)


def model_type(folder: Path) -> str:
    """What the configuration calls the architecture: "t5".

    Raises:
        BadInput: There is no configuration, or it is not a model's.
    """
    return str(_config(folder).get("model_type", ""))


def has_next_sentence_head(folder: Path) -> bool:
    """Whether a masked checkpoint also holds BERT's next-sentence head.

    Configurations do not say so: the names of the weights do, read without the weights. Of a hub
    model whose weights are not here yet, from the headers of the hub's files.
    """
    try:
        from transformers.models.auto import modeling_auto as auto
    except ImportError as error:
        raise MissingExtra("A model of this kind", "hf") from error
    if (
        _config(folder).get("model_type")
        not in auto.MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING_NAMES
    ):
        return False
    names = _weight_names(folder) if any(folder.glob("*.safetensors")) else _hub_names(folder)
    return any(name.endswith(NEXT_SENTENCE) for name in names)


def has_pooler(folder: Path) -> bool:
    """Whether the checkpoint holds the weights of a pooler, as `has_next_sentence_head` finds out."""
    names = _weight_names(folder) if any(folder.glob("*.safetensors")) else _hub_names(folder)
    return any("pooler" in name.split(".")[:2] for name in names)


def has_start_token(folder: Path) -> bool:
    """Whether the tokenizer puts a special token before a text, as far as can be told without it.

    Where its `tokenizer.json` is not here (a hub model before it is fetched) it is taken to: masked
    models' tokenizers do. If not, that is said when such a vector is asked for.
    """
    try:
        said = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    except (OSError, ValueError):
        return True
    return isinstance(said, dict) and _puts_start(said.get("post_processor"))


def _puts_start(step: Any) -> bool:
    """By what the tokenizers library calls a post-processor."""
    if not isinstance(step, dict):
        return False
    if step.get("type") == "Sequence":
        return any(map(_puts_start, step.get("processors") or ()))
    around = step.get("single") or [{}]
    return "cls" in step or "SpecialToken" in around[0]


def _weight_names(folder: Path) -> list[str]:
    import safetensors

    names: list[str] = []
    for file in sorted(folder.glob("*.safetensors")):
        try:
            with safetensors.safe_open(file, "np") as opened:
                names += opened.keys()
        except (safetensors.SafetensorError, OSError):
            return []  # loading it will say what is wrong
    return names


def _hub_names(folder: Path) -> list[str]:
    """From the headers of the hub's files; none where they are not to be had."""
    if folder.parent.name != "snapshots":
        return []
    import httpx2
    from huggingface_hub import HfApi
    from huggingface_hub.errors import (
        HfHubHTTPError,
        NotASafetensorsRepoError,
        SafetensorsParsingError,
    )

    name = folder.parent.parent.name.removeprefix("models--").replace("--", "/")
    try:
        found = HfApi().get_safetensors_metadata(name, revision=folder.name)
    except (HfHubHTTPError, NotASafetensorsRepoError, SafetensorsParsingError):
        return []
    except (httpx2.HTTPError, OSError):  # no connection: loading will say so if it matters
        return []
    return [name for file in found.files_metadata.values() for name in file.tensors]


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        ggufs = sorted(folder.glob("*.gguf"))
        if ggufs:
            raise BadInput("it holds a GGUF file", f"use gguf:{ggufs[0]}", file=str(folder))
        raise BadInput(
            "it holds no config.json, so it is not a model",
            "give the model's own folder",
            file=str(folder),
        )
    try:
        config = json.loads(path.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise BadInput(
            f"it cannot be read ({error})", "fetch the model again", file=str(path)
        ) from error
    if not isinstance(config, dict):
        raise BadInput("it is not a JSON object", "fetch the model again", file=str(path))
    return config


def _kind(name: str, architecture: str, model_type: str, config: dict[str, Any]) -> Kind:
    try:
        from transformers.models.auto import modeling_auto as auto
    except ImportError as error:
        raise MissingExtra("A model of this kind", "hf") from error
    for refused, why in REFUSED.items():
        if architecture.startswith(refused):
            raise CannotAnswer(f"{name} is {architecture}: {why}")
    if _sees_both_sides(architecture, model_type, auto) and not config.get("is_decoder"):
        raise CannotAnswer(
            f"{name} is a {architecture} that sees both sides (is_decoder is false): it would score "
            "each token with what follows in sight. Use the checkpoint with a masked head"
        )
    scheme = _scheme(architecture, auto)
    if scheme == "masked" and config.get("is_decoder"):
        raise CannotAnswer(
            f"{name} is a {architecture} that sees only what stands before (is_decoder is true): it "
            "cannot fill blanks. Set is_decoder to false, or use the checkpoint with a causal head"
        )
    if scheme == "permutation" and config.get("attn_type", "bi") != "bi":
        raise CannotAnswer(
            f"{name} is a {architecture} that sees only what stands before (attn_type is "
            f"{config['attn_type']!r}): it cannot fill blanks. Use a checkpoint that sees both sides"
        )
    if not scheme and _is_headless(architecture, model_type, auto):
        scheme = "encoder"
    if scheme:
        return Kind(scheme, f"{WORDS[scheme]} ({architecture})")
    raise CannotAnswer(
        f"{name} is {architecture or model_type}, which has no language-modelling head: its answers "
        "would come from random weights. Use the checkpoint with the head (…ForMaskedLM, …ForCausalLM "
        "or …ForConditionalGeneration), or, for vectors of texts, the one without any (…Model)."
    )


def _scheme(architecture: str, auto: Any) -> str:
    """By transformers' own tables; by the name's ending where the model comes with its own code."""
    tables = (
        ("permutation", PERMUTATION),
        ("seq2seq", _names(auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES)),
        ("causal", _names(auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES) - MASKED_TOO),
        ("masked", _names(auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES)),
        ("next_sentence", _names(auto.MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING_NAMES)),
    )
    endings = (
        ("causal", "ForCausalLM"),
        ("masked", "ForMaskedLM"),
        ("next_sentence", "ForNextSentencePrediction"),
    )
    called = {architecture, _head(architecture)}
    known = [scheme for scheme, names in tables if called & names]
    guessed = [scheme for scheme, ending in endings if architecture.endswith(ending)]
    return next(iter([*known, *guessed]), "")


def is_half(folder: Path) -> bool:
    """Whether it is the encoder alone of a model that has a decoder as well, such as T5's."""
    from transformers.models.auto import modeling_auto as auto

    halves = _names(auto.MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES) - _names(auto.MODEL_MAPPING_NAMES)
    return bool(halves & set(_config(folder).get("architectures") or ()))


def _is_headless(architecture: str, model_type: str, auto: Any) -> bool:
    """Whether it is the trunk of a language model, which reads texts and has vectors for them."""
    if architecture in _names(auto.MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES):
        return True
    tables = (auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES, auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
    of_texts = model_type not in SEGMENTED and any(model_type in table for table in tables)
    return of_texts and architecture in _names({0: auto.MODEL_MAPPING_NAMES.get(model_type, ())})


def _sees_both_sides(architecture: str, model_type: str, auto: Any) -> bool:
    """Whether it is an encoder under a causal head, which only `is_decoder` makes causal."""
    return (
        architecture in _names(auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES) - MASKED_TOO
        and model_type in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
        and model_type not in auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    )


WORDS = {
    "masked": "masked language model",
    "causal": "causal language model",
    "seq2seq": "sequence-to-sequence language model",
    "permutation": "permutation language model",
    "next_sentence": "next-sentence model",
    "encoder": "headless encoder",
}


def _head(architecture: str) -> str:
    """The class that loads the same weights with a head; whether they are there is checked then.

    >>> _head("BertForPreTraining"), _head("BartModel")
    ('BertForMaskedLM', 'BartForConditionalGeneration')
    """
    if architecture.endswith("ForPreTraining"):
        return f"{architecture.removesuffix('ForPreTraining')}ForMaskedLM"
    return f"{architecture.removesuffix('Model')}ForConditionalGeneration"


REFUSED = {
    "ElectraForPreTraining": "the discriminator tells replaced words from true ones and gives no "
    "probability to a word; use the generator (ElectraForMaskedLM).",
}
SEGMENTED = frozenset({"xlnet"})
"""Kinds whose special tokens are in segments of their own, which only their own back-end knows."""
PERMUTATION = frozenset({"XLNetLMHeadModel"})
"""Named in transformers' table of causal models, but trained to predict tokens in random orders."""
MASKED_TOO = frozenset({"XLMWithLMHeadModel", "FlaubertWithLMHeadModel"})
"""Named in transformers' table of causal models as well, but trained to fill blanks."""


def _names(mapping: Any) -> set[str]:
    """Architectures in one of transformers' tables; an entry is a name or several."""
    found: set[str] = set()
    for entry in mapping.values():
        found |= {entry} if isinstance(entry, str) else set(entry)
    return found


def _first_line(error: Exception) -> str:
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return textwrap.shorten(line, 160, placeholder=" …")
