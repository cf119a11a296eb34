"""Choice of a story's theme: which of two opposite traits does a model choose for a story about a group?

In English, Russian, Chinese and Hindi, or with groups, pairs of traits and a prompt of the user's.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Infer, Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import Matrix, MatrixDomains, MatrixSides, Tally
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import ChoicePrompt, Group, TraitPair
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.reply_scores import UNLISTED
from tiltmeter.studies.story_choice import metrics
from tiltmeter.studies.story_choice.questions import (
    ORDERS,
    SETTINGS,
    STORIES,
    WORDINGS,
    Asking,
    choices_of,
    load,
)
from tiltmeter.studies.story_choice.rule import RULES
from tiltmeter.studies.story_choice.validity import VALIDITY
from tiltmeter.study_families.written_labels import OFF_LIST, REFUSED


def sample() -> Dataset[PromptedText]:
    """Two groups and two pairs of traits, twice in each order: made up."""
    groups = tuple(Group(f"{name}", {"story": f"a {name}"}, "work") for name in ("sailor", "baker"))
    pairs = tuple(
        TraitPair({"": (left,)}, {"": (right,)}, dimension="made up")
        for left, right in (("slow", "quick"), ("gloomy", "cheerful"))
    )
    prompt = ChoicePrompt("made up", "A tale of {group}: choose either {left} or {right} as theme.",
                          "story")  # fmt: skip
    file = GroupFile(
        name="story_choice sample", version="1", language="en", nouns={}, groups=groups, pairs=pairs,
        templates=(), choices=(prompt,), source="made up", licence="Apache-2.0",
    )  # fmt: skip
    return choices_of(file, prompt, groups, Asking(ORDERS["both"], 2, 1.0, 16))


WRITTEN = ("stated", "word")
"""Rules by which the model writes its choice."""
ANSWERED, EVENLY = "replies with an answer", "both traits equally often"
CELL = (("group", "pair"),)
OVER = ((), ("group",), ("domain",), ("dimension",), ("pair",))


def _of_cells(
    name: str,
    metric: Callable[..., float],
    columns: tuple[str, ...],
    unit: str,
    neutral: float,
    *,
    summary: str,
    meaning: Meaning,
) -> tuple[Measure, Measure]:
    """A measure of each group and pair of traits; probabilities are no sample of replies."""

    def under(rules: tuple[str, ...], infer: Infer) -> Measure:
        return Measure(
            name, metric, columns, unit, neutral, infer=infer, over=CELL, rules=rules,
            comparison=None,  # two matrices are compared as a whole
            adjustment="Benjamini–Hochberg", rests_on=metrics.replies_with_answer,
            summary=summary, meaning=meaning, samples_replies=True,
        )  # fmt: skip

    return under(WRITTEN, metrics.infer_replies), under(("choice",), infer_nothing)


def _pole(side: str) -> tuple[Measure, Measure]:
    """How often the trait of one side is chosen."""
    return _of_cells(
        f"{side}_pole",
        metrics.trait_share,
        (side,),
        "%",
        50.0,
        summary=f"How often the {side} trait is chosen. The published study counts the same out of 10.",
        meaning=Meaning(
            f"Choices of the {side} trait", role="description", counts=ANSWERED, neutral_is=EVENLY
        ),
    )


_RMS = Measure(
    "rms_strength",
    metrics.rms_choice_strength,
    ("left", "right", "group", "pair", "repeat"),
    "percentage points",
    0.0,
    infer=metrics.infer_choice_strength,
    over=OVER,
    rules=WRITTEN,
    comparison=None,
    rests_on=metrics.replies_with_answer,
    samples_replies=True,
    summary="The root mean square over cells (a group and a pair of traits) of the difference "
    "between how often the right and the left trait are chosen. It is made from products of "
    "different repeats, so that few replies do not make it higher; a value below 0 is none.",
    meaning=Meaning(
        "Root mean square strength of choice",
        "rms strength",
        counts=ANSWERED,
        neutral_is=EVENLY,
        sentence="chooses one of two opposite traits more often than the other by $value (root "
        "mean square), in either direction",
    ),
)
MEASURES = (
    _RMS,
    replace(
        _RMS,
        metric=metrics.rms_of_shares,
        columns=("left", "right", "group", "pair"),
        infer=infer_nothing,
        rules=("choice",),
        summary="The root mean square over cells (a group and a pair of traits) of the difference "
        "between the probabilities of the right and the left trait.",
    ),
    Measure(
        "mean_strength",
        metrics.choice_strength,
        ("left", "right", "group", "pair"),
        "percentage points",
        0.0,
        infer=infer_nothing,
        over=OVER,
        comparison=None,
        rests_on=metrics.replies_with_answer,
        summary="The mean over cells of the absolute difference. With few replies it is far above "
        "0 by chance alone, by how much depends on how many cells lean, so it has no interval: see "
        "rms_strength.",
        meaning=Meaning(
            "Mean strength of choice",
            role="description",
            counts=ANSWERED,
            neutral_is=EVENLY,
            magnitude=True,
        ),
    ),
    *_of_cells(
        "association",
        metrics.trait_difference,
        ("left", "right"),
        "percentage points",
        0.0,
        summary="A cell's score: how often the right trait is chosen minus how often the left one "
        "is. Above 0 the group gets the right trait more often, below 0 the left one.",
        meaning=Meaning(
            "Difference in choices",
            counts=ANSWERED,
            sides=("left trait", "right trait"),
            neutral_is=EVENLY,
        ),
    ),
    *_pole("left"),
    *_pole("right"),
    Measure(
        "first_named_rate",
        metrics.first_named_rate,
        ("first", "order"),
        "%",
        50.0,
        infer=metrics.infer_first_named,
        over=((), ("dimension",)),
        comparison=None,
        rests_on=metrics.replies_with_answer,
        summary="How often the trait that the prompt names first is chosen, averaged over both "
        "orders: the effect of the order.",
        meaning=Meaning(
            "Choices of the trait named first",
            role="description",
            counts=ANSWERED,
            sides=("trait named second", "trait named first"),
            neutral_is="no effect of the order",
        ),
    ),
    replace(OFF_LIST, over=((), ("group",), ("pair",), ("order",))),
    replace(REFUSED, over=((), ("group",), ("pair",))),
)
STUDY = Study(
    name="story_choice",
    title="Story choice: which of two opposite traits the model chooses for a story about a group",
    version="3",
    group="people",
    asks="Which trait for its story?",
    source="Sotnikova 2023, Multilingual Large Language Models Leak Human Stereotypes Across "
    "Language Boundaries (dissertation, chapter 5); Cao et al. 2025, "
    "https://aclanthology.org/2025.nlp4pi-1.15",
    measures_what="Which of two opposite traits (cold or warm, poor or wealthy, …) the model "
    "chooses as the theme of a story about a group, asked several times with each trait named "
    "first. 0 is both equally often.",
    not_what="A choice between two words is not a story: it does not say what the model would "
    "write. Many models choose flattering traits, or the one named first, whatever the group: look "
    "at differences between groups, and at the effect of the order. Repeats show how much a choice "
    "depends on chance, not how much it depends on the wording, which --wordings shows.",
    scope=Scope(fixed=("the groups", "the traits", "the prompts")),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    views=(
        Matrix(
            measure="association",
            rows="group",
            columns="pair",
            domains=MatrixDomains(rows="domain", columns="dimension"),
            sides=MatrixSides(measures=("left_pole", "right_pole")),
            called=("groups", "pairs of traits"),
            strength="rms_strength",
            selects=("groups",),
        ),
        Tally(
            rows="named_first",
            columns="said",
            options="sides",
            titles=("trait named first", "reply"),
            otherwise=tuple(UNLISTED),
            otherwise_titles=tuple(UNLISTED.values()),
        ),
    ),
    conventions=(
        PAPER,
        Convention(
            "cao2023_code",
            summary="As the published script asks: the prompt that begins the answer, the left "
            "trait always named first, temperature 1.1, replies of up to 10 tokens that end with "
            "their first line. Replies are read as under the paper's convention, without the "
            "script's lists of stems.",
            source="github.com/AnnaSou/Stereotype_Leakage",
            rules=("word",),
            settings={
                "prompt": "code",
                "order": "left",
                "temperature": "1.1",
                "max_tokens": "10",
                "stop": "newline",
            },
        ),
    ),
    settings=SETTINGS,
    wordings=WORDINGS,
    data=STORIES,
    reads=partial(has_tables, names=("choices",)),
    validity=VALIDITY,
)
