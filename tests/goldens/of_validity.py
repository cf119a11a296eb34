"""The section on construct validity at the end of each study's page in docs/studies. In `tests`,

    python -m goldens.of_validity
    python -m goldens.of_validity --write

shows which pages have another text than their study, or writes it into them.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goldens.outputs import difference
from tiltmeter.core.finder import find, known
from tiltmeter.core.study import Study

PAGES = Path(__file__).parents[2] / "docs" / "studies"
HEADING = "\n## Construct validity\n"
INTRODUCTION = (
    "The study's answers to the checklist of Bean et al. 2025: "
    "[Validity](../explanation/validity.md) says what each row asks."
)
_DOI, _ARXIV = re.compile(r"\bdoi:(10\.[^\s,;)]*[^\s,;).])"), re.compile(r"\barXiv:(\d+\.\d+)")


def section(study: Study[Any]) -> str:
    """The section, from its heading on; "" for a study that states nothing."""
    if study.validity is None:
        return ""
    rows = "".join(
        f"| {name} | {linked(text)} |\n" for name, text in study.validity.rows(markdown=True)
    )
    return f"{HEADING}\n{INTRODUCTION}\n\n| | |\n|---|---|\n{rows}"


def linked(text: str) -> str:
    """The text of a cell, with its DOIs and arXiv numbers as links."""
    text = _DOI.sub(r"[doi:\1](https://doi.org/\1)", text.replace("|", r"\|"))
    return _ARXIV.sub(r"[arXiv:\1](https://arxiv.org/abs/\1)", text)


def page_with_section(page: str, study: Study[Any]) -> str:
    """The page with the section as its last one, in place of what it had."""
    return page.partition(HEADING)[0].rstrip("\n") + "\n" + section(study)


def pages() -> dict[Path, tuple[str, str]]:
    """The page of each study as it is, and as it should be."""
    texts = {}
    for name in known("studies"):
        path = PAGES / f"{name}.md"
        if path.exists():  # a study of another package has none
            page = path.read_text("utf-8")
            texts[path] = page, page_with_section(page, find("studies", name, "STUDY"))
    return texts


def changes() -> str:
    """How the pages differ from what their studies say."""
    made = (difference(path.stem, *both) for path, both in pages().items())
    return "\n".join(filter(None, made))


def main(words: Sequence[str]) -> None:
    """As the module says."""
    if text := changes():
        print(text)
    if "--write" in words:
        for path, (_, page) in pages().items():
            path.write_text(page, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
