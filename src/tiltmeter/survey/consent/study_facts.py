"""What a review board asks a study to tell people before they agree: the form's table `[study]`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, within
from tiltmeter.survey.form_reading import Prose


def _mail_address(text: str) -> str:
    name, at, host = text.partition("@")
    if not (name and at and "." in host.strip(".")) or any(map(str.isspace, text)):
        raise Fault(f"is {text!r}", "write a mail address, such as name@example.org")
    return text


MailAddress: TypeAlias = Annotated[Line, _mail_address]


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """Who runs the study, for how long people are needed, and what becomes of their data.

    The consent page and the copy that people can download list what is given, in this order.
    """

    investigator: Line = ""
    """Who is responsible for the study: name and position."""
    institution: Line = ""
    """University, company or authority that is responsible, with its address."""
    contact: MailAddress = ""
    """Mail address for questions, complaints and withdrawal."""
    funding: Prose = field(default_factory=dict)
    """Who pays for the study."""
    board: Line = ""
    """The ethics board that reviewed the study."""
    protocol: Line = ""
    """The board's number for the study."""
    board_contact: MailAddress = ""
    """Mail address of the board, for people who would rather not ask the investigator."""
    purpose: Prose = field(default_factory=dict)
    """What the study is to find out."""
    eligibility: Prose = field(default_factory=dict)
    """Who can take part, such as the age from which they may agree for themselves."""
    minutes: Annotated[float, within(0)] = 0.0
    """How long it takes, in minutes; 0 where this is not said."""
    risks: Prose = field(default_factory=dict)
    """What may be unpleasant or harmful."""
    benefits: Prose = field(default_factory=dict)
    """What people or others gain, apart from pay."""
    voluntary: Prose = field(default_factory=dict)
    """That people can decline and stop, and what this costs them."""
    data: Prose = field(default_factory=dict)
    """What is stored of a person: answers, times, ids of the panel."""
    access: Prose = field(default_factory=dict)
    """Who sees the data, and whether they are published."""
    retention: Prose = field(default_factory=dict)
    """How long the data are kept."""
    erasure: Prose = field(default_factory=dict)
    """How people have their data erased, and until when."""
    legal_basis: Prose = field(default_factory=dict)
    """On what ground personal data are processed, where a law such as the GDPR applies."""
    data_officer: Line = ""
    """Data protection officer of the institution, with an address."""
    complaints: Prose = field(default_factory=dict)
    """Where people can complain, such as a supervisory authority."""

    def faults(self) -> Iterator[Fault]:
        """A protocol number without the name of the board that gave it."""
        if self.protocol and not self.board:
            yield Fault("has a protocol and no board", 'write board = "…"')
