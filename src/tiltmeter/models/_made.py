"""What a checkpoint that was made here says of how: a file beside its weights, for the card."""

from pathlib import Path

from tiltmeter.core.json_text import parsed
from tiltmeter.core.protocols import Fact

TRAINED, APPLIED = "mitigation-trained.json", "mitigation-applied.json"
"""A model that was trained further; a model whose head had directions folded into it."""


def facts(folder: Path) -> dict[str, Fact]:
    """Method, attribute, and the model that it was made from; nothing of any other checkpoint."""
    for name in (TRAINED, APPLIED):
        try:
            said = parsed((folder / name).read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(said, dict) and isinstance(said.get("method"), str):
            base = said.get("base") or said.get("model")
            found = {
                "mitigation": said["method"],
                "mitigation of": said.get("attribute") or None,
                "made from": base.get("name") if isinstance(base, dict) else None,
            }
            return {key: str(value) for key, value in found.items() if value}
    return {}
