"""What WEAT and SEAT share: they differ in their tests, of words or of sentences, and in nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tiltmeter.core.items import Dataset, Target, WordSets
from tiltmeter.core.protocols import EmbedsStart
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import PAPER, Comparison, Infer, Measure, Setting, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.associations.word_set_sources import in_one_line, packaged_tests, read_source
from tiltmeter.data.associations.word_sets import has_tests
from tiltmeter.families.association_test_names import labels_of_tests
from tiltmeter.metrics import effects, mean_absolute_effect
from tiltmeter.metrics.association import effect_size
from tiltmeter.scoring.embedding import LOWERCASE, RULES
from tiltmeter.scoring.keywords import clusters_of, is_sentence

WORDS = StudyWords.beside(__file__)

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
    items = [item for test in sets for item in targets_of(test)]
    return replace(
        about,
        items=items,
        clusters="word" if any(item.cluster for item in items) else "",
        about={"tests": f"{len(sets)}", **{t.name: in_one_line(t) for t in sets}, **about.about},
        labels=labels_of_tests(sets),
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


CONVENTIONS = (
    PAPER,
    replace(WORDS.conventions[0], needs={"bare_first_piece": EmbedsStart}, quirks=(LOWERCASE,)),
    WORDS.conventions[1],
)
ONE_SIDED = tuple(c.name for c in CONVENTIONS if c is not PAPER)
TWO_SIDED = (PAPER.name,)
UNIT = "standard deviations"
_READ = ("association", "side")
EFFECTS_APART = Comparison(
    effects.compare_effect_sizes,
    meaning=Meaning("Difference of effect sizes", "difference"),
    over=(("test",),),
)


def _effect(conventions: tuple[str, ...], infer: Infer, name: str = "effect_size") -> Measure:
    return Measure(
        name,
        effect_size,
        _READ,
        UNIT,
        infer=infer,
        neutral=0,
        over=(("test",),),
        clustered=name != "effect_size",
        conventions=conventions,
        comparison=EFFECTS_APART if name == "effect_size" else None,
        **WORDS[name],
    )


MEASURES: tuple[Measure, ...] = (
    _effect(TWO_SIDED, effects.infer_effect_size),
    _effect(ONE_SIDED, partial(effects.infer_effect_size, alternative="greater")),
    _effect(TWO_SIDED, effects.infer_effect_size_clustered, "effect_size_clustered"),
    _effect(
        ONE_SIDED,
        partial(effects.infer_effect_size_clustered, alternative="greater"),
        "effect_size_clustered",
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
        **WORDS["mean_absolute_effect"],
    ),
)
association_study = partial(
    Study,
    version="2",
    rules=RULES,
    measures=MEASURES,
    categories="family",
    conventions=CONVENTIONS,
    settings=(TESTS,),
    reads=has_tests,
)
"""WEAT or SEAT; what differs is given by name."""
