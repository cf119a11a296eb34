"""CEAT: association tests with words in sentences of a corpus.

Tests of two groups as in WEAT; or of one group at a time with pairs of opposite traits, which give a
matrix of groups by traits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tiltmeter.core.conventions import PAPER, with_defaults
from tiltmeter.core.draws import Draw
from tiltmeter.core.errors import BadInput, stop_at
from tiltmeter.core.items import Dataset, WordSets
from tiltmeter.core.measures import Comparison, Infer, Measure
from tiltmeter.core.requests import Passage
from tiltmeter.core.results import Meaning, notes_of
from tiltmeter.core.study import Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.associations.corpus_tests import (
    MOST_AT_ONCE,
    UNDEFINED,
    Draws,
    occurring,
    tests_of_groups,
)
from tiltmeter.data.associations.word_set_sources import in_one_line, read_source
from tiltmeter.data.associations.word_sets import has_tests
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.hub import hub_files
from tiltmeter.data.texts.occurrences import occurrences
from tiltmeter.families.association_test_names import labels_of_tests
from tiltmeter.families.association_tests import TESTS, UNIT
from tiltmeter.metrics import contextual
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.contextual import RULES

WORDS = StudyWords.beside(__file__)

NAME, STARTER, WEAT = "ceat", "starter_words", "weat"
SETTINGS = (*WORDS.settings[:1], TESTS, *WORDS.settings[1:])


def load(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[Draw]:
    """Draws of contexts for tests of words, published, packaged or a file's, or groups by traits."""
    chosen = with_defaults(SETTINGS, settings)
    if not chosen["corpus"]:
        reason = "ceat reads words in sentences of a corpus, and none is named"
        raise BadInput(reason, "name a text file or a folder with --set corpus=PATH")
    draws, most, longest, seed = (
        _number(chosen, name, least)
        for name, least in (("draws", 1), ("contexts", 1), ("longest", 1), ("drawn", 0))
    )
    about, tests = _tests(source, chosen, skip_invalid=skip_invalid, encoding=encoding)
    words = dict.fromkeys(word for t in tests for some in (t.x, t.y, t.a, t.b) for word in some)
    path = Path(hub_files.local(chosen["corpus"]))
    corpus = occurrences(path, words, most=most, longest=longest, seed=seed, encoding=encoding)
    kept, notes, problems = occurring(tests, corpus)
    stop_at(problems, "tests", skip_invalid=skip_invalid)
    if not kept:
        first = next((n for n in notes if UNDEFINED in n), problems[0] if problems else "no test")
        reason = f"nothing is left: {str(first).rstrip('.')}"
        way_out = "give a larger corpus, one in their language, or each trait several words"
        raise BadInput(reason, way_out, file=corpus.name)
    if draws * len(kept) > MOST_AT_ONCE:
        reason = f"{draws:,} draws of {len(kept):,} tests exceed the limit of {MOST_AT_ONCE:,}"
        raise BadInput(reason, "ask for fewer with --set draws=NUMBER")
    return replace(
        about,
        items=Draws(kept, corpus.contexts, draws=draws, seed=seed),
        invalid=(*about.invalid, *problems),
        notes=(*about.notes, *notes_of("coverage", notes)),
        about={
            **_about(kept),
            "corpus": f"{corpus.name}, {corpus.sentences:,} sentences, SHA-256 {corpus.sha256}",
            "draws of each": f"{draws:,}",
        },
        labels=labels_of_tests(kept),
    )


def _tests(
    source: str | Path | None, chosen: Mapping[str, str], *, skip_invalid: bool, encoding: str
) -> tuple[Dataset[Draw], list[WordSets]]:
    """The tests before any word is looked up, and a data set with their source but no items."""
    place = source if source is None else choose(source, "", (WEAT, STARTER, GroupFile.packaged[0]))
    if place == GroupFile.packaged[0] or (
        isinstance(place, Path) and place.suffix.lower() == ".toml"
    ):
        file = GroupFile.named(place, encoding=encoding)
        about: Dataset[Draw] = Dataset(
            file.name, file.version, (), file.source, file.licence, file.sha256, file.warning
        )
        return about, tests_of_groups(file, chosen["groups"])
    about, tests = read_source(
        source, (WEAT,), STARTER,
        skip_invalid=skip_invalid, encoding=encoding, tests=chosen["tests"],
    )  # fmt: skip
    return about, [replace(test, groups=_axes(test)) for test in tests]


def _number(settings: Mapping[str, str], name: str, least: int) -> int:
    text = settings[name].replace(",", "").replace("_", "")
    if not (text.isascii() and text.isdigit() and least <= int(text) <= MOST_AT_ONCE):
        reason = (
            f"--set {name}={settings[name]} is not a whole number from {least} to {MOST_AT_ONCE:,}"
        )
        raise BadInput(reason, f"write --set {name}=100")
    return int(text)


def _axes(test: WordSets) -> dict[str, str]:
    return {"test": test.name, **({"family": test.family} if test.family else {})}


def _about(tests: Sequence[WordSets]) -> dict[str, str]:
    groups = dict.fromkeys(t.groups["group"] for t in tests if "group" in t.groups)
    if groups:
        pairs = dict.fromkeys(t.groups["pair"] for t in tests)
        return {"groups": str(len(groups)), "pairs of traits": str(len(pairs))}
    return {"tests": str(len(tests)), **{t.name: in_one_line(t) for t in tests}}


_FRAMES = ("I saw {} today.", "They spoke of {} again.", "There was {} on the table.")


def _reads(path: Path, encoding: str) -> bool:
    return has_tests(path, encoding) or has_tables(path, encoding, names=("groups", "pairs"))


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
        f"{NAME} sample",
        "1",
        Draws(tests, contexts, draws=6),
        "made up",
        "Apache-2.0",
        labels=labels_of_tests(tests),
    )


def _said(frame: str, word: str) -> Passage:
    at = frame.index("{}")
    return Passage(frame.format(word), (at, at + len(word)))


CONVENTIONS = (PAPER, *WORDS.conventions)
_READ = ("effect", "variance")


def _combined(convention: str, infer: Infer) -> tuple[Measure, Measure]:
    return (
        Measure(
            "combined_effect",
            contextual.combined_effect,
            _READ,
            UNIT,
            infer=infer,
            neutral=0,
            over=(("test",),),
            conventions=(convention,),
            comparison=Comparison(
                contextual.compare_combined_effects,
                meaning=Meaning("Difference of combined effect sizes", "difference"),
                over=(("test",),),
                same=("corpus", "draws", "contexts", "longest", "drawn"),
            ),
            **WORDS["combined_effect"],
        ),
        Measure(
            "association",
            contextual.combined_effect,
            _READ,
            UNIT,
            infer=infer,
            neutral=0,
            over=(("group", "pair"),),
            conventions=(convention,),
            comparison=None,  # two matrices are compared as a whole
            adjustment="Benjamini–Hochberg",
            **WORDS["association"],
        ),
    )


MEASURES: tuple[Measure, ...] = (
    *_combined("paper", contextual.infer_combined_effect),
    *_combined("guo2021", partial(contextual.infer_combined_effect, alternative="greater")),
    Measure(
        "effect_spread",
        contextual.spread_between_draws,
        ("effect",),
        UNIT,
        infer=infer_nothing,
        neutral=0,
        over=(("test",),),
        comparison=None,
        **WORDS["effect_spread"],
    ),
)

STUDY = Study(
    **WORDS.study,
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    views=WORDS.views,
    conventions=CONVENTIONS,
    settings=SETTINGS,
    reads=_reads,
    data=(WEAT, STARTER, GroupFile.packaged[0]),
)
