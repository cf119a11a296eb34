"""What WEAT and SEAT share: they differ in their tests, of words or of sentences, and in nothing else."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.items import Dataset, Target, WordSets
from tiltmeter.core.protocols import EmbedsStart
from tiltmeter.core.results import Meaning, notes_of
from tiltmeter.core.study import PAPER, Comparison, Convention, Infer, Measure, Setting
from tiltmeter.data.pairs import choose, given, registered
from tiltmeter.data.registry import Located, locate
from tiltmeter.data.word_sets import SUFFIXES, WordSetReading, in_order, read_tests
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.effects import (
    compare_effect_sizes,
    infer_effect_size,
    infer_effect_size_clustered,
)
from tiltmeter.metrics.mean_absolute_effect import (
    compare_mean_absolute_effects,
    infer_mean_absolute_effect,
    mean_absolute_effect,
)
from tiltmeter.scoring.embedding import LOWERCASE
from tiltmeter.scoring.keywords import clusters_of, is_sentence
from tiltmeter.studies._plain_names import labels_of_tests

TESTS = Setting(
    "tests",
    "",
    "Only these tests, by name or by family (gender, race, religion, …), separated by commas; all "
    "without it.",
)
CALISKAN = (
    "Caliskan, Bryson and Narayanan 2017, Semantics derived automatically from language corpora contain "
    "human-like biases, doi:10.1126/science.aal4230"
)
MAY = (
    "May, Wang, Bordia, Bowman and Rudinger 2019, On Measuring Social Biases in Sentence Encoders, "
    "doi:10.18653/v1/N19-1063"
)
STARTERS = {"starter_words": "words.json", "starter_sentences": "sentences.json"}
"""Tests that come with the package: the data set's name and its file."""


def load_tests(
    source: str | Path | None,
    default: Sequence[str],
    starter: str,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    tests: str = "",
) -> Dataset[Target]:
    """The targets of association tests; arguments and errors as in `read_source`."""
    about, found = read_source(
        source, default, starter, skip_invalid=skip_invalid, encoding=encoding, tests=tests
    )
    items = [item for test in found for item in targets_of(test)]
    return replace(
        about,
        items=items,
        clusters="word" if any(item.cluster for item in items) else "",
        about={"tests": f"{len(found)}", **{t.name: said(t) for t in found}, **about.about},
        labels=labels_of_tests(found),
    )


def read_source(
    source: str | Path | None,
    default: Sequence[str],
    starter: str,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    tests: str = "",
) -> tuple[Dataset[Any], list[WordSets]]:
    """Association tests, and a data set with their source but no items yet.

    Args:
        source: A registered set, `starter`, or a file, folder or archive of the user's; None for all of
            `default`.
        default: Registered sets.
        starter: The packaged tests.
        skip_invalid: Leave out tests that cannot be used.
        encoding: Of the user's files.
        tests: Names of tests or families, separated by commas; "" for all.

    Raises:
        BadInput: A file cannot be read, or contains no tests.
        BadItems: Some tests cannot be used.
        UnknownName: A named test does not exist.
    """
    chosen = [choose(source, "", (*default, starter))] if source is not None else [*default]
    found: list[tuple[Dataset[Any], WordSetReading]] = []
    for one in chosen:
        if isinstance(one, Path):
            reading = read_tests(one, skip_invalid=skip_invalid, encoding=encoding)
            found.append((given(one, files_at(one)), reading))
        else:
            found.append(_packaged(one) if one == starter else _registered(locate(one)))
    about = found[0][0] if len(found) == 1 else _together([data for data, _ in found])
    problems = [problem for _, reading in found for problem in reading.problems]
    notes = [note for _, reading in found for note in reading.notes]
    if problems:
        left_out = len({problem.item for problem in problems})
        some = "1 test was" if left_out == 1 else f"{left_out} tests were"
        notes.append(f"{some} left out because they cannot be used; see the list.")
    everything = [test for _, reading in found for test in reading.tests]
    return replace(about, invalid=problems, notes=notes_of("data", notes)), chosen_tests(
        everything, tests
    )


def files_at(path: Path) -> list[Path]:
    """The data files: the file itself, or those of a folder that are read."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.iterdir() if p.is_file() and p.suffix.lower() in SUFFIXES)


def _packaged(name: str) -> tuple[Dataset[Any], WordSetReading]:
    with ExitStack() as stack:
        packaged = resources.files("tiltmeter.data") / "starter" / "association" / STARTERS[name]
        path = stack.enter_context(resources.as_file(packaged))
        about, reading = given(path, [path]), read_tests(path)
    return replace(
        about,
        name=name,
        version="1",
        source="The Tiltmeter authors; part of the package (tiltmeter/data/starter/association)",
        licence="CC BY 4.0",
        warning="The sets stand for common stereotypes, in mild words, in order to measure them.",
    ), reading


def _registered(located: Located) -> tuple[Dataset[Any], WordSetReading]:
    reading = WordSetReading()
    for path in sorted(located.files.values(), key=lambda p: in_order(p.name)):
        one = read_tests(path)
        reading.tests += one.tests

        reading.notes += one.notes
    return registered(located), reading


def _together(sets: Sequence[Dataset[Any]]) -> Dataset[Any]:
    """The facts about several sets that are read as one."""
    sums = "".join(f"{one}\n" for one in sorted(data.sha256 for data in sets))
    return Dataset(
        " and ".join(data.name for data in sets),
        "; ".join(dict.fromkeys(data.version for data in sets)),
        (),
        "; ".join(data.source for data in sets),
        "; ".join(f"{data.name}: {data.licence}" for data in sets),
        sha256=hashlib.sha256(sums.encode()).hexdigest(),
        warning=" ".join(dict.fromkeys(data.warning for data in sets if data.warning)),
    )


def chosen_tests(tests: Sequence[WordSets], names: str) -> list[WordSets]:
    """The tests named by `names`, by their own name or their family's; all if it names none.

    Raises:
        UnknownName: A name is neither.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        return list(tests)
    known = {test.name for test in tests} | {test.family for test in tests if test.family}
    for name in wanted:
        if name not in known:
            raise UnknownName("association test", name, known)
    return [test for test in tests if test.name in wanted or test.family in wanted]


def said(test: WordSets) -> str:
    """A test in one line: its sets with their sizes.

    >>> said(WordSets("t", ("rose",), ("ant",), ("joy",), ("war",), ("Flowers", "Insects", "Good", "Bad")))
    'Flowers (1) and Insects (1) by Good (1) and Bad (1)'
    """
    x, y, a, b = (
        f"{name} ({len(texts)})"
        for name, texts in zip(test.names, (test.x, test.y, test.a, test.b), strict=True)
    )
    family = f"; family {test.family}" if test.family else ""
    return f"{x} and {y} by {a} and {b}{family}"


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
    about, reading = _packaged(starter)
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


def named_tests(settings: Mapping[str, str] | None) -> str:
    """What the setting `tests` says."""
    return (settings or {}).get(TESTS.name, TESTS.default)


CONVENTIONS = (
    PAPER,
    Convention(
        "may2019",
        "As SEAT's published script: BERT reads the lower-cased text without special tokens, and the text's "
        "vector is that of its first piece; the permutation test is one-sided (X is closer to A).",
        "May et al. 2019, github.com/W4ngatang/sent-bias",
        rules=("bare_first_piece", "sentence_vector"),
        needs={"bare_first_piece": EmbedsStart},
        quirks=(LOWERCASE,),
    ),
    Convention(
        "meade2022",
        "As bias-bench: the mean over all tokens, including special ones; the permutation test is "
        "one-sided; it reports the mean of absolute effect sizes.",
        "Meade et al. 2022, github.com/McGill-NLP/bias-bench",
        rules=("mean_pool",),
    ),
)
ONE_SIDED = tuple(c.name for c in CONVENTIONS if c is not PAPER)
TWO_SIDED = (PAPER.name,)
UNIT = "standard deviations"
_READ = ("association", "side")
_WHICH = "Above 0, X is closer to A and Y to B; below 0 it is the reverse."
_EFFECT = (
    "The effect size: the mean association (with A less with B) of the targets in X, less that of those in "
    f"Y, in standard deviations of all targets' associations. {_WHICH}"
)


EFFECT = Meaning(
    "Effect size",
    counts="targets",
    sides=("X closer to B, Y to A", "X closer to A, Y to B"),
    neutral_is="no difference",
)
BY_WORDS = replace(
    EFFECT,
    title="Effect size, interval and test by words",
    variant_of="effect_size",
    caution="The same values, with intervals and tests by words. Sentences about one word are nearly the "
    "same and not independent, so this is the picture to rely on.",
)


EFFECTS_APART = Comparison(
    compare_effect_sizes,
    meaning=Meaning("Difference of effect sizes", "difference"),
    over=(("test",),),
)


def _effect(conventions: tuple[str, ...], infer: Infer, name: str = "effect_size") -> Measure:
    return Measure(
        name,
        effect_size,
        _READ,
        infer,
        UNIT,
        neutral=0,
        summary=_EFFECT,
        over=(("test",),),
        clustered=name != "effect_size",
        conventions=conventions,
        meaning=EFFECT if name == "effect_size" else BY_WORDS,
        comparison=EFFECTS_APART if name == "effect_size" else None,
    )


MEASURES: tuple[Measure, ...] = (
    _effect(TWO_SIDED, infer_effect_size),
    _effect(ONE_SIDED, partial(infer_effect_size, alternative="greater")),
    _effect(TWO_SIDED, infer_effect_size_clustered, "effect_size_clustered"),
    _effect(
        ONE_SIDED,
        partial(infer_effect_size_clustered, alternative="greater"),
        "effect_size_clustered",
    ),
    Measure(
        "mean_absolute_effect",
        mean_absolute_effect,
        (*_READ, "test"),
        infer_mean_absolute_effect,
        UNIT,
        neutral=0,
        summary="The mean of the absolute effect sizes of a family's tests. It is above 0 by chance alone; "
        "the value expected by chance is given with it.",
        over=(("family",),),
        meaning=Meaning(
            "Mean absolute effect size",
            counts="targets",
            neutral_is="no difference",
            magnitude=True,
        ),
        comparison=Comparison(
            compare_mean_absolute_effects,
            meaning=Meaning("Difference of mean absolute effect sizes", "difference"),
            over=(("family",),),
        ),
    ),
)
