"""What CEAT reads: association tests of words, and sentences of a corpus that hold them.

Tests are published, packaged or a file's, of two groups as in WEAT; or of one group at a time, from a
file of groups and pairs of opposite traits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset, WordSets
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.associations.published_lists import PublishedLists, published_lists
from tiltmeter.data.associations.word_set_sources import in_one_line, read_source
from tiltmeter.data.associations.word_sets import has_tests
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import Said, chosen
from tiltmeter.data.hub import hub_files
from tiltmeter.studies.ceat.draws import MOST_AT_ONCE, Draw, Draws
from tiltmeter.studies.ceat.occurrences import Occurrences, occurrences
from tiltmeter.study_families.association_test_names import labels_of_tests
from tiltmeter.study_families.association_tests import STARTER_WORDS, TESTS, WEAT
from tiltmeter.study_families.other_lists import (
    LIST,
    LISTS,
    OWN,
    TEST,
    each_with_other_lists,
    labels_with_lists,
)

SETTINGS = (
    Setting(
        "corpus",
        default="",
        summary="Required: the text in which words are looked up, a file or a folder.",
    ),
    TESTS,
    LISTS,
    Setting(
        "groups",
        default="",
        summary="With a file of groups: only these, separated by commas (default: all).",
    ),
    Setting(
        "draws",
        default="1000",
        summary="Draws of a context for every word. Guo and Caliskan's paper says 10,000, their "
        "script uses 1,000.",
    ),
    Setting(
        "contexts", default="1000", summary="The most contexts kept per word, drawn at random."
    ),
    Setting(
        "longest",
        default="64",
        summary="The most words in a context; longer ones are cut around the word.",
    ),
    Setting(
        "variance",
        default="associations",
        summary="The variance that weights a draw: that of its associations, as in the paper, or "
        "the sampling variance of an effect size, as in meta-analyses.",
        choices=("associations", "effect_size"),
    ),
    Setting("drawn", default="0", summary="Seed of the draw of contexts."),
)
UNDEFINED = "has no value:"
"""Part of every note on a group or trait that is not scored, by which such notes are recognised."""


def load(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[Draw]:
    """Draws of contexts for the words of association tests: published, packaged or from a file of the user's.

    Words that do not occur in the corpus leave their set. Errors as of `read_source` and `occurrences`, and
    BadInput where no test is left or so many draws are asked for that it must be a mistake.
    """
    values = with_defaults(SETTINGS, settings)
    if not values["corpus"]:
        reason = "ceat reads words in sentences of a corpus, and none is named"
        raise BadInput(reason, "name a text file or a folder with --set corpus=PATH")
    draws, most, longest, seed = (
        _number(values, name, least)
        for name, least in (("draws", 1), ("contexts", 1), ("longest", 1), ("drawn", 0))
    )
    about, tests = _tests(source, values, skip_invalid=skip_invalid, encoding=encoding)
    listed: list[str] = []
    if values[LISTS.name]:
        lists = published_lists(values[LISTS.name], encoding)
        tests, listed = _with_lists(tests, lists)
        about = replace(about, about={**about.about, "published lists": lists.about})
    words = dict.fromkeys(word for t in tests for some in (t.x, t.y, t.a, t.b) for word in some)
    path = Path(hub_files.local(values["corpus"]))
    corpus = occurrences(path, words, most=most, longest=longest, seed=seed, encoding=encoding)
    kept, notes, problems = occurring(tests, corpus)
    stop_at(problems, "tests", skip_invalid=skip_invalid)
    if not kept:
        first = next((n for n in notes if UNDEFINED in n), problems[0] if problems else "no test")
        reason = f"nothing is left: {str(first).rstrip('.')}"
        way_out = "give a larger corpus, one in their language, or each trait several words"
        raise BadInput(reason, way_out, file=corpus.name)
    if draws * len(kept) > MOST_AT_ONCE:
        reason = (
            f"{counted(draws, 'draws')} of {counted(len(kept), 'tests')} exceed the limit of "
            f"{MOST_AT_ONCE:,}"
        )
        raise BadInput(reason, "ask for fewer with --set draws=NUMBER")
    return replace(
        about,
        items=Draws(kept, corpus.contexts, draws=draws, seed=seed),
        invalid=(*about.invalid, *problems),
        notes=(*about.notes, *notes_of("data", listed), *notes_of("coverage", notes)),
        about={
            **about.about,
            **_about(kept),
            "corpus": f"{corpus.name}, {counted(corpus.sentences, 'sentences')}, SHA-256 {corpus.sha256}",
            "draws of each": f"{draws:,}",
        },
        labels=labels_with_lists(labels_of_tests(_own(kept))),
    )


def _with_lists(
    tests: Sequence[WordSets], lists: PublishedLists
) -> tuple[list[WordSets], list[str]]:
    """Each test, followed by the same with each published list; and what is to be said of them."""
    others, notes = each_with_other_lists(tests, lists)
    made: list[WordSets] = []
    for test, other in zip(tests, others, strict=True):
        made.append(replace(test, groups={**test.groups, TEST: test.name, LIST: OWN}))
        made += [
            replace(variant, groups={TEST: test.name, LIST: name})
            for name, variant in other.tests.items()
        ]
    return made, notes


def _own(tests: Sequence[WordSets]) -> list[WordSets]:
    """The tests with their own lists."""
    return [test for test in tests if test.groups.get(LIST, OWN) == OWN]


def _number(settings: Mapping[str, str], name: str, least: int) -> int:
    """A setting that is a whole number.

    >>> _number({"draws": "10,000"}, "draws", 1)
    10000
    """
    text = settings[name].replace(",", "").replace("_", "")
    if not (text.isascii() and text.isdigit() and least <= int(text) <= MOST_AT_ONCE):
        reason = (
            f"--set {name}={settings[name]} is not a whole number from {least} to {MOST_AT_ONCE:,}"
        )
        raise BadInput(reason, f"write --set {name}=100")
    return int(text)


def _tests(
    source: str | Path | None, values: Mapping[str, str], *, skip_invalid: bool, encoding: str
) -> tuple[Dataset[Draw], list[WordSets]]:
    """The tests as they are published or written, and a data set that names their source but has no items."""
    place = (
        source
        if source is None
        else choose(source, "", (WEAT, STARTER_WORDS, GroupFile.packaged[0]))
    )
    if place == GroupFile.packaged[0] or (
        isinstance(place, Path) and place.suffix.lower() == ".toml"
    ):
        file = GroupFile.named(place, encoding=encoding)
        about: Dataset[Draw] = Dataset(
            file.name, file.version, (), file.source, file.licence, file.sha256, file.warning
        )
        return about, tests_of_groups(file, values["groups"])
    about, tests = read_source(
        source, (WEAT,), STARTER_WORDS,
        skip_invalid=skip_invalid, encoding=encoding, tests=values["tests"],
    )  # fmt: skip
    return about, [replace(test, groups=_axes(test)) for test in tests]


def _axes(test: WordSets) -> dict[str, str]:
    return {"test": test.name, **({"family": test.family} if test.family else {})}


def tests_of_groups(file: GroupFile, names: str) -> list[WordSets]:
    """A test for each group and pair of traits: is the group closer to the right trait than to the left?

    `names` are groups, separated by commas; "" for all.
    """
    return [
        WordSets(
            f"{group.name}|{pair.name}",
            tuple(dict.fromkeys(group.forms.values())),
            (),
            _words(pair.right, pair.more_right),
            _words(pair.left, pair.more_left),
            groups={"group": group.name, "pair": pair.name}
            | {k: v for k, v in (("domain", group.domain), ("dimension", pair.dimension)) if v},
        )
        for group in chosen("group", file.groups, names)
        for pair in file.pairs
    ]


def _words(first: Said, more: Said) -> tuple[str, ...]:
    """All adjectives for a trait, in all their forms."""
    forms = (*first.values(), *more.values())
    return tuple(dict.fromkeys(word for words in forms for word in words))


def occurring(
    tests: Sequence[WordSets], corpus: Occurrences
) -> tuple[list[WordSets], list[str], list[Problem]]:
    """The tests with the words that occur in a corpus, notes on words and cells left out, and problems.

    Tests of two groups that lose a whole set are problems. Of groups by traits a group or trait without
    words has no value, and a note that contains `UNDEFINED` says so; such notes come first.
    """
    kept, problems = [], []
    notes: dict[str, None] = {}
    for test in tests:
        of = {"X": test.x, "Y": test.y, "A": test.a, "B": test.b}
        left = {name: tuple(w for w in words if corpus.counts[w]) for name, words in of.items()}
        empty = [name for name, words in of.items() if words and not left[name]]
        whole = "group" in test.groups
        for name, words in of.items():
            gone = [w for w in words if not corpus.counts[w]]
            if gone and not (whole and empty):
                notes[_without(test, name, gone, len(words))] = None
        if empty and whole:
            what = test.groups["group" if "X" in empty else "pair"]
            notes[f"{what} {UNDEFINED} its words do not occur in the corpus."] = None
        elif whole and len(left["A"]) == len(left["B"]) == 1:
            notes[_constant(test, left)] = None
        elif empty:
            reason = f"{test.name}: no word of {' or '.join(empty)} occurs in {corpus.name}"
            problems.append(Problem(reason, "give a larger corpus", item=test.name))
        else:
            kept.append(replace(test, x=left["X"], y=left["Y"], a=left["A"], b=left["B"]))
    unscored = [note for note in notes if UNDEFINED in note]
    return kept, [*unscored, *(n for n in notes if n not in unscored)], problems


def _without(test: WordSets, name: str, gone: Sequence[str], of: int) -> str:
    shown = ", ".join(repr(word) for word in gone[:8]) + (", …" if len(gone) > 8 else "")  # noqa: PLR2004
    set_ = f"{test.name}: {name}"
    if "group" in test.groups:
        pole = {"A": "right", "B": "left"}.get(name, "")
        set_ = f"{test.groups['pair']}: {pole} trait" if pole else test.groups["group"]
    return f"{set_} leaves out {len(gone)} of {of} words that do not occur in the corpus: {shown}."


def _constant(test: WordSets, left: Mapping[str, Sequence[str]]) -> str:
    """The note on a pair with one word for each trait: two values are always √2 standard deviations apart."""
    return (
        f"{test.groups['pair']} {UNDEFINED} the corpus has only one word for each trait ({left['B'][0]!r}, "
        f"{left['A'][0]!r}), so the value would be √2 or −√2 whatever the model."
    )


def _about(tests: Sequence[WordSets]) -> dict[str, str]:
    groups = dict.fromkeys(t.groups["group"] for t in tests if "group" in t.groups)
    if groups:
        pairs = dict.fromkeys(t.groups["pair"] for t in tests)
        return {"groups": str(len(groups)), "pairs of traits": str(len(pairs))}
    own = _own(tests)
    return {"tests": str(len(own)), **{t.name: in_one_line(t) for t in own}}


def is_readable(path: Path, encoding: str) -> bool:
    """Whether a file looks like one of word sets, or of groups and pairs of traits."""
    return has_tests(path, encoding) or has_tables(path, encoding, names=("groups", "pairs"))
