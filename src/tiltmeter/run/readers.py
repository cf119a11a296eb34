"""The studies whose own layout a file has."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tiltmeter.core.finder import find, known
from tiltmeter.core.study import Study


def all_studies() -> list[Study[Any]]:
    """Every study, in the order of their names."""
    return [find("studies", name, "STUDY") for name in sorted(known("studies"))]


def readers_of(
    path: Path, encoding: str = "", studies: Sequence[Study[Any]] | None = None
) -> list[Study[Any]]:
    """The studies that recognise the file or folder by its layout; all are asked by default.

    Raises:
        BadInput: The file cannot be read.
    """
    if not path.exists():
        return []
    asked = all_studies() if studies is None else studies
    return [study for study in asked if study.reads is not None and study.reads(path, encoding)]
