"""Data statement and datasheet of a study, as Markdown, from what was collected.

What the program knows is filled in; what only the researcher knows is asked for in a line that begins
with TODO. The headings follow Bender and Friedman 2018 (doi:10.1162/tacl_a_00041), as in the appendix of
Nangia et al. 2020, and Gebru et al. 2021 (doi:10.1145/3458723).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tiltmeter.core.text import visible
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE
from tiltmeter.survey.pay import pay_report
from tiltmeter.survey.questions import WRITTEN

MILLI = 1000
NAMED = 3
"""An answer about the person that fewer gave is counted and not named."""
TODO = "TODO:"
_WRITERS = "The people who took part wrote these texts: see the annotator demographic."
_OTHERS = (("training", "training"), ("test", "tests"))
MOST_OPTIONS = 20
"""Options of a question up to which its answers are counted."""
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~&]|^[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)])")
"""What Markdown acts on: marks anywhere, and those of lists where a paragraph begins."""


def data_statement(collected: Collected) -> str:
    """The data statement, with the sections of Bender and Friedman."""
    form = collected.form
    title = _text(form.say(form.title))
    writes = any(q.kind in WRITTEN for page in form.part("item") for q in page.questions)
    sections = {
        "Curation rationale": [
            f"“{title}”: form {_text(form.name)}, version {_text(form.version)}.",
            f"SHA-256 of the form: `{form.sha256}`.",
            _text(form.source and f"After {form.source}."),
            _items(collected),
            f"{TODO} why these data were collected, and for what use.",
        ],
        "Language variety": [
            f"Asked in {_text(', '.join(form.languages))}. "
            + _counts("Language", Counter(p.language for p in collected.people if p.language)),
            f"{TODO} regional varieties (BCP-47 tags), and where people live.",
        ],
        "Speaker demographic": [*([_WRITERS] if writes else []), f"{TODO} who wrote the items."],
        "Annotator demographic": [*_people(collected), *_about(collected)],
        "Speech situation": [
            _when(collected),
            f"{TODO} how people were found, and which were invited.",
        ],
        "Text characteristics": [
            _answers(collected),
            *_chosen(collected),
            _text(form.say(form.warning)),
        ],
        "Recording quality": ["Not applicable: text only."],
        "Other": [
            _checked(collected),
            _paid(collected),
            f"{TODO} what the data should not be used for, and what they cannot show.",
        ],
        "Provenance appendix": [f"{TODO} where the items come from, and their data statements."],
    }
    return _markdown(f"Data statement: {_text(collected.name)}", sections)


def datasheet(collected: Collected) -> str:
    """The datasheet, with the sections of Gebru et al."""
    form = collected.form
    sections = {
        "Motivation": [
            f"{TODO} for what purpose, by whom and with whose money the data were created."
        ],
        "Composition": [
            _items(collected),
            _answers(collected),
            *_chosen(collected),
            "`answers.csv` has an answer in each row.",
            "`ratings.csv` has the positions of sliders, `marks.csv` what every check found.",
            *_about(collected),
            _text(form.say(form.warning)),
        ],
        "Collection process": [
            _when(collected),
            *_people(collected),
            f"Consent as shown: “{_text(form.say(form.consent))}”",
            _paid(collected),
            f"{TODO} ethical review.",
        ],
        "Preprocessing and cleaning": [
            "Answers that a person replaced or withdrew are left out. Nothing else was deleted or changed.",
            _checked(collected),
        ],
        "Uses": [f"{TODO} what the data have been used for, and what they should not be used for."],
        "Distribution": [f"{TODO} to whom, how and when; licence of the data."],
        "Maintenance": [
            "Who withdraws later is erased from the database and from the next export.",
            "Unlinked demographics cannot be found again and stay.",
            f"{TODO} who maintains the data, and how to reach them.",
        ],
    }
    return _markdown(f"Datasheet: {_text(collected.name)}", sections)


def _markdown(title: str, sections: Mapping[str, Sequence[str]]) -> str:
    blocks = [f"# {title}"]
    for heading, paragraphs in sections.items():
        blocks += [f"## {heading}", *(paragraph for paragraph in paragraphs if paragraph)]
    return "\n\n".join(blocks) + "\n"


def _text(text: str) -> str:
    r"""Foreign text as it is, whatever it would mean in Markdown.

    >>> _text("a_b <c>")
    'a\\_b \\<c\\>'
    """
    return _MARKDOWN.sub(r"\\\1", visible(text).strip())


def _items(collected: Collected) -> str:
    kinds = Counter[str](item.kind for item in collected.form.items)
    listed = ", ".join(
        [f"{kinds['real']}", *(f"{kinds[kind]} for {why}" for kind, why in _OTHERS if kinds[kind])]
    )
    sampling = collected.form.sampling
    each = f" Each person gets {sampling.each}." if sampling.each else ""
    votes = f" Each is given to {_people_of([sampling.votes])}." if sampling.votes else ""
    return f"Items: {listed}.{each}{votes}"


def _people_of(numbers: Sequence[int]) -> str:
    """How many people, from the fewest to the most.

    >>> _people_of([1, 1]), _people_of([0, 4])
    ('1 person', '0 to 4 people')
    """
    span = " to ".join(dict.fromkeys(map(str, numbers)))
    return f"{span} {'person' if span == '1' else 'people'}"


def _people(collected: Collected) -> list[str]:
    states = Counter(person.state for person in collected.people)
    by_state = ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "nobody"
    return [f"People: {by_state}; {collected.withdrawn} withdrew and were erased."]


def _about(collected: Collected) -> list[str]:
    """Counts of demographics; answers that few gave are not named."""
    linked = [person.about for person in collected.people if person.about]
    every: list[Mapping[str, Any]] = [*collected.demographics, *linked]
    names = [q.name for page, q in collected.form.questions if page == DEMOGRAPHICS_PAGE]
    if not names:
        return ["Nothing was asked about the people."]
    lines = [f"{len(every)} people answered questions about themselves."]
    if collected.waiting:
        lines[0] += (
            f" {collected.waiting} more wait until enough people have, and are not exported."
        )
    for name in names:
        counts = Counter(str(answers[name]) for answers in every if name in answers)
        if counts:
            lines.append(_counts(name, counts))
    return lines


def _counts(name: str, counts: Mapping[str, int]) -> str:
    shown = {value: n for value, n in counts.items() if n >= NAMED}
    rest = sum(counts.values()) - sum(shown.values())
    shares = [
        f"{_text(value)} {n}" for value, n in sorted(shown.items(), key=lambda count: -count[1])
    ]
    shares += [f"other answers {rest}"] if rest else []
    return f"{_text(name)}: {', '.join(shares)}." if shares else ""


def _when(collected: Collected) -> str:
    """Over which days answers were given, by the clocks of those who gave them."""
    times = [r.client_time for r in collected.responses if r.client_time]
    if not collected.responses:
        return "No answers yet."
    if not times:
        return (
            f"{TODO} when and how the answers were given; they were imported without their times."
        )
    first, last = (datetime.fromtimestamp(t / MILLI, UTC).date() for t in (min(times), max(times)))
    when = f"on {first}" if first == last else f"between {first} and {last}"
    return f"Answers were given {when} (UTC)."


def _answers(collected: Collected) -> str:
    of_items = [r for r in collected.responses if r.item]
    per_item = Counter(dict.fromkeys(collected.items(), 0))
    pairs = {(r.item, r.person) for r in of_items}
    per_item.update(item for item, _ in pairs)
    real = [per_item[i.key] for i in collected.form.items if i.kind == "real"]
    span = f"; {_people_of([min(real), max(real)])} per item" if real else ""
    return f"{len(collected.responses)} answers, {len(of_items)} of them about items{span}."


def _chosen(collected: Collected) -> list[str]:
    """How often each option of the questions about items was chosen."""
    given: dict[str, Counter[str]] = defaultdict(Counter)
    for response in collected.responses:
        if response.item:
            values = response.value if isinstance(response.value, list) else [response.value]
            given[response.question].update(map(str, values))
    questions = (q for page in collected.form.part("item") for q in page.questions)
    return [
        f"{_text(q.name)}: {', '.join(f'{_text(v)} {n}' for v, n in given[q.name].most_common())}."
        for q in questions
        if 0 < len(q.options) <= MOST_OPTIONS and given[q.name]
    ]


def _checked(collected: Collected) -> str:
    counts = collected.check_counts()
    if not counts:
        return "No checks have been run."
    flagged = "; ".join(
        f"{_text(count.check)} flagged {count.flagged_people} of {count.people} people"
        for count in counts
    )
    rules = "; ".join(_text(f"{count.check}: {rule}") for count in counts for rule in count.rules)
    return f"Checks mark answers and delete none: {flagged}. Rules: {rules}."


def _paid(collected: Collected) -> str:
    if collected.form.pay is None:
        return f"{TODO} what people were paid."
    report, pay = pay_report(collected), collected.form.pay
    text = f"People were paid {pay.amount:.2f} {_text(pay.currency)}, whatever the checks found."
    if report.median is not None and report.tenth is not None:
        text += (
            f" Measured on their time on the pages this is a median of {report.median:.2f} an hour "
            f"(10th percentile {report.tenth:.2f}, n = {len(report.people)})."
        )
    return text
