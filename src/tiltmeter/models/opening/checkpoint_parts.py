"""Finds out which parts a checkpoint has besides its language model, without loading its weights."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from tiltmeter.core.data.inference_prompts import TRAINED_RELATIONS, phrases_fact
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.data.hub import hub_cache, hub_files
from tiltmeter.models.opening.model_kinds import CHAT_TEMPLATES, auto_tables, config_of

NEXT_SENTENCE = "seq_relationship.weight"
"""The name of the weight of the next-sentence head in BERT and related models."""


def has_next_sentence_head(folder: Path) -> bool:
    """Whether a masked checkpoint also has BERT's next-sentence head.

    Configurations do not say so, but the names of the weights do. For a hub model whose weights have not been
    downloaded yet, these are read from the headers of the hub's files.
    """
    known = auto_tables().MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING_NAMES
    if config_of(folder).get("model_type") not in known:
        return False
    return any(name.endswith(NEXT_SENTENCE) for name in _weight_names(folder))


def has_pooler(folder: Path) -> bool:
    """Whether the checkpoint has the weights of a pooler, found out as in `has_next_sentence_head`."""
    return any("pooler" in name.split(".")[:2] for name in _weight_names(folder))


def has_start_token(folder: Path) -> bool:
    """Whether the tokenizer puts a special token before a text, as far as its files say.

    Without a `tokenizer.json`, as for a hub model before it is downloaded, the answer is True, which it is
    for tokenizers of masked models. If it is wrong, asking for a vector of that token raises an error.
    """
    try:
        settings = parsed((folder / "tokenizer.json").read_text("utf-8"), twice=True)
    except (OSError, ValueError):
        return True
    return isinstance(settings, dict) and _puts_start(settings.get("post_processor"))


def has_chat_template(folder: Path) -> bool:
    """Whether the tokenizer has a template for conversations, as its files say."""
    template_file, settings_file = (folder / name for name in CHAT_TEMPLATES)
    if template_file.is_file():
        return True
    try:
        settings = parsed(settings_file.read_text("utf-8"), twice=True)
    except (OSError, ValueError):
        return False
    return isinstance(settings, dict) and bool(settings.get("chat_template"))


def _puts_start(step: Any) -> bool:
    """Whether a post-processor of the tokenizers library, as in `tokenizer.json`, adds a start token."""
    if not isinstance(step, dict):
        return False
    if step.get("type") == "Sequence":
        return any(map(_puts_start, step.get("processors") or ()))
    around = step.get("single") or [{}]
    return "cls" in step or "SpecialToken" in around[0]


def _weight_names(folder: Path) -> list[str]:
    import safetensors

    names: list[str] = []
    files = sorted(folder.glob("*.safetensors"))
    for file in files:
        try:
            with safetensors.safe_open(file, "np") as opened:
                names += opened.keys()
        except (safetensors.SafetensorError, OSError):
            return []  # loading it will say what is wrong
    return names if files else _hub_names(folder)


@lru_cache
def _hub_names(folder: Path) -> list[str]:
    """The names of weights from the headers of the hub's files; [] where these are not available."""
    of = hub_cache.origin(folder)
    if of is None:
        return []
    import httpx2
    from huggingface_hub import HfApi
    from huggingface_hub.errors import (
        HfHubHTTPError,
        NotASafetensorsRepoError,
        SafetensorsParsingError,
    )

    try:
        with hub_files.quiet():
            metadata = HfApi().get_safetensors_metadata(of.id, revision=of.revision)
    except (
        HfHubHTTPError,
        NotASafetensorsRepoError,
        SafetensorsParsingError,
        httpx2.HTTPError,
        OSError,
    ):
        return []  # if there is no connection and it matters, loading will say so
    return [name for file in metadata.files_metadata.values() for name in file.tensors]


TRAINED, APPLIED = "mitigation-trained.json", "mitigation-applied.json"
"""The descriptions in folders of a model that was trained further to mitigate bias, and of a model with
directions folded into its head."""
INFERENCE = "inference.json"
"""The description in a folder of a model that was trained to write hypotheses about premises."""


def origin_facts(folder: Path) -> dict[str, Fact]:
    """Facts on how Tiltmeter made this checkpoint (method, attribute, relations, base); {} for any other."""
    for name in (TRAINED, APPLIED):
        description = description_in(folder / name)
        if isinstance(description.get("method"), str):
            base = description.get("base") or description.get("model")
            facts = {
                "mitigation": description["method"],
                "mitigation of": description.get("attribute") or None,
                "made from": base.get("name") if isinstance(base, dict) else None,
            }
            return {key: str(value) for key, value in facts.items() if value}
    return _inference(description_in(folder / INFERENCE))


def _inference(description: dict[str, Any]) -> dict[str, Fact]:
    base, phrases = description.get("base"), description.get("relations")
    if not isinstance(phrases, dict):
        return {}
    made: dict[str, Fact] = {TRAINED_RELATIONS: phrases_fact(phrases)}
    return made | ({"made from": str(base.get("name"))} if isinstance(base, dict) else {})


def description_in(path: Path) -> dict[str, Any]:
    """The object in a JSON file, such as a description; {} where it cannot be read or is not an object."""
    try:
        description = parsed(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return description if isinstance(description, dict) else {}
