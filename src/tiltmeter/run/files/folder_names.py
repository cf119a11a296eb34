"""Names of run folders: readable, and always the same for the same run."""

import re
from hashlib import sha256
from typing import Any

from tiltmeter.core.finder import find, known
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.data.people.item_verdicts import FACT
from tiltmeter.run.asking.manner import FACTS

LONGEST = 50
"""The maximum number of characters of a folder's name before its digest."""


def folder_name(result: Result) -> str:
    """A readable name that is unique to this result: the same run always goes to the same folder.

    The name spells out the study, the model, the rule and any data other than the study's usual set; the rest
    (weights, the content of the data, ties, seed, settings, how the model was asked) goes into a digest.
    """
    card = result.card
    identity: tuple[str, ...] = (
        str(card.model.get("fingerprint", "")), str(card.data["sha256"]), str(card.data["name"]),
        card.convention, card.ties, str(card.seed), str(card.counts["scored"]),
    )  # fmt: skip
    identity += tuple(f"{key}={card.data[key]}" for key in ("columns", FACT) if key in card.data)
    identity += tuple(f"{name}={value}" for name, value in sorted(card.settings.items()))
    identity += tuple(f"{name}={card.model[name]}" for name in FACTS if name in card.model)
    identity += tuple(card.study_file.values())[1:]  # its checksum; the path does not matter
    convention = "" if card.convention in {"", "paper"} else f"-{card.convention}"
    coordinates = [card.study, card.model_name, card.rule]
    words = "-".join(slug(text) for text in coordinates if text) + convention + _data_words(card)
    if len(words) > LONGEST:
        identity += (words,)  # what is cut off still tells runs apart
        words = words[: LONGEST + 1].rpartition("-")[0].rstrip("-.") or words[:LONGEST]
    digest = sha256("\n".join(map(str, identity)).encode()).hexdigest()[:8]
    return f"{words}-{digest}"


def slug(text: str) -> str:
    """The text reduced to letters, digits, dots, underscores and single dashes; never empty, never a path.

    >>> slug("masked:../models/My Model/")
    'masked-models-My-Model'
    """
    plain = re.sub(r"[^A-Za-z0-9._]+", "-", text)
    return re.sub(r"-?\.\.+-?|-+", "-", plain).strip("-.")[-80:].strip("-.") or "unnamed"


def file_stem(text: str) -> str:
    """A text as a file name without extension: in any script, never empty and never a path.

    >>> file_stem("gender/sex"), file_stem("возраст"), file_stem("..")
    ('gender-sex', 'возраст', 'unnamed')
    """
    return re.sub(r'[/\\:*?"<>|\x00-\x1f\x7f]+', "-", text).strip(" .-")[:80] or "unnamed"


def _data_words(card: Card) -> str:
    """The name of the data with a dash before it; "" for the study's usual data."""
    usual = {card.study}
    if card.study in known("studies"):
        study: Study[Any] = find("studies", card.study, "STUDY")
        usual.update(study.data[:1])
    name = str(card.data["name"])
    plain = re.sub(r"\.(csv|tsv|txt|jsonl?|ndjson|parquet|pq|toml)$", "", name, flags=re.IGNORECASE)
    return "" if name in usual else f"-{slug(plain)[:40].strip('-.')}"
