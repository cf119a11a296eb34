"""Association tests of words or of sentences: how they are read, their conventions and their measures.

WEAT and SEAT differ in their tests and in nothing else; CEAT reads the same tests of words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tiltmeter.core.conventions import PAPER, Convention, Setting
from tiltmeter.core.data.items import Dataset, Target, WordSets
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Infer, Measure
from tiltmeter.core.model.protocols import EmbedsStart
from tiltmeter.core.results import notes_of
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.data.associations.published_lists import PublishedLists, published_lists
from tiltmeter.data.associations.word_set_sources import in_one_line, packaged_tests, read_source
from tiltmeter.data.associations.word_sets import has_tests
from tiltmeter.metrics import effects, mean_absolute_effect
from tiltmeter.metrics.association import effect_size
from tiltmeter.scoring.embedding import LOWERCASE, RULES
from tiltmeter.scoring.keywords import clusters_of, is_sentence
from tiltmeter.study_families import other_list_measures
from tiltmeter.study_families.association_test_names import labels_of_tests
from tiltmeter.study_families.other_lists import (
    LISTS,
    each_with_other_lists,
    items_with_other_lists,
    labels_with_lists,
)

WEAT, STARTER_WORDS = "weat", "starter_words"
"""Registered tests with single words: those of the paper, and those that come with the package."""
TESTS = Setting(
    "tests",
    "",
    "Only these tests, by name or by family (gender, race, religion, …), separated by commas; all "
    "without it.",
)


def load_tests(
    source: str | Path | None = None,
    *,
    default: Sequence[str],
    starter: str,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[Target]:
    """The targets of association tests; arguments and errors as in `read_source`.

    Without a source all sets of `default`: the published ones.
    """
    tests = (settings or {}).get(TESTS.name, TESTS.default)
    about, sets = read_source(
        source, default, starter, skip_invalid=skip_invalid, encoding=encoding, tests=tests
    )
    items = [targets_of(test) for test in sets]
    labels = labels_of_tests(sets)
    made = replace(
        about,
        items=[item for of_test in items for item in of_test],
        about={"tests": f"{len(sets)}", **{t.name: in_one_line(t) for t in sets}, **about.about},
        labels=labels,
    )
    if named := (settings or {}).get(LISTS.name, LISTS.default):
        made = _with_lists(made, items, published_lists(named, encoding))
    return replace(made, clusters="word" if any(item.cluster for item in made.items) else "")


def _with_lists(
    about: Dataset[Target], items: Sequence[Sequence[Target]], lists: PublishedLists
) -> Dataset[Target]:
    """The items of each test, its attributes, and its targets with each published list."""
    others, notes = each_with_other_lists([of_test[0].test for of_test in items], lists)
    return replace(
        about,
        items=[
            item
            for of_test, other in zip(items, others, strict=True)
            for item in items_with_other_lists(of_test, other)
        ],
        about={**about.about, "published lists": lists.about},
        labels=labels_with_lists(about.labels),
        notes=(*about.notes, *notes_of("data", notes)),
    )


def targets_of(test: WordSets) -> list[Target]:
    """The targets of a test, X before Y."""
    clusters = clusters_of(test, [t for t in (*test.x, *test.y) if is_sentence(t)])
    family = {"family": test.family} if test.family else {}
    return [
        Target(
            f"{test.name}/{side}/{i}",
            text,
            side,
            test,
            {"test": test.name, "side": side, "concept": concept, **family},
            clusters.get(text, ""),
        )
        for side, texts, concept in (("X", test.x, test.names[0]), ("Y", test.y, test.names[1]))
        for i, text in enumerate(texts, start=1)
    ]


def sample_of(starter: str, *, texts: int = 6) -> Dataset[Target]:
    """The first texts of each set of the packaged tests."""
    about, reading = packaged_tests(starter)
    tests = [
        replace(t, x=t.x[:texts], y=t.y[:texts], a=t.a[:texts], b=t.b[:texts])
        for t in reading.tests
    ]
    items = [item for test in tests for item in targets_of(test)]
    clusters = "word" if any(item.cluster for item in items) else ""
    return replace(
        about,
        name=f"{starter} sample",
        items=items,
        clusters=clusters,
        labels=labels_of_tests(tests),
    )


MAY2019 = Convention(
    "may2019",
    summary="As SEAT's published script: BERT reads the lower-cased text without special tokens, "
    "and the text's vector is that of its first piece; the permutation test is one-sided (X is "
    "closer to A).",
    source="May et al. 2019, github.com/W4ngatang/sent-bias",
    rules=("bare_first_piece", "sentence_vector"),
    needs={"bare_first_piece": EmbedsStart},
    quirks=(LOWERCASE,),
)
MEADE2022 = Convention(
    "meade2022",
    summary="As bias-bench: the mean over all tokens, including special ones; the permutation test "
    "is one-sided; it reports the mean of absolute effect sizes.",
    source="Meade et al. 2022, github.com/McGill-NLP/bias-bench",
    rules=("mean_pool",),
)
CONVENTIONS = (PAPER, MAY2019, MEADE2022)
# Published programs only test whether X is closer to A, not whether Y is.
ONE_SIDED = (MAY2019.name, MEADE2022.name)
TWO_SIDED = (PAPER.name,)
UNIT = "standard deviations"
SIDES = ("X closer to B, Y to A", "X closer to A, Y to B")
_READ = ("association", "side")
_EFFECT = (
    "The effect size: the mean association (with A less with B) of the targets in X, less that of "
    "those in Y, in standard deviations of all targets' associations. Above 0, X is closer to A "
    "and Y to B; below 0 it is the reverse."
)


def _effect(conventions: tuple[str, ...], infer: Infer) -> Measure:
    """The effect size of each test; `infer` tests both directions, or one as published programs do."""
    return Measure(
        "effect_size",
        effect_size,
        _READ,
        UNIT,
        infer=infer,
        neutral=0,
        over=(("test",),),
        conventions=conventions,
        comparison=Comparison(
            effects.compare_effect_sizes,
            meaning=Meaning("Difference of effect sizes", "difference"),
            over=(("test",),),
        ),
        summary=_EFFECT,
        meaning=Meaning("Effect size", counts="targets", sides=SIDES, neutral_is="no difference"),
    )


def _effect_by_words(conventions: tuple[str, ...], infer: Infer) -> Measure:
    return Measure(
        "effect_size_clustered",
        effect_size,
        _READ,
        UNIT,
        infer=infer,
        neutral=0,
        over=(("test",),),
        clustered=True,
        conventions=conventions,
        comparison=None,
        summary=_EFFECT,
        meaning=Meaning(
            "Effect size, interval and test by words",
            counts="targets",
            sides=SIDES,
            neutral_is="no difference",
            variant_of="effect_size",
            caution="The same values, with intervals and tests by words. Sentences about one word "
            "are nearly the same and not independent, so this is the picture to rely on.",
        ),
    )


MEASURES: tuple[Measure, ...] = (
    _effect(TWO_SIDED, effects.infer_effect_size),
    _effect(ONE_SIDED, partial(effects.infer_effect_size, alternative="greater")),
    _effect_by_words(TWO_SIDED, effects.infer_effect_size_clustered),
    _effect_by_words(
        ONE_SIDED, partial(effects.infer_effect_size_clustered, alternative="greater")
    ),
    Measure(
        "mean_absolute_effect",
        mean_absolute_effect.mean_absolute_effect,
        (*_READ, "test"),
        UNIT,
        infer=mean_absolute_effect.infer_mean_absolute_effect,
        neutral=0,
        over=(("family",),),
        comparison=Comparison(
            mean_absolute_effect.compare_mean_absolute_effects,
            meaning=Meaning("Difference of mean absolute effect sizes", "difference"),
            over=(("family",),),
        ),
        summary="The mean of the absolute effect sizes of a family's tests. It is above 0 by "
        "chance alone; the value expected by chance is given with it.",
        meaning=Meaning(
            "Mean absolute effect size",
            counts="targets",
            neutral_is="no difference",
            magnitude=True,
        ),
    ),
    *other_list_measures.MEASURES,
)
association_study = partial(
    Study,
    scope=Scope("target texts of the kind", fixed=("the attribute texts",)),
    rules=RULES,
    measures=MEASURES,
    categories="family",
    conventions=CONVENTIONS,
    settings=(TESTS, LISTS),
    views=other_list_measures.VIEWS,
    reads=has_tests,
)
"""A study of association tests: its name, texts, version and data are given as keyword arguments."""
