"""First-person fairness: the same request by users of two groups, and which of them gets the better reply."""

from dataclasses import replace
from functools import partial
from typing import Any

from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Measure, Study
from tiltmeter.core.views import WrittenTexts
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.prompts.first_person import (
    MOST_VOTES,
    SETTINGS,
    FirstPersonFile,
    load_first_person,
    sample_first_person,
)
from tiltmeter.metrics import first_person, labels
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.first_person import JUDGE, RULES, SOURCE
from tiltmeter.scoring.prompted_texts import REFUSES

OVER: tuple[tuple[str, ...], ...] = ((), ("comparison",))
JUDGED = "judge_better"
COMPARED, ONE_ORDER = {"differs": 1.0}, {"order": "1 2"}
"""Replies that are compared; and each pair once, of what does not depend on the order of replies."""
SIDED = Meaning(
    role="description", sides=("the second group", "the first group"), neutral_is="no difference"
)
BY_PEOPLE = replace(SIDED, counts="pairs that people judged")


def _columns(question: str) -> tuple[str, ...]:
    """What the judge says, what each person says, and who that is."""
    names = (f"{question}_{{}}", f"{question}_person_{{}}")
    people = (name.format(n) for name in names for n in range(1, MOST_VOTES + 1))
    return (f"judge_{question}", *people)


def _of_people(
    metric: Any, title: str, short: str, summary: str, *, meaning: Meaning = BY_PEOPLE,
    question: str = "better", **further: Any,
) -> Measure:  # fmt: skip
    """What rests on people's answers to a question, which are about one model's replies."""
    columns, between = _columns(question), meaning.sides is not None
    fields: dict[str, Any] = {
        "where": COMPARED,
        "over": OVER,
        "needs": (f"{question}_1",),
    } | further
    return Measure(
        metric.name, metric, columns, "percentage points" if between else "%",
        neutral=0 if between else None, summary=summary, optional=columns,
        meaning=replace(meaning, title=title, short=short), comparison=None,
        **fields,
    )  # fmt: skip


def _rate(name: str, column: str, title: str, short: str, summary: str, **further: Any) -> Measure:
    """A share of pairs of users, each pair once."""
    fields: dict[str, Any] = {"where": ONE_ORDER, "over": OVER} | further
    meaning = Meaning(title, short, role="description", counts="pairs of users")
    return Measure(
        name, labels.rate, (column,), "%", neutral=None, summary=summary, meaning=meaning, **fields
    )


MEASURES = (
    _of_people(
        first_person.preference, "Better replies, first group less second", "better",
        "The share of pairs in which people find the reply to the user of the first group better, less the "
        "share in which they find the other better; no difference counts for neither. A judge who compared "
        "all pairs helps as far as it agrees with people: its errors and the sample of people are in the "
        "interval.",
        meaning=replace(
            BY_PEOPLE, role="lean",
            sentence="gives users of the first group the better reply $size more often, by $n $counts",
            sentence_below="gives users of the second group the better reply $size more often, by $n $counts",
        ),
        needs=(),
    ),
    _of_people(
        first_person.stereotype, "Replies with a stereotype, first group less second", "stereotype",
        "The same of replies that show a stereotype: above 0, more of those to the first group do.",
        question="stereotype", meaning=replace(BY_PEOPLE, role="lean"),
    ),
    _of_people(
        first_person.people_preference, "Better replies, by people alone", "people",
        "The same without the judge.", needs=(JUDGED,),
    ),
    Measure(
        "judge_preference", first_person.judge_preference, (JUDGED,), "percentage points", neutral=0,
        summary="The same by the judge alone, over all pairs that it compared.", over=OVER, where=COMPARED,
        optional=(JUDGED,), needs=(JUDGED,), comparison=None,
        meaning=replace(SIDED, title="Better replies, by the judge alone", short="judge", counts="verdicts",
                        caution="The judge’s errors are in the number and not in its interval."),
    ),
    *(
        Measure(
            f"{kind}_preference", partial(first_person.preference_bound, side=side),
            ("missing", *_columns("better")), "percentage points", neutral=0, optional=_columns("better"),
            summary=f"The preference if every refusal or empty reply were for the {group} group.",
            over=OVER, where={"same": 0.0}, needs=("better_1",), infer=infer_nothing, comparison=None,
            meaning=replace(SIDED, title=f"{kind.capitalize()} possible preference", counts="pairs"),
        )
        for kind, side, group in (("lowest", -1, "second"), ("highest", 1, "first"))
    ),
    _of_people(
        first_person.judge_agreement, "Agreement of the judge with people", "judge agrees",
        "How often the judge gives the answer that a person gives, no difference included.",
        meaning=replace(BY_PEOPLE, sides=None, counts="answers of people"), over=OVER[:1],
        needs=(JUDGED,),
    ),
    _of_people(
        first_person.people_agreement, "Agreement of people", "people agree",
        "How often two people give the same answer: more cannot be expected of a judge.",
        meaning=replace(BY_PEOPLE, sides=None, counts="pairs with two people"), over=OVER[:1],
    ),
    Measure(
        "judge_position", first_person.judge_position, ("position",), "percentage points", neutral=0,
        summary="How much more often the judge takes the reply that it reads first; over both orders this "
        "adds up to nothing.", where=COMPARED, optional=("position",), needs=("position",), comparison=None,
        meaning=Meaning("Preference of the judge for the first place", role="description", counts="verdicts",
                        sides=("the second place", "the first place"), neutral_is="no preference"),
    ),
    *(
        _rate("refusal_rate", f"refused_{user}", "Refusal rate", "refused",
              "The share of users who are refused, by how replies begin or because a filter cut them off.",
              at={"user": user})
        for user in ("first", "second")
    ),
    Measure(
        "refusal_difference", first_person.refusal_difference, ("refused_first", "refused_second"),
        "percentage points", neutral=0, over=OVER, where=ONE_ORDER,
        summary="The share of first users who are refused less that of second users with the same request.",
        meaning=replace(SIDED, title="Refusals, first group less second", short="refusals", role="lean",
                        counts="pairs of users"),
    ),
    _rate("same_rate", "same", "Pairs with the same reply", "same",
          "The share of pairs of users who get the same reply, words that tell who asked aside."),
)  # fmt: skip
STUDY = Study(
    name="first_person",
    title="First-person fairness: who asks, and who gets the better reply",
    version="1",
    source=SOURCE,
    measures_what=(
        "Two users make the same request and differ in their name, or in a group that they state. People, "
        "helped by a judge if there is one, compare both replies in either order and do not know who asked. "
        "The difference is how much more often one group gets the better reply, or one with a stereotype."
    ),
    not_what=(
        "A model that refuses is not fair, it is silent: refusals are counted apart, and the lowest and the "
        "highest possible preference say what they could hide. What those who judge find better need not be "
        "so for those who ask. A name says little about who bears it; other words may still tell the group."
    ),
    load=load_first_person,
    sample=sample_first_person,
    rules=RULES,
    measures=MEASURES,
    settings=(*SETTINGS, JUDGE, REFUSES),
    views=(
        NumberTable(
            "comparisons", "Comparisons", ("comparison",),
            tuple(map(NumberColumn, (
                "reply_preference", "stereotype_difference", "people_preference", "judge_preference",
                "refusal_difference", "same_rate",
            ))),
        ),
        NumberTable(
            "refusals", "Refusals by group", ("comparison",), (NumberColumn("refusal_rate", heading=""),),
            spread="user",
        ),
        WrittenTexts(("request", "reply_1", "reply_2"), "comparison", called="replies"),
    ),
    data=FirstPersonFile.packaged,
    categories="comparison",
    reads=partial(has_tables, names=("comparisons",)),
)  # fmt: skip
