"""People's ratings of groups on pairs of traits: means, single ratings, and who was asked."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.data.downloads import registry
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import known_as
from tiltmeter.data.people.ratings import (
    PERCENT,
    Ratings,
    RatingScale,
    copies,
    depth,
    json_of,
    means,
    ratings_in,
    read_ratings,
)

US = "us_stereotypes"
OVERWRITTEN = {"women": ("poor - wealthy", "untrustworthy - trustworthy")}
"""In the published single ratings of `us_stereotypes`, these columns are copies of "egoistic -
altruistic". The published means show what they were before; `copies` finds them."""
NAMED = 3
"""Answers given by fewer annotators than this are counted but not named."""
UNLINKED = (
    "the published file of annotators has other ids than the ratings, on purpose, so that nobody can be "
    "traced: results by gender, race or age cannot be had from it"
)


@dataclass(frozen=True, slots=True)
class People:
    """People's mean ratings of groups, from 0 (left trait) through 50 (neither) to 100 (right trait)."""

    name: str
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    """Each "left - right"."""
    values: Array
    """The means over people, shape (groups, pairs); NaN where nobody was asked."""
    counts: Array
    """The number of people behind each mean, of the same shape; NaN where the table does not say."""
    ratings: Ratings | None = None
    """What single people said, without the ratings that are known to be spoilt; None where only means
    are known."""
    spoilt: tuple[tuple[str, str], ...] = ()
    """The cells (group, pair) that have a mean but no usable single ratings."""
    notes: tuple[str, ...] = ()
    scale: RatingScale = PERCENT
    """The scale on which people answered."""
    who: str = ""
    """A description of the people."""
    unlinked: str = ""
    """Why results by annotators' own groups cannot be had; "" where they can, or no reason is known."""
    limits: str = ""
    """Where and how they were asked, which limits what their answers stand for."""
    source: str = ""
    licence: str = "not stated"
    sha256: str = ""


def us_stereotypes() -> People:
    """The judgments of 133 people in the United States on 26 groups and 16 pairs of traits.

    Means are computed from the single ratings. Two cannot be, and are taken from the published table.
    Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 4.
    """
    located = registry.locate(US)
    raw, table, persons = (located.files[file.path] for file in located.set.files)
    published = read_means(table)
    ratings = read_ratings(raw, pairs=published.pairs)
    return from_ratings(
        ratings.part(published.groups, published.pairs),
        name=US,
        published=published,
        known=OVERWRITTEN,
        who=f"{counted(len(ratings.annotators), 'people')} rated. The list of annotators has "
        f"{who_are(json.loads(persons.read_text('utf-8')))}",
        unlinked=UNLINKED,
        limits="young, online, in the United States, before 2022, on how America sees a group and not on "
        "how they see it themselves",
        source=f"Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92; {located.set.homepage}",
        licence=located.set.licence,
        sha256=located.sha256,
    )


def from_ratings(
    ratings: Ratings,
    *,
    name: str,
    published: People | None = None,
    known: Mapping[str, tuple[str, ...]] | None = None,
    **facts: Any,
) -> People:
    """Means of single ratings, and what is odd about these; `facts` are further fields of `People`.

    `known` are the pairs of traits, by group, whose single ratings are known to be spoilt, as far as `copies`
    finds that they are; their means are taken from `published`.
    """
    alike = copies(ratings)
    among = {(group, pair) for group, pairs in alike for pair in pairs}
    listed = [(group, pair) for group, pairs in (known or {}).items() for pair in pairs]
    spoilt = tuple(cell for cell in listed if cell in among)
    values, counts = means(ratings)
    notes = [*ratings.notes]
    for group, pairs in alike:
        if not any((group, pair) in spoilt for pair in pairs):
            which = f"{group}: all ratings of {' and of '.join(pairs)}"
            notes.append(f"{which} are identical, as if one had been written over the other.")
    if published is not None:
        for group, pair in spoilt:
            at = ratings.groups.index(group), ratings.pairs.index(pair)
            there = published.groups.index(group), published.pairs.index(pair)
            values[at] = published.values[there]
        notes.append(_compared(ratings, published, spoilt))
    kept = ratings.without(spoilt)
    return People(
        name, ratings.groups, ratings.pairs, values, counts, kept, spoilt, tuple(notes), **facts
    )


def _compared(ratings: Ratings, published: People, spoilt: tuple[tuple[str, str], ...]) -> str:
    """A note on how many means of the single ratings equal the published ones."""
    rows = map(published.groups.index, ratings.groups)
    table = published.values[np.ix_([*rows], [*map(published.pairs.index, ratings.pairs)])]
    same = int(np.isclose(means(ratings)[0], table, rtol=0, atol=1e-6).sum())
    text = f"{same} of {table.size} means of the single ratings are the published ones."
    if not spoilt:
        return text
    cells = " and ".join(f"{group}, {pair}" for group, pair in spoilt)
    return (
        f"{text} The single ratings of {cells} are copies of another column: their means are taken from "
        "the published table, and where single people count (noise ceiling, pilot) they are left out."
    )


def read_means(path: Path, *, scale: RatingScale = PERCENT, encoding: str = "") -> People:
    """Means that were computed before: {group: {pair: mean}}.

    Raises:
        BadInput: The file is not of that kind.
        BadItems: Numbers that are none, or not on the scale.
    """
    table = json_of(path, encoding)
    if table is None or depth(table) != 2:  # noqa: PLR2004
        raise BadInput("is not {group: {pair: mean}}", "write it so", file=path.name)
    # A table of means is read as what one annotator said.
    ratings = ratings_in({"means": table}, path, scale)
    counts = np.full(ratings.values.shape[1:], np.nan)
    return People(
        path.stem, ratings.groups, ratings.pairs, means(ratings)[0], counts,
        scale=scale, source=path.name, sha256=sha256(path),
    )  # fmt: skip


def who_are(persons: Mapping[str, Mapping[str, str]]) -> str:
    """Annotators in a sentence: how many, of which gender, race and age.

    >>> who_are({"a": {"Gender": "Man", "Race": "Asian", "Age": "30"}})
    '1 person. Gender: Man 1. Race: Asian 1. Age: 30 to 30, median 30.'
    """
    if not persons:
        raise Unavailable("the file of annotators names no one")
    sentences = [f"{len(persons)} {'person' if len(persons) == 1 else 'people'}."]
    for name in ("Gender", "Race"):
        counts = Counter(person.get(name) or "not stated" for person in persons.values())
        shown = {v: n for v, n in counts.most_common() if n >= NAMED or len(counts) < NAMED}
        if rest := len(persons) - sum(shown.values()):
            shown["other answers"] = rest
        sentences.append(f"{name}: " + ", ".join(f"{v} {n}" for v, n in shown.items()) + ".")
    ages = [int(age) for person in persons.values() if (age := person.get("Age", "")).isdigit()]
    if ages:
        sentences.append(f"Age: {min(ages)} to {max(ages)}, median {np.median(ages):g}.")
    return " ".join(sentences)


NAME = "stereotype_leakage"
SCALE = RatingScale(-50.0, 50.0)
LANGUAGE = "language"
"""The column that names the language in a table with several."""
LANGUAGES: Mapping[str, str] = {"en": "english", "ru": "russian", "zh": "chinese", "hi": "hindi"}
"""The name of each language in the published files, by code."""


def leakage_ratings() -> dict[str, Ratings]:
    """Ratings by language, with the groups' names of the packaged lists: "woman", not "women".

    151 people in the United States, Russia, China and India rated four groups each, as their society
    sees them. Sotnikova 2023, chapter 5.
    """
    files = registry.locate(NAME).files
    paths = {code: files[f"{NAME}/data_full_{name}.json"] for code, name in LANGUAGES.items()}
    return ratings_by_language(paths)


def with_listed_names(ratings: Ratings) -> Ratings:
    """The ratings with the packaged lists' names for their groups; other names stay."""
    known = known_as(GroupFile.named("leakage_en").groups)
    names = {name: groups[0].name for name, groups in known.items() if len(groups) == 1}
    listed = tuple(names.get(group.casefold(), group) for group in ratings.groups)
    if len(set(listed)) < len(listed):
        twice = next(name for name in listed if listed.count(name) > 1)
        raise BadInput(f"{twice!r} is rated under two names", "use one name for it")
    return replace(ratings, groups=listed)


def language_name(code: str) -> str:
    """The name of the language with this code, or the code itself if it is not known.

    >>> language_name("ru"), language_name("sw")
    ('Russian', 'sw')
    """
    return LANGUAGES[code].capitalize() if code in LANGUAGES else code


def ratings_by_language(
    given: Mapping[str, Path], *, scale: RatingScale = SCALE, encoding: str = ""
) -> dict[str, Ratings]:
    """Ratings of the user's: a file for each language, or under "" one file with a column `language`.

    Raises:
        BadInput: A file cannot be read, or the one file has no column `language`.
        BadItems: Ratings are no numbers, not on the scale, or there twice.
    """
    by_language = {}
    for language, path in given.items():
        ratings = with_listed_names(read_ratings(path, scale=scale, encoding=encoding))
        if language:
            by_language[language] = ratings
            continue
        if LANGUAGE not in ratings.about:
            why = "differs within an annotator" if LANGUAGE in ratings.varying else "is missing"
            way_out = "give one file for each language: --people ru=FILE"
            raise BadInput(f"the column {LANGUAGE!r} {why}", way_out, file=path.name)
        for values in ratings.values_of([LANGUAGE]):
            by_language[values[LANGUAGE]] = ratings.slice(values)
    return by_language
