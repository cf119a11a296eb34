"""CEAT: association tests with words in sentences of a corpus.

Tests of two groups as in WEAT; or of one group at a time with pairs of opposite traits, which give a
matrix of groups by traits.
"""

from dataclasses import replace
from functools import partial

from tiltmeter.core.conventions import PAPER, Convention
from tiltmeter.core.data.items import Dataset, WordSets
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Infer, Measure
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.study_views import Matrix, MatrixDomains
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.studies.ceat import metrics
from tiltmeter.studies.ceat.corpus_tests import SETTINGS, is_readable, load
from tiltmeter.studies.ceat.draws import Draw, Draws
from tiltmeter.studies.ceat.rule import RULES
from tiltmeter.studies.ceat.validity import VALIDITY
from tiltmeter.study_families.association_test_names import labels_of_tests
from tiltmeter.study_families.association_tests import STARTER_WORDS, UNIT, WEAT
from tiltmeter.study_families.other_list_measures import OF_LISTS, VIEWS
from tiltmeter.study_families.other_lists import LIST, TEST

_FRAMES = ("I saw {} today.", "They spoke of {} again.", "There was {} on the table.")


def sample() -> Dataset[Draw]:
    """Two made-up tests of two groups and two of one, three sentences a word, six draws."""
    flowers, insects = ("roses", "tulips", "lilies"), ("ants", "wasps", "moths")
    good, bad = ("joy", "peace", "music"), ("pain", "dust", "noise")
    sets = ("Flowers", "Insects", "Pleasant", "Unpleasant")
    exchanged = ("Insects", "Flowers", "Pleasant", "Unpleasant")
    tests = [
        WordSets("flowers", flowers, insects, good, bad, sets, groups={"test": "flowers"}),
        WordSets("insects", insects, flowers, good, bad, exchanged, groups={"test": "insects"}),
        *(
            WordSets(name, (name,), (), good, bad, groups={"group": name, "pair": "bad - good"})
            for name in ("sailors", "bakers")
        ),
    ]
    words = {*flowers, *insects, *good, *bad, "sailors", "bakers"}
    contexts = {word: tuple(_said(frame, word) for frame in _FRAMES) for word in words}
    return Dataset(
        "ceat sample",
        "1",
        Draws(tests, contexts, draws=6),
        "made up",
        "Apache-2.0",
        labels=labels_of_tests(tests),
    )


def _said(frame: str, word: str) -> Passage:
    at = frame.index("{}")
    return Passage(frame.format(word), (at, at + len(word)))


GUO2021 = Convention(
    "guo2021",
    summary="As the published script: a word's vector is that of its last piece, contexts are nine "
    "words long, and the test is one-sided (X is closer to A). Unlike in the script, special "
    "tokens are kept.",
    source="Guo and Caliskan 2021, github.com/weiguowilliam/CEAT",
    rules=("last_piece",),
    settings={"longest": "9"},
)
CONVENTIONS = (PAPER, GUO2021)
_READ = ("effect", "variance")


def _combined(convention: str, infer: Infer) -> tuple[Measure, Measure]:
    """The pooled effect of tests of two groups, and that of each cell of a matrix of groups by traits."""
    return (
        Measure(
            "combined_effect",
            metrics.combined_effect,
            _READ,
            UNIT,
            infer=infer,
            neutral=0,
            over=(("test",),),
            conventions=(convention,),
            comparison=Comparison(
                metrics.compare_combined_effects,
                meaning=Meaning("Difference of combined effect sizes", "difference"),
                over=(("test",),),
                same=("corpus", "draws", "contexts", "longest", "drawn"),
            ),
            summary="The combined effect size: each draw's effect size, pooled over draws of "
            "contexts by a random-effects model. Above 0, X is closer to A and Y to B; below 0 it "
            "is the reverse. Interval and p are about draws of contexts of these words only: with "
            "more draws both shrink.",
            meaning=Meaning(
                "Combined effect size",
                counts="draws",
                sides=("X closer to B, Y to A", "X closer to A, Y to B"),
                neutral_is="no difference",
            ),
        ),
        Measure(
            "association",
            metrics.combined_effect,
            _READ,
            UNIT,
            infer=infer,
            neutral=0,
            over=(("group", "pair"),),
            conventions=(convention,),
            comparison=None,  # two matrices are compared as a whole
            adjustment="Benjamini–Hochberg",
            summary="A cell's combined effect size: above 0 the group is closer to the right "
            "trait, below 0 to the left one.",
            meaning=Meaning(
                "Association",
                counts="draws",
                sides=("left trait", "right trait"),
                neutral_is="no leaning",
            ),
        ),
    )


_OF_LISTS = replace(
    OF_LISTS,
    metric=metrics.lowest_over_lists,
    columns=(*_READ, LIST),
    where={},
    rests_on=metrics.lists_counted,
)
OTHER_LISTS: tuple[Measure, ...] = (
    _OF_LISTS,
    replace(
        _OF_LISTS,
        name="highest_over_lists",
        metric=metrics.highest_over_lists,
        summary="The highest, in the same way.",
        meaning=replace(
            OF_LISTS.meaning, title="Highest effect size over lists", short="highest over lists"
        ),
    ),
    replace(
        _OF_LISTS,
        name="effect_size_of_list",
        metric=metrics.combined_effect,
        columns=_READ,
        infer=metrics.infer_effect_of_list,
        over=((TEST, LIST),),
        rests_on=None,
        summary="The combined effect size of a test with each list. The interval is for other "
        "contexts of the same words.",
        meaning=replace(
            OF_LISTS.meaning, title="Effect size by list", short="effect", counts="draws"
        ),
    ),
)
MEASURES: tuple[Measure, ...] = (
    *_combined(PAPER.name, metrics.infer_combined_effect),
    *_combined(GUO2021.name, partial(metrics.infer_combined_effect, alternative="greater")),
    Measure(
        "effect_spread",
        metrics.spread_between_draws,
        ("effect",),
        UNIT,
        infer=infer_nothing,
        neutral=0,
        over=(("test",),),
        comparison=None,
        summary="The standard deviation of the effect sizes over draws: how much depends on the "
        "contexts.",
        meaning=Meaning(
            "Spread of effect sizes over draws",
            role="description",
            counts="draws",
            magnitude=True,
            caution="The standard deviation of a test's effect sizes over draws of contexts.",
        ),
    ),
    *OTHER_LISTS,
)
STUDY = Study(
    name="ceat",
    title="CEAT: association between words in sentences of a corpus",
    version="2",
    group="associations",
    asks="Words near a group, in texts",
    run_needs="--set corpus=PATH",
    source="Guo and Caliskan 2021, Detecting Emergent Intersectional Biases: Contextualized Word "
    "Embeddings Contain a Distribution of Human-like Biases, doi:10.1145/3461702.3462536; of one "
    "group: Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, Theory-Grounded Measurement of U.S. "
    "Social Stereotypes in English Language Models, doi:10.18653/v1/2022.naacl-main.92",
    measures_what="Whether words for one group (X) are closer to some attributes (A) than to "
    "others (B), more so than words for another group (Y) are, where the model reads them in "
    "sentences that people wrote. Each draw takes a sentence for every word; the combined effect "
    "size averages over many. 0 is no difference. For one group: whether it is closer to one trait "
    "than to its opposite.",
    not_what="It does not show what a model does with its vectors. p says whether other contexts "
    "of these same words would give an effect of the same sign on average; with enough draws "
    "almost any effect has a small p, and it says nothing about other words. Numbers from "
    "different corpora are not comparable, nor are those of different models.",
    scope=Scope("draws of contexts from the same sentences", fixed=("the words of each test",)),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    views=(
        Matrix(
            measure="association",
            rows="group",
            columns="pair",
            domains=MatrixDomains(rows="domain", columns="dimension"),
            called=("groups", "pairs of traits"),
            selects=("groups",),
        ),
        *VIEWS,
    ),
    conventions=CONVENTIONS,
    settings=SETTINGS,
    reads=is_readable,
    data=(WEAT, STARTER_WORDS, GroupFile.packaged[0]),
    validity=VALIDITY,
)
