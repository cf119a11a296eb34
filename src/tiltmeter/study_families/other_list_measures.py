"""What is reported of association tests with other lists of words, and how that is shown."""

from dataclasses import replace

from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import CLUSTER, Measure
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.metrics import word_lists
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.study_families.other_lists import LIST, OWN, TEST, WORD

UNIT = "standard deviations"
OF_LISTS = Measure(
    "lowest_over_lists",
    word_lists.lowest_over_lists,
    ("association", "side", LIST),
    UNIT,
    neutral=0,
    infer=infer_nothing,
    over=((TEST,),),
    where={"side": ("X", "Y")},
    needs=(TEST,),
    rests_on=word_lists.lists_counted,
    comparison=None,
    summary="The lowest effect size of a test with its own lists of words or with published ones in "
    "place of a pair of them. Lists are not a sample, so there is no interval.",
    meaning=Meaning(
        "Lowest effect size over lists",
        "lowest over lists",
        "description",
        "lists",
        neutral_is="no difference",
    ),
)
OF_WORDS = Measure(
    "effect_of_words",
    word_lists.effect_of_words,
    ("effect", "effect_without", "side", CLUSTER),
    UNIT,
    neutral=0,
    infer=word_lists.infer_effect_of_words,
    over=((TEST,),),
    where={LIST: OWN},
    needs=("effect_without",),
    rests_on=word_lists.words_counted,
    comparison=None,
    summary="The effect size of a test with its own words, with an interval for endlessly many words like "
    "these in all four sets; that of `effect_size` takes the attributes as they are.",
    meaning=Meaning(
        "Effect size, interval for other words in all four sets",
        "effect",
        "description",
        counts="words",
        neutral_is="no difference",
    ),
)
WITHOUT = replace(
    OF_WORDS,
    name="lowest_without_word",
    metric=word_lists.lowest_without,
    columns=("effect_without",),
    infer=infer_nothing,
    rests_on=None,
    summary="The lowest effect size of a test without one of its words.",
    meaning=Meaning(
        "Lowest effect size without one word",
        "lowest without one",
        "description",
        "texts",
        neutral_is="no difference",
    ),
)
MEASURES: tuple[Measure, ...] = (
    OF_WORDS,
    OF_LISTS,
    replace(
        OF_LISTS,
        name="highest_over_lists",
        metric=word_lists.highest_over_lists,
        summary="The highest, in the same way.",
        meaning=replace(
            OF_LISTS.meaning, title="Highest effect size over lists", short="highest over lists"
        ),
    ),
    replace(
        OF_LISTS,
        name="effect_size_of_list",
        metric=effect_size,
        columns=("association", "side"),
        infer=word_lists.infer_effect_of_list,
        over=((TEST, LIST),),
        rests_on=None,
        summary="The effect size of a test with each list. The interval is for other targets.",
        meaning=Meaning(
            "Effect size by list", "effect", "description", "targets", neutral_is="no difference"
        ),
    ),
    WITHOUT,
    replace(
        WITHOUT,
        name="highest_without_word",
        metric=word_lists.highest_without,
        summary="The highest, in the same way.",
        meaning=replace(
            WITHOUT.meaning,
            title="Highest effect size without one word",
            short="highest without one",
        ),
    ),
    replace(
        WITHOUT,
        name="largest_change_without_word",
        metric=word_lists.largest_change,
        columns=("effect", "effect_without", "side", WORD),
        infer=word_lists.name_largest_change,
        summary="By how much the effect size changes most where one word is left out, and which.",
        meaning=replace(
            WITHOUT.meaning,
            title="Largest change of the effect size without one word",
            short="largest change",
        ),
    ),
)
"""The measures of tests that have other word lists."""
VIEWS = (
    NumberTable(
        "other-words",
        "Other words",
        (TEST,),
        (
            *number_columns("effect_of_words", value=0, interval=1),
            *number_columns("lowest_over_lists", value=0),
            *number_columns("highest_over_lists", value=0),
            *number_columns("highest_over_lists", "lists", n=2),
            *number_columns("lowest_without_word", value=3),
            *number_columns("highest_without_word", value=3),
            *number_columns("largest_change_without_word", value=5, why=4),
        ),
        explained="A row for each test, in standard deviations. The interval is for endlessly many words "
        "like the test’s own in all four sets. “Without one” leaves out one word at a time; the word that "
        "changes the effect most is named. Over lists, one pair of opposite sets at a time is replaced by "
        "lists that a paper published for the same.",
    ),
    NumberTable(
        "other-lists",
        "Effect size by list",
        (LIST,),
        number_columns("effect_size_of_list", value=0, interval=1, n=2, why=3),
        by=TEST,
        order="high",
        explained="The test’s own lists, and published lists in place of a pair of opposite sets. The "
        "interval is for other targets.",
    ),
)
