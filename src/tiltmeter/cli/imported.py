"""How results say that their scores were made elsewhere."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.data.fetch import sha256
from tiltmeter.run.choosing import Chosen
from tiltmeter.run.imported_scores import STORED


def stated(chosen: Chosen[Any], rule: str | None) -> Chosen[Any]:
    """By the rule that was stated, or by none that is known."""
    return chosen if rule else replace(chosen, rule=STORED)


def facts(file: Path, name: str) -> dict[str, Any]:
    """What there is to say of the model behind a file of scores."""
    return {"name": name, "fingerprint": sha256(file), "kind": "stored scores", "file": file.name}
