"""What people are shown before they agree, as the page shows it and as a copy of their own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from markupsafe import Markup

from tiltmeter.survey.consent.study_facts import StudyFacts
from tiltmeter.survey.form import Pay
from tiltmeter.survey.keys import date_of, now
from tiltmeter.survey.schema import ConsentRecord
from tiltmeter.survey.web.pages import FormWords

_MAIL = Markup('<a href="mailto:{0}">{0}</a>')
_AS_TYPED = Markup("<bdi>{}</bdi>")
"""Names and amounts keep their own writing direction on pages from right to left."""


@dataclass(frozen=True, slots=True)
class ShownFact:
    """Something that the form says of the study."""

    name: str
    """The key of the fact in `[study]`, or "pay"."""
    html: Markup


def study_facts(words: FormWords) -> list[ShownFact]:
    """What the form says of the study and its pay, in the order in which people read it."""
    return [*_facts(words)]


def _facts(words: FormWords) -> Iterator[ShownFact]:
    study, pay = words.form.study, words.form.pay
    for part in fields(StudyFacts):
        value = getattr(study, part.name)
        if isinstance(value, Mapping):
            html = words.prose(value, 2)
        elif part.name == "minutes":
            about = words.words["minutes_about"]
            html = Markup.escape(about.format(n=f"{value:g}")) if value else Markup()
        else:
            html = (_MAIL if "@" in value else _AS_TYPED).format(value) if value else Markup()
        if html:
            yield ShownFact(part.name, html)
        if part.name == "minutes" and pay:
            yield ShownFact("pay", _AS_TYPED.format(amount_of(pay)))


def amount_of(pay: Pay) -> str:
    """What everybody is paid, with the currency.

    >>> amount_of(Pay(2.5, "EUR"))
    '2.50 EUR'
    """
    return f"{pay.amount:.2f} {pay.currency}"


def consent_copy(words: FormWords, agreed: ConsentRecord | None) -> str:
    """A page for people to keep: what they agree to, or have agreed to, without any id of theirs.

    Args:
        words: The form in the language that they read it in.
        agreed: What they agreed to; None where they have not yet.
    """
    return words.page(
        "consent_copy", facts=study_facts(words), agreed=agreed is not None,
        linked=agreed is not None and agreed.linked,
        date=date_of(agreed.time if agreed else now()).date().isoformat(),
    )  # fmt: skip
