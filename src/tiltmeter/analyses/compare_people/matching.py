"""Matching rows and columns of a matrix to a table of people: by name, by alias, turned round."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted, plural
from tiltmeter.core.types import Array
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import known_as

_BETWEEN = re.compile(r"\s+[-–—/]+\s+|\s*[↔–—]\s*|\s+(?:vs\.?|versus)\s+|\s*[<←]-+[>→]?\s*")


@dataclass(frozen=True, slots=True)
class Matching:
    """What is on both sides, in the order of the table of people, and what is not."""

    groups: tuple[str, ...]
    """The names of the groups as people's answers have them."""
    pairs: tuple[str, ...]
    rows: tuple[int, ...]
    """The row of the matrix for each of `groups`."""
    people_rows: tuple[int, ...]
    columns: tuple[int, ...]
    people_columns: tuple[int, ...]
    turned: tuple[bool, ...]
    """Whether the matrix has a pair the other way round, for each of `pairs`."""
    renamed: tuple[tuple[str, str], ...]
    """(the matrix's name, people's), where they differ."""
    excluded: tuple[str, ...]
    """Groups and pairs that only one of the two has, in words."""

    def of_matrix(self, values: Array, *, middle: float = 0.0) -> Array:
        """The matched part of (…, groups, pairs), with pairs turned to stand as people's do."""
        part = values[..., list(self.rows), :][..., list(self.columns)]
        return np.where(np.array(self.turned), 2 * middle - part, part)

    def of_people(self, values: Array) -> Array:
        """The matched part of (…, groups, pairs)."""
        part: Array = values[..., list(self.people_rows), :][..., list(self.people_columns)]
        return part


def match(
    groups: Sequence[str],
    pairs: Sequence[str],
    people_groups: Sequence[str],
    people_pairs: Sequence[str],
    *,
    lists: GroupFile | None = None,
    aliases: Mapping[str, str] | None = None,
    name: str = "the matrix",
) -> Matching:
    """Find each of people's groups and pairs in the matrix.

    Pairs are named "left - right"; `lists` and `aliases` have further names of groups, pairs and traits;
    `name` is the matrix’s, for messages.

    Raises:
        BadInput: There is no group, or no pair, that both have.
    """
    extra = _folded(aliases)
    _check_aliases(extra, groups, pairs, people_groups, people_pairs)
    rows, lost_rows = _matched_groups(groups, people_groups, lists, extra)
    words = _trait_words(lists)
    columns, lost_columns, turned = _matched_pairs(pairs, people_pairs, words, extra)
    renamed: list[tuple[str, str]] = []
    excluded: list[str] = []
    for kind, what, places, lost, mine, theirs in (
        ("group", "group", rows, lost_rows, groups, people_groups),
        ("pair", "pair of traits", columns, lost_columns, pairs, people_pairs),
    ):
        if not places:
            raise BadInput(
                f"{name} and the people have no {what} in common: {name} has {_some(mine)}; people were "
                f"asked about {_some(theirs)}",
                "match them with --alias 'NAME=NAME'",
            )
        renamed += [(mine[j], theirs[i]) for i, j in places.items() if mine[j] != theirs[i]]
        excluded += _excluded(kind, mine, places, lost, theirs, name)
    return Matching(
        tuple(people_groups[i] for i in rows), tuple(people_pairs[i] for i in columns),
        tuple(rows.values()), tuple(rows), tuple(columns.values()), tuple(columns),
        tuple(turned[i] for i in columns), tuple(renamed), tuple(excluded),
    )  # fmt: skip


def _check_aliases(aliases: Mapping[str, str], *names: Sequence[str]) -> None:
    """Refuse an alias of which neither side is a group, pair or trait of the matrix or of the people.

    Raises:
        BadInput: Neither side is.
    """
    known = {text.casefold().strip() for some in names for text in some}
    known |= {trait for some in names for text in some for trait in poles(text) or ()}
    plain = {" ".join(text.replace("-", " ").split()) for text in known}
    for name, other in aliases.items():
        if not any(" ".join(text.replace("-", " ").split()) in plain for text in (name, other)):
            raise BadInput(
                f"--alias '{name}={other}': neither is a group, a pair or a trait here",
                "check the spelling, or leave it out",
            )


def find_group(
    wanted: str, groups: Sequence[str], lists: GroupFile | None, aliases: Mapping[str, str] | None
) -> str | None:
    """The one of `groups` that a user's name means; None where there is none."""
    rows, _ = _matched_groups([wanted], groups, lists, _folded(aliases))
    return groups[next(iter(rows))] if rows else None


def _folded(aliases: Mapping[str, str] | None) -> dict[str, str]:
    return {a.casefold().strip(): b.casefold().strip() for a, b in (aliases or {}).items()}


def poles(pair: str) -> tuple[str, str] | None:
    """The two traits of "left - right", as they are compared; None where it is no such name.

    >>> poles("Religious - science-oriented"), poles("cold ↔ warm"), poles("warmth")
    (('religious', 'science oriented'), ('cold', 'warm'), None)
    """
    traits = _BETWEEN.split(pair.strip())
    if len(traits) != 2:  # noqa: PLR2004
        traits = pair.split("-") if pair.count("-") == 1 else []
    words = tuple(" ".join(trait.replace("-", " ").casefold().split()) for trait in traits)
    return (words[0], words[1]) if len(words) == 2 and all(words) else None  # noqa: PLR2004


def _group_names(lists: GroupFile | None) -> Mapping[str, str]:
    """Every name that means one group only, to that group's own name."""
    if lists is None:
        return {}
    by_name = known_as(lists.groups)
    return {name: groups[0].name.casefold() for name, groups in by_name.items() if len(groups) == 1}


def _group_key(text: str, known: Mapping[str, str], extra: Mapping[str, str]) -> tuple[str, ...]:
    """What a name stands for, the name itself first."""
    name = " ".join(text.casefold().split())
    other = extra.get(name, name)
    return tuple(dict.fromkeys((name, other, known.get(name, name), known.get(other, other))))


def _assigned(
    order: Iterable[int], mine: Sequence[str], theirs: Sequence[str], place_of: Callable[[int], int]
) -> tuple[dict[int, int], dict[int, str]]:
    """Place in `theirs` to place in `mine`; and of `mine`, why one that fits is not taken."""
    taken: dict[int, int] = {}
    lost: dict[int, str] = {}
    for j in order:
        place = place_of(j)
        if place in taken:
            lost[j] = f"{mine[taken[place]]} is used for {theirs[place]}"
        elif place >= 0:
            taken[place] = j
    return dict(sorted(taken.items())), lost


def _matched_groups(
    mine: Sequence[str], theirs: Sequence[str], lists: GroupFile | None, extra: Mapping[str, str]
) -> tuple[dict[int, int], dict[int, str]]:
    known = _group_names(lists)

    def place_of(j: int) -> int:
        keys = set(_group_key(mine[j], known, extra))
        fits = [i for i, text in enumerate(theirs) if keys & set(_group_key(text, known, extra))]
        exact = [i for i in fits if theirs[i] == mine[j]]
        return (exact or fits or [-1])[0]

    order = sorted(range(len(mine)), key=lambda j: mine[j] not in theirs)  # same names go first
    return _assigned(order, mine, theirs, place_of)


def _matched_pairs(
    mine: Sequence[str], theirs: Sequence[str], words: Mapping[str, str], extra: Mapping[str, str]
) -> tuple[dict[int, int], dict[int, str], dict[int, bool]]:
    """Match pairs of traits by place, and say which of `mine` are the other way round."""

    def both(pair: str) -> tuple[str, str]:
        split = poles(extra.get(pair.casefold().strip(), pair))
        if split is None:
            return " ".join(pair.casefold().split()), ""
        left, right = (extra.get(word, word) for word in split)
        return words.get(left, left), words.get(right, right)

    ends, own_ends = ([both(pair) for pair in pairs] for pairs in (theirs, mine))

    def place_of(j: int) -> int:
        left, right = own_ends[j]
        straight, turned = (left, right), (right, left)
        if straight in ends:
            return ends.index(straight)
        return ends.index(turned) if right and turned in ends else -1

    places, lost = _assigned(range(len(mine)), mine, theirs, place_of)
    return places, lost, {i: own_ends[j] != ends[i] for i, j in places.items()}


def _trait_words(lists: GroupFile | None) -> Mapping[str, str]:
    """Other words for a trait, from the pairs' other names: "egotistic" to "egoistic"."""
    words: dict[str, str] = {}
    for pair in lists.pairs if lists else ():
        traits = poles(pair.name)
        for alias in pair.aliases:
            other = poles(alias)
            if traits and other:
                words |= {b: a for a, b in zip(traits, other, strict=True) if a != b}
    return words


def _excluded(
    kind: str,
    mine: Sequence[str],
    places: Mapping[int, int],
    lost: Mapping[int, str],
    theirs: Sequence[str],
    name: str,
) -> list[str]:
    taken = set(places.values())
    alone = [mine[j] for j in range(len(mine)) if j not in taken and j not in lost]
    other = [text for i, text in enumerate(theirs) if i not in places]
    lines = []
    if alone:
        lines.append(f"People were not asked about {_counted(kind, alone)}: {', '.join(alone)}.")
    if other:
        near = [f"{text} (is it {n[0]}?)" if (n := _near(text, alone)) else text for text in other]
        lines.append(f"{name} does not have {_counted(kind, other)}: {', '.join(near)}.")
    return [*lines, *(f"{mine[j]} is left out: {why}." for j, why in lost.items())]


def _near(text: str, names: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(text, list(names), n=1, cutoff=0.75)


def _counted(kind: str, names: Sequence[str]) -> str:
    return counted(len(names), plural(kind))


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:4])
    return f"{shown}, …" if len(names) > 4 else shown  # noqa: PLR2004


LISTED = 6
"""How many empty cells are named before they are only counted."""


def empty_cells(
    groups: Sequence[str], pairs: Sequence[str], scores: Array, ratings: Array, name: str
) -> list[str]:
    """Which groups, pairs and single cells lack a number, one sentence each."""
    lines = []
    for lost, whose in ((~np.isfinite(scores), name), (~np.isfinite(ratings), "people")):
        whole_rows = np.asarray(lost.all(axis=1), dtype=np.bool_)
        whole_columns = np.asarray(lost.all(axis=0), dtype=np.bool_)
        for kind, names, whole in (("group", groups, whole_rows), ("pair", pairs, whole_columns)):
            gone = [name for name, is_gone in zip(names, whole, strict=True) if is_gone]
            if gone:
                some = counted(len(gone), plural(kind), "have")
                lines.append(f"{some} no values from {whose}: {', '.join(gone)}.")
        rest = lost & ~whole_rows[:, None] & ~whole_columns
        cells = [f"{groups[i]}, {pairs[j]}" for i, j in zip(*np.nonzero(rest), strict=True)]
        if cells:
            more = f"; and {len(cells) - LISTED} more" if len(cells) > LISTED else ""
            some = counted(len(cells), f"{'further ' if lines else ''}cells")
            shown = "; ".join(cells[:LISTED])
            lines.append(f"{some} of {lost.size} without a value from {whose}: {shown}{more}.")
    return lines
