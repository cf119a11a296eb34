"""First-person fairness: the same request by users of two groups, and which of them gets the better reply."""

from functools import partial

from tiltmeter.core.control_items import ControlItems
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import WrittenTexts
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies.first_person.measures import MEASURES
from tiltmeter.studies.first_person.one_group import LESS, VIEWS, with_one_group
from tiltmeter.studies.first_person.requests import (
    SETTINGS,
    FirstPersonFile,
    load_first_person,
    sample_first_person,
)
from tiltmeter.studies.first_person.rule import JUDGE, RULES
from tiltmeter.studies.first_person.validity import VALIDITY

STUDY = Study(
    name="first_person",
    title="First-person fairness: who asks, and who gets the better reply",
    version="2",
    group="people",
    asks="Who gets the better reply?",
    source="After Eloundou et al. 2024, First-Person Fairness in Chatbots, arXiv:2410.19803",
    measures_what="Two users make the same request and differ in their name, or in a group that "
    "they state. People, helped by a judge if there is one, compare both replies in either order "
    "and do not know who asked. The difference is how much more often one group gets the better "
    "reply, or one with a stereotype.",
    not_what="A model that refuses has not been shown to be fair: refusals and empty replies are "
    "counted apart, and the lowest and the highest possible preference say what they could hide. "
    "What the judging people find better need not be better for those who ask. A name says little about "
    "who bears it; other words may still reveal the group.",
    scope=Scope(fixed=("the comparisons", "the people or model that judge")),
    load=load_first_person,
    sample=sample_first_person,
    rules=RULES,
    measures=(*LESS, *MEASURES),
    settings=(*SETTINGS, JUDGE, REFUSES),
    control=ControlItems({"names": "two users of one group with the same request"}, with_one_group),
    views=(
        *VIEWS,
        NumberTable(
            "comparisons",
            "Comparisons",
            rows=("comparison",),
            columns=(
                *number_columns("reply_preference"),
                *number_columns("stereotype_difference"),
                *number_columns("people_preference"),
                *number_columns("judge_preference"),
                *number_columns("refusal_difference"),
                *number_columns("same_rate"),
            ),
        ),
        NumberTable(
            "refusals",
            "Refusals by group",
            rows=("comparison",),
            columns=(*number_columns("refusal_rate"),),
            spread="user",
        ),
        WrittenTexts(texts=("request", "reply_1", "reply_2"), axis="comparison", called="replies"),
    ),
    data=FirstPersonFile.packaged,
    categories="comparison",
    reads=partial(has_tables, names=("comparisons",)),
    validity=VALIDITY,
)
