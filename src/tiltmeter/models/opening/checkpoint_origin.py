"""What a checkpoint that was made here says of how: a file beside its weights, for the card."""

from pathlib import Path
from typing import Any

from tiltmeter.core.inference_prompts import TRAINED_RELATIONS, phrases_fact
from tiltmeter.core.json_text import parsed
from tiltmeter.core.protocols import Fact

TRAINED, APPLIED = "mitigation-trained.json", "mitigation-applied.json"
"""A model that was trained further; a model whose head had directions folded into it."""
INFERENCE = "inference.json"
"""A model that was trained to write hypotheses about premises."""


def facts(folder: Path) -> dict[str, Fact]:
    """Method, attribute, relations, and what it was made from; nothing of any other checkpoint."""
    for name in (TRAINED, APPLIED):
        description = _said(folder / name)
        if isinstance(description.get("method"), str):
            base = description.get("base") or description.get("model")
            facts = {
                "mitigation": description["method"],
                "mitigation of": description.get("attribute") or None,
                "made from": base.get("name") if isinstance(base, dict) else None,
            }
            return {key: str(value) for key, value in facts.items() if value}
    return _inference(_said(folder / INFERENCE))


def _inference(description: dict[str, Any]) -> dict[str, Fact]:
    base, phrases = description.get("base"), description.get("relations")
    if not isinstance(phrases, dict):
        return {}
    made: dict[str, Fact] = {TRAINED_RELATIONS: phrases_fact(phrases)}
    return made | ({"made from": str(base.get("name"))} if isinstance(base, dict) else {})


def _said(path: Path) -> dict[str, Any]:
    try:
        description = parsed(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return description if isinstance(description, dict) else {}
