"""Data statement and datasheet of a study, as Markdown, from what was collected.

What the program knows is filled in; what only the researcher knows is asked for in a line that begins
with TODO. The headings follow Bender and Friedman 2018 (doi:10.1162/tacl_a_00041), as in the appendix of
Nangia et al. 2020, and Gebru et al. 2021 (doi:10.1145/3458723).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from tiltmeter.core.text import visible
from tiltmeter.survey.collected import Collected, GivenConsent
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE
from tiltmeter.survey.keys import date_of
from tiltmeter.survey.outcomes import words_of
from tiltmeter.survey.participants.pay import pay_report
from tiltmeter.survey.statements.order_statement import recorded_orders

NAMED = 3
"""An answer about the person that fewer gave is counted and not named."""
MOST_OPTIONS = 20
"""Options of a question up to which its answers are counted."""
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~&]|^[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)])")
"""What Markdown acts on: marks anywhere, and those of lists where a paragraph begins."""


def data_statement(collected: Collected) -> str:
    """The data statement, with the sections of Bender and Friedman."""
    return _rendered("data_statement", collected)


def datasheet(collected: Collected) -> str:
    """The datasheet, with the sections of Gebru et al."""
    return _rendered("datasheet", collected)


def _rendered(template: str, collected: Collected) -> str:
    form, checks = collected.form, collected.check_counts()
    answers_of_people = [*collected.demographics, *(p.about for p in collected.people if p.about)]
    questions = [
        question.name
        for page, question in form.questions
        if page == DEMOGRAPHICS_PAGE
        or ((page, question.name) in form.start_questions and question.takes_one_option)
    ]
    given = {
        name: Counter(str(answers[name]) for answers in answers_of_people if name in answers)
        for name in questions
    }
    people = Counter(item for item, _ in {(r.item, r.person) for r in collected.responses})
    times = [r.client_time for r in collected.responses if r.client_time]
    took_part = _took_part(collected)
    text = _templates().get_template(f"{template}.md").render(
        study=collected, form=form, say=form.say, kinds=Counter(item.kind for item in form.items),
        writes=any(q.item_columns for page in form.part("item") for q in page.questions),
        languages=_named(Counter(p.language for p in collected.people if p.language and p.id in took_part)),
        outcomes=sorted(Counter(words_of(p.outcome) for p in collected.people).items()),
        questions=questions, answered=any(given.values()),
        given=[(name, _named(counts)) for name, counts in given.items()],
        days=[date_of(end(times)).date() for end in (min, max) if times],
        answers_about_items=sum(bool(r.item) for r in collected.responses),
        per_item=[people[item.key] for item in form.items if item.kind == "real"],
        chosen=[*_chosen(collected)], checks=checks,
        rules=[(count.check, rule) for count in checks for rule in count.rules],
        orders=recorded_orders(collected),
        pay=pay_report(collected) if form.pay else None,
        consents=Counter(c.language or "no language" for c in _last_consents(collected)).most_common(),
        unconsented=len(took_part - {c.person for c in collected.consents}),
    )  # fmt: skip
    return re.sub("\n{3,}", "\n\n", text).strip("\n") + "\n"


def _took_part(collected: Collected) -> set[str]:
    """People of whom there are answers."""
    return {response.person for response in collected.responses}


def _last_consents(collected: Collected) -> Iterable[GivenConsent]:
    """What each person agreed to last."""
    return {given.person: given for given in collected.consents}.values()


@cache
def _templates() -> Environment:
    """The templates of the documents, in which foreign text goes through `md`."""
    loader = PackageLoader("tiltmeter.survey", "templates")
    environment = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True)  # noqa: S701 no HTML
    environment.filters["md"] = _text
    return environment


def _text(text: str) -> str:
    r"""Foreign text as it is, whatever it would mean in Markdown.

    >>> _text("a_b <c>")
    'a\\_b \\<c\\>'
    """
    return _MARKDOWN.sub(r"\\\1", visible(text).strip())


def _named(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """How many gave each answer, the most common first; answers that few gave are not named."""
    shown = {value: n for value, n in counts.items() if n >= NAMED}
    rest = sum(counts.values()) - sum(shown.values())
    by_count = sorted(shown.items(), key=lambda count: -count[1])
    return by_count + ([("other answers", rest)] if rest else [])


def _chosen(collected: Collected) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """How often each option of the questions about items was chosen."""
    given: dict[str, Counter[str]] = defaultdict(Counter)
    for response in collected.responses:
        if response.item:
            values = response.value if isinstance(response.value, list) else [response.value]
            given[response.question].update(map(str, values))
    for page in collected.form.part("item"):
        for question in page.questions:
            if 0 < len(question.options) <= MOST_OPTIONS and given[question.name]:
                yield question.name, given[question.name].most_common()
