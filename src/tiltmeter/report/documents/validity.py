"""The section on construct validity: the rows of a study's checklist."""

from tiltmeter.core.results import Card
from tiltmeter.core.validity import ABOUT, NOT_STATED, TITLE
from tiltmeter.report.document import PAGE, Block, Facts, Section, Text


def validity_section(card: Card, key: str = "validity", *, level: int = 2) -> Section:
    """The section of a run's page, which is collapsed until the reader opens it.

    Args:
        card: Of a run of a study.
        key: The section's anchor, unique in the document.
        level: Of the heading.
    """
    stated = card.validity
    blocks: list[Block] = (
        [Text(NOT_STATED)] if stated is None else [Text(ABOUT), Facts(dict(stated.rows()))]
    )
    return Section(key, TITLE, blocks, level=level, on=PAGE, folded=True)
