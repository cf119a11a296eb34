"""Finds out which kind of model a folder holds, from its configuration alone."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, CannotAnswer, extra
from tiltmeter.core.model.back_ends import checkpoint_of
from tiltmeter.core.reading.json_text import read_json
from tiltmeter.data.files.remembered_values import remembered
from tiltmeter.data.hub import hub_cache
from tiltmeter.models.opening import model_files
from tiltmeter.models.opening.encoder_modules import MODULES, check_first
from tiltmeter.models.reading.next_head import DESCRIPTION

TABLES = tuple(
    f"MODEL_{head}MAPPING_NAMES"
    for head in (
        "", "FOR_CAUSAL_LM_", "FOR_MASKED_LM_", "FOR_NEXT_SENTENCE_PREDICTION_",
        "FOR_SEQUENCE_CLASSIFICATION_", "FOR_SEQ_TO_SEQ_CAUSAL_LM_", "FOR_TEXT_ENCODING_",
    )
)  # fmt: skip
"""The names of the tables of transformers that are read here."""
CHAT_TEMPLATES = ("chat_template.jinja", "tokenizer_config.json")
"""Files of which one has the template of a model that was made for conversations."""
TOLD_BY = ("config.json", DESCRIPTION, MODULES, *CHAT_TEMPLATES)
"""The files from which the kind of a model is found out."""


class Kind(NamedTuple):
    """A kind of model: the scheme of its back-end, and its name in words."""

    scheme: str
    words: str


def kind_of(folder: Path, name: str, wanted: str = "") -> Kind:
    """The kind of the model in a folder, from the files of TOLD_BY and nothing else.

    A sentence encoder made from a language model may still have its head. It is used as a language model only
    if that kind is `wanted`.

    Raises:
        BadInput: The files are missing, or are not those of a model.
        CannotAnswer: The model has no head that scores tokens, and is not an encoder.
    """
    if (folder / MODULES).is_file() and wanted in {"", "encoder"}:
        check_first(folder, name)
        return Kind("encoder", "sentence encoder")
    config = config_of(folder)
    if (folder / DESCRIPTION).is_file():
        return Kind("next_sentence", "trained next-sentence head")
    model_type = str(config.get("model_type", ""))
    architectures = config.get("architectures")
    if not (isinstance(architectures, list) and architectures):
        raise BadInput(
            "its config.json names no architecture, so its kind is unknown",
            'add "architectures", such as ["BertForMaskedLM"]', file=str(folder),
        )  # fmt: skip
    return _kind(name, str(architectures[0]), model_type, config)


def kind_of_object(
    architectures: Sequence[str], name: str, config: Mapping[str, Any], wanted: str = ""
) -> Kind:
    """The kind of a model in memory, from the names of its classes, most specific first.

    Raises:
        CannotAnswer: None of the classes has a head that scores tokens, or the kind is not the one `wanted`.
    """
    known = [architecture for architecture in architectures if _is_known(architecture)]
    if not known and not wanted:
        raise CannotAnswer(
            f"{name} is a {architectures[0]}, an unknown architecture; name its kind: "
            "kind='masked', 'causal' or 'seq2seq'"
        )
    if not known:
        return Kind(wanted, f"{checkpoint_of(wanted).words} ({architectures[0]})")
    kind = _kind(name, known[0], str(config.get("model_type", "")), config, exact=True)
    if wanted not in {"", kind.scheme}:
        raise CannotAnswer(f"{name} is a {kind.words}; it cannot be used as {wanted}")
    return kind


def _is_known(architecture: str) -> bool:
    """Whether transformers has a model class of this name, or the name says which head it has."""
    import transformers

    if architecture.endswith(("PreTrainedModel", "GenerationMixin")):
        return False
    return hasattr(transformers, architecture) or architecture.endswith(
        ("ForMaskedLM", "ForCausalLM")
    )


def is_model(folder: Path) -> bool:
    """Whether a folder has any of the files that only a model has; they may still be wrong or incomplete."""
    return any((folder / name).is_file() for name in TOLD_BY) or any(folder.glob("*.gguf"))


def config_of(folder: Path) -> dict[str, Any]:
    """The configuration in a model's `config.json`.

    Raises:
        BadInput: The file does not exist or cannot be read.
    """
    path = folder / "config.json"
    if not path.is_file():
        ggufs = sorted(folder.glob("*.gguf"))
        if ggufs:
            raise BadInput("it contains a GGUF file", f"use gguf:{ggufs[0]}", file=str(folder))
        if (of := hub_cache.origin(folder)) is not None:
            ggufs_there = model_files.gguf_names(of)
            way_out = f"use gguf:{of.id}/FILE, of {ggufs_there}"
            way_out = way_out if ggufs_there else "give another model"
            raise BadInput("the hub's repository has no config.json", way_out, file=of.id)
        reason = "it contains no config.json, so it is not a model"
        raise BadInput(reason, "give the model's own folder", file=str(folder))
    config = read_json(path, "download the model again", twice=True)
    if not isinstance(config, dict):
        raise BadInput("it is not a JSON object", "download the model again", file=str(path))
    return config


def need_hf() -> None:
    """Check that the libraries for Hugging Face models are installed.

    Raises:
        MissingExtra: torch or transformers cannot be imported.
    """
    with extra("A model of this kind", "hf"):
        import torch  # noqa: F401
        import transformers  # noqa: F401


def auto_tables() -> Any:
    """The tables of transformers that list architectures by their heads.

    They are remembered between runs, as importing them loads PyTorch.

    Raises:
        MissingExtra: transformers is not installed.
    """

    def tables() -> dict[str, Any]:
        with extra("A model of this kind", "hf"):
            from transformers.models.auto import modeling_auto
        return {name: dict(getattr(modeling_auto, name)) for name in TABLES}

    # The imported library may be older than the installed files, if these have been replaced meanwhile.
    is_imported = "transformers" in sys.modules
    return SimpleNamespace(**(tables() if is_imported else remembered("auto tables", tables)))


def _kind(
    name: str, architecture: str, model_type: str, config: Mapping[str, Any], *, exact: bool = False
) -> Kind:
    """The kind of an architecture.

    Unless `exact`, a model may also be loaded through another class that has the same weights and a head.
    """
    auto = auto_tables()
    for refused, why in REFUSED.items():
        if architecture.startswith(refused):
            raise CannotAnswer(f"{name} is {architecture}: {why}")
    if _sees_both_sides(architecture, model_type, auto) and not config.get("is_decoder"):
        raise CannotAnswer(
            f"{name} is a {architecture} that reads in both directions (is_decoder is false): it would score "
            "each token with what follows visible. Use the checkpoint with a masked head"
        )
    scheme = _scheme({architecture} if exact else {architecture, _head(architecture)}, auto)
    if scheme == "masked" and config.get("is_decoder"):
        raise CannotAnswer(
            f"{name} is a {architecture} that only sees the text before (is_decoder is true): it "
            "cannot fill blanks. Set is_decoder to false, or use the checkpoint with a causal head"
        )
    if scheme == "permutation" and config.get("attn_type", "bi") != "bi":
        raise CannotAnswer(
            f"{name} is a {architecture} that only sees the text before (attn_type is "
            f"{config['attn_type']!r}): it cannot fill blanks. Use a checkpoint that reads in both directions"
        )
    if not scheme and _is_headless(architecture, model_type, auto):
        scheme = "encoder"
    if scheme:
        return Kind(scheme, f"{checkpoint_of(scheme).words} ({architecture})")
    raise CannotAnswer(
        f"{name} is {architecture or model_type}, which has no language-modelling head: its answers "
        "would come from random weights. Use the checkpoint with the head (…ForMaskedLM, …ForCausalLM "
        "or …ForConditionalGeneration), or, for vectors of texts, the one without any (…Model)."
    )


def _scheme(called: set[str], auto: Any) -> str:
    """The scheme of architectures called so, by transformers' tables or the endings of their names.

    Endings matter where a model comes with its own code. "" where neither knows them.
    """
    tables = (
        ("permutation", PERMUTATION),
        ("seq2seq", _names(auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES)),
        ("causal", _names(auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES) - MASKED_TOO),
        ("masked", _names(auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES)),
        ("next_sentence", _names(auto.MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING_NAMES)),
        ("classifier", _names(auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES)),
    )
    endings = {"causal": "ForCausalLM", "masked": "ForMaskedLM",
               "next_sentence": "ForNextSentencePrediction",
               "classifier": "ForSequenceClassification"}  # fmt: skip
    known = [scheme for scheme, names in tables if called & names]
    known += [kind for kind, ending in endings.items() if any(c.endswith(ending) for c in called)]
    return next(iter(known), "")


def is_half(folder: Path) -> bool:
    """Whether the folder has only the encoder of a model that has a decoder as well, such as T5."""
    auto = auto_tables()
    halves = _names(auto.MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES) - _names(auto.MODEL_MAPPING_NAMES)
    return bool(halves & set(config_of(folder).get("architectures") or ()))


def _is_headless(architecture: str, model_type: str, auto: Any) -> bool:
    """Whether the architecture is the trunk of a language model, which makes vectors of texts."""
    if architecture in _names(auto.MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES):
        return True
    tables = (auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES, auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
    of_texts = model_type not in SEGMENTED and any(model_type in table for table in tables)
    return of_texts and architecture in _names({0: auto.MODEL_MAPPING_NAMES.get(model_type, ())})


def _sees_both_sides(architecture: str, model_type: str, auto: Any) -> bool:
    """Whether the architecture is an encoder with a causal head, which is causal only with `is_decoder`."""
    return (
        architecture in _names(auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES) - MASKED_TOO
        and model_type in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
        and model_type not in auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    )


def _head(architecture: str) -> str:
    """The class that loads the same weights with a head; missing weights are noticed when it does.

    >>> _head("BertForPreTraining"), _head("BartModel")
    ('BertForMaskedLM', 'BartForConditionalGeneration')
    """
    if architecture.endswith("ForPreTraining"):
        return f"{architecture.removesuffix('ForPreTraining')}ForMaskedLM"
    return f"{architecture.removesuffix('Model')}ForConditionalGeneration"


REFUSED = {
    "ElectraForPreTraining": "the discriminator distinguishes replaced from original words and gives no "
    "probability to a word; use the generator (ElectraForMaskedLM)."
}
SEGMENTED = frozenset({"xlnet"})
"""Model types whose special tokens have segments of their own, which only their own back-end handles."""
PERMUTATION = frozenset({"XLNetLMHeadModel"})
"""Architectures in transformers' table of causal models that are trained to predict in random orders."""
MASKED_TOO = frozenset({"XLMWithLMHeadModel", "FlaubertWithLMHeadModel"})
"""Architectures in transformers' table of causal models that are trained to fill blanks."""


def _names(mapping: Any) -> set[str]:
    """The architectures in one of transformers' tables, where an entry may be one name or several."""
    names: set[str] = set()
    for entry in mapping.values():
        names |= {entry} if isinstance(entry, str) else set(entry)
    return names
