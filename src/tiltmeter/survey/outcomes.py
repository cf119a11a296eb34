"""How people leave a study: the eight outcomes, and what the last page of each shows.

An outcome is decided once and stored with the person. The form says in `[outcomes]` which code or address
goes with it, so that the panel that people come from learns how they left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, TypeAlias, get_args
from urllib.parse import quote

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, within
from tiltmeter.survey.form_reading import Prose
from tiltmeter.survey.participants.money import Money

Outcome: TypeAlias = Literal[
    "finished", "screened_out", "declined", "withdrew", "stopped", "full", "timed_out", "failed_checks",
]  # fmt: skip
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""
finished: everything is answered · screened_out: an answer says that the study is not for them ·
declined: did not consent · withdrew: stopped, and had all answers erased · stopped: stopped, and left the
answers · full: there was no item for them · timed_out: went away · failed_checks: too many wrong answers to
test questions.
"""
UNDER_WAY = "under way"
"""In place of an outcome: people who have none yet."""
RETURNING: frozenset[Outcome | None] = frozenset({"declined", "full", "timed_out"})
"""Outcomes after which a person may still take part."""


def words_of(outcome: Outcome | None) -> str:
    """An outcome as words; None is under way.

    >>> words_of("timed_out"), words_of(None)
    ('timed out', 'under way')
    """
    return outcome.replace("_", " ") if outcome else UNDER_WAY


Panel: TypeAlias = Literal["prolific", "cloudresearch", "mturk", "sona", "none"]
CODE, ID = "{code}", "{id}"
"""In an address: the code of the outcome, and the person's id on the platform."""


_LOCAL = ("http://127.0.0.1:", "http://localhost:")
"""Beginnings of addresses on the same machine, with which a form is tried out."""


def _secure(url: str) -> str:
    if not url.startswith(("https://", *_LOCAL)):
        raise Fault(f"is {url!r}", "write an address that begins with https://")
    return url


@dataclass(frozen=True, slots=True)
class LastPage:
    """What people with one outcome are shown and paid."""

    text: Prose = field(default_factory=dict)
    """In place of the sentence that Tiltmeter has for the outcome."""
    code: Line = ""
    """Shown to everybody with this outcome; "" for a code of each person's own."""
    url: Annotated[Line, _secure] = ""
    """Where a button leads; `{code}` stands for the code, `{id}` for the person's id on the platform."""
    pay: Money | None = None
    """What people with this outcome are paid; without it, the form does not say."""

    def address(self, code: str, platform_id: str) -> str:
        """Where the person is sent; "" where they stay.

        >>> LastPage(url="https://panel.example/?cc={code}&who={id}").address("C1", "a b")
        'https://panel.example/?cc=C1&who=a%20b'
        """
        return self.url.replace(CODE, quote(code, safe="")).replace(ID, quote(platform_id, safe=""))


@dataclass(frozen=True, slots=True)
class TimedOutPage(LastPage):
    """The last page for people who went away."""

    minutes: Annotated[int, within(0)] = 0
    """Minutes without a sign of the person after which they count as gone; 0: as long as a lease."""


@dataclass(frozen=True, slots=True)
class FailedChecksPage(LastPage):
    """The last page for people who answered test questions wrongly."""

    after: Annotated[int, within(1)] = 1
    """Wrong answers from which a person has this outcome."""
    at_once: bool = False
    """Whether it is decided at the wrong answer, and not at the end."""


@dataclass(frozen=True, slots=True)
class PanelReturn:
    """How people come back to a panel."""

    url: str = ""
    """Where an outcome with a code leads without an address of its own."""
    own_code: str = ""
    """Why a code of each person's own is of no use there; "" where it is."""
    needs: str = ""
    """What the address of those who finish must hold."""


PANELS: Mapping[Panel, PanelReturn] = {
    "prolific": PanelReturn(
        url="https://app.prolific.com/submissions/complete?cc={code}",
        own_code="Prolific knows only the codes that the study has there",
    ),
    "cloudresearch": PanelReturn(
        own_code="Connect knows only the codes that the project has there"
    ),
    "mturk": PanelReturn(),
    "sona": PanelReturn(needs="{id}"),
    "none": PanelReturn(),
}
"""What panels expect, by their documentation (docs/surveys/panels.md has the sources)."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The form's table `[outcomes]`: a page for each outcome; without one, a sentence and no code."""

    template: Panel = "none"
    """The panel that people come from: checks that the codes and addresses are as it expects them."""
    finished: LastPage = LastPage()
    """The page for those who answered everything."""
    screened_out: LastPage | None = None
    """The page for those whose answer says that the study is not for them."""
    declined: LastPage | None = None
    """The page for those who did not consent."""
    withdrew: LastPage | None = None
    """The page for those who stopped and had all answers erased."""
    stopped: LastPage | None = None
    """The page for those who stopped and left their answers."""
    full: LastPage | None = None
    """The page for those for whom there was no item."""
    timed_out: TimedOutPage | None = None
    """The page for those who went away."""
    failed_checks: FailedChecksPage | None = None
    """The page for those who gave too many wrong answers to test questions."""

    def faults(self) -> Iterator[Fault]:
        """Codes and addresses with which the panel could do nothing."""
        panel = PANELS[self.template]
        for outcome, page in self.declared:
            if panel.own_code and not page.code and not page.url:
                yield Fault(f"has no code: {panel.own_code}", 'write code = "…"', outcome)
        if panel.needs not in self.finished.url:
            way_out = f'write url = "…survey_code={panel.needs}", from the study\'s completion URL'
            yield Fault(f"has no {panel.needs} in its url", way_out, "finished")

    def address(self, outcome: Outcome, *, code: str, platform_id: str) -> str:
        """Where people with an outcome are sent; "" where they stay."""
        page = self.page(outcome)
        if page is None:
            return ""
        shown = page if page.url or not page.code else replace(page, url=PANELS[self.template].url)
        return shown.address(code, platform_id)

    def page(self, outcome: Outcome) -> LastPage | None:
        """What the form says of an outcome; None where it says nothing."""
        page: LastPage | None = getattr(self, outcome)
        return page

    def pays(self, outcome: Outcome) -> bool:
        """Whether the form says that people with an outcome are paid; for who finishes, `[pay]` says it."""
        page = self.page(outcome)
        return page is not None and bool(page.pay)

    @property
    def declared(self) -> Iterator[tuple[Outcome, LastPage]]:
        """The outcomes of which the form says something."""
        for outcome in OUTCOMES:
            if (page := self.page(outcome)) is not None:
                yield outcome, page
