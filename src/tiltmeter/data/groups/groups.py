"""Groups × pairs of traits × templates, as items."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import BLANK, Cell, Dataset
from tiltmeter.core.results import Note
from tiltmeter.data.files.package_files import package_file
from tiltmeter.data.groups.group_checks import shared_words
from tiltmeter.data.groups.group_file import read_groups
from tiltmeter.data.groups.group_lists import (
    GROUP,
    TRAIT,
    Group,
    GroupFile,
    Template,
    TraitPair,
    chosen,
    said,
)
from tiltmeter.data.groups.intersections import crossed
from tiltmeter.data.memory.lazy_sequence import LazySequence
from tiltmeter.data.pairs.pairs import choose

PACKAGED = "abc"
"""The lists of the agency–beliefs–communion model."""
LISTS = (PACKAGED, "leakage_en", "leakage_ru", "leakage_zh", "leakage_hi")
"""All lists that come with the package: also those of the study of leakage, in four languages."""
FOR_THE_US = Note(
    "caution",
    "The packaged groups and traits were chosen for the United States: elsewhere other groups are "
    "stereotyped, and in other ways.",
)
_ARTICLE = re.compile(r"(?:^|(?<=\s))([Aa])n?(?=\s+$)")
_VOWEL = re.compile(r"[aeiou]|hour|heir|honest|honou?r", re.IGNORECASE)
_NO_VOWEL = re.compile(r"eu|ewe|uni(?!n|m|d)|use|usu|uti|ubi|uga|uru|ukr|one\b|once", re.IGNORECASE)


def packaged(name: str = PACKAGED) -> GroupFile:
    """The groups, traits and templates of one of LISTS."""
    return read_groups(package_file(f"starter/{name}.toml"))


def lists_named(source: str | Path | None, *, encoding: str = "") -> GroupFile:
    """The lists that `source` means: one of LISTS, or a TOML file; None means PACKAGED.

    Raises:
        BadInput: It is neither, or the file cannot be read.
        BadItems: What the file says cannot be used.
    """
    named = choose(source, PACKAGED, LISTS)
    return read_groups(named, encoding=encoding) if isinstance(named, Path) else packaged(named)


def load_cells(
    source: str | Path | None,
    settings: Mapping[str, str],
    *,
    skip_invalid: bool = False,  # noqa: ARG001  (a file says what it says, or is refused)
    encoding: str = "",
) -> Dataset[Cell]:
    """Packaged lists or a TOML file, with the study's settings.

    Raises:
        BadInput: The file cannot be read, or no cell is left.
        BadItems: What it says cannot be used.
        UnknownName: `groups` or `templates` of the settings names what the file does not have.
    """
    file = lists_named(source, encoding=encoding)
    options = {k: settings[k] for k in ("groups", "templates", "words", "article", "cross")}
    found = cells(file, **options)
    notes = [FOR_THE_US] if source in {None, PACKAGED} else []
    shared = shared_words(file, "their scores are one measurement")
    return replace(found, notes=(*notes, *shared))


def cells(
    file: GroupFile,
    *,
    groups: str = "",
    templates: str = "",
    words: str = "paper",
    article: str = "agree",
    cross: str = "no",
) -> Dataset[Cell]:
    """Every chosen group with every pair of traits in every chosen template.

    Args:
        file: What there is to choose from.
        groups: Names, aliases or domains, separated by commas; "" for all. Crossed groups may be
            named too, where `cross` is not "no".
        templates: Their texts with [group] and [trait], separated by semicolons or commas; "" for all.
        words: "paper", each trait's own; "all", with the further ones of the file.
        article: "agree" lets English "a" before a group become "an"; "a" leaves it. A file whose own
            `article` is "a" is left as it is.
        cross: "no" single groups, "only" crossed ones, "both".

    Raises:
        BadInput: No cell is left.
        UnknownName: Something is named that the file does not have.
    """
    asked = chosen("template", file.templates, templates)
    named = _chosen_groups(file, groups, cross)
    if not named:
        raise BadInput(
            "no group is left to ask about",
            "no two of these groups can be crossed; name others, or set cross=no",
            file=file.file,
        )
    agree = article == "agree" and file.article == "agree"
    items = Cells(file, named, asked, words=words, agree=agree)
    crossed_groups = sum(bool(group.parts) for group in named)
    about = {
        "groups": f"{len(named):,}"
        + (f", of which crossed {crossed_groups:,}" if crossed_groups else ""),
        "pairs of traits": f"{len(file.pairs):,}",
        "templates": f"{len(asked):,}",
    }
    return file.dataset(items, about, clusters="template")


def _chosen_groups(file: GroupFile, groups: str, cross: str) -> list[Group]:
    if cross == "no":
        return chosen("group", file.groups, groups)
    every = crossed(file, file.groups)
    listed = chosen("group", [*file.groups, *every], groups)
    parts = {part.name for group in listed for part in group.parts}
    singles = [g for g in file.groups if g in listed or g.name in parts]
    if groups:
        by_name = {g.name for g in listed}
        alone = [g for g in listed if not g.parts]
        every = [g for g in every if g.name in by_name or all(part in alone for part in g.parts)]
    return every if cross == "only" else [*singles, *every]


class Cells(LazySequence[Cell]):
    """The cells of a file, group by group and in it pair by pair; made when they are looked at.

    Crossed groups, with all templates, make more than a million, of which only a portion is needed at
    a time.
    """

    def __init__(
        self,
        file: GroupFile,
        groups: Sequence[Group],
        templates: Sequence[Template],
        *,
        words: str,
        agree: bool,
    ) -> None:
        self._file, self._groups, self._templates = file, tuple(groups), tuple(templates)
        self._words, self._agree = words, agree

    def __len__(self) -> int:
        """Groups × pairs of traits × templates."""
        return len(self._groups) * len(self._file.pairs) * len(self._templates)

    def item(self, place: int) -> Cell:
        """The cell at a place."""
        place, template = divmod(place, len(self._templates))
        group, pair = divmod(place, len(self._file.pairs))
        return self._cell(self._groups[group], self._file.pairs[pair], self._templates[template])

    def _cell(self, group: Group, pair: TraitPair, template: Template) -> Cell:
        frame, place, without = _framed(self._file, group, template, agree=self._agree)
        poles = _poles(pair, group, template, words=self._words)
        bare = _poles(pair, _of_noun(self._file, group), template, words=self._words)
        return Cell(
            f"{group.name}|{pair.name}|{template.name}",
            frame,
            place,
            without,
            poles,
            _axes(group, pair, template),
            template.name,
            self._file.file,
            () if bare == poles else bare,
        )


def _axes(group: Group, pair: TraitPair, template: Template) -> dict[str, str]:
    axes = {
        "group": group.name,
        "domain": group.domain,
        "pair": pair.name,
        "dimension": pair.dimension,
        "template": template.name,
        "family": template.family,
    }
    if group.parts:
        for place, part in zip(("first", "second"), group.parts, strict=True):
            axes[place], axes[f"{place}_domain"] = part.name, part.domain
    return {axis: label for axis, label in axes.items() if label}


def _framed(
    file: GroupFile, group: Group, template: Template, *, agree: bool
) -> tuple[str, tuple[int, int], str]:
    """The template with the group in it, where it stands there, and with the noun in its place."""
    bare = _of_noun(file, group)
    noun = said(file.nouns[template.form], bare.gender, template.form)[0]
    found = []
    for who, name, article in (
        (group, group.forms[template.form], group.article),
        (bare, noun, ""),
    ):
        before, behind = _text(template, who).split(GROUP)
        shown = _capital(name) if _begins(template, who, GROUP) else name
        start = agreeing(before, name, article) if agree else before
        found.append((f"{start}{shown}{behind}".replace(TRAIT, BLANK), start, shown))
    frame, start, shown = found[0]
    at = len(start.replace(TRAIT, BLANK))
    return frame, (at, at + len(shown)), found[1][0]


def _of_noun(file: GroupFile, group: Group) -> Group:
    """The group, with the gender that a sentence without it agrees with."""
    return replace(group, gender=file.noun_gender) if file.noun_gender else group


def _poles(
    pair: TraitPair, group: Group, template: Template, *, words: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = []
    capital = _begins(template, group, TRAIT)
    for own, more in ((pair.left, pair.more_left), (pair.right, pair.more_right)):
        some = said(own, group.gender, template.form)
        if words == "all":
            some += said(more, group.gender, template.form)
        some = tuple(dict.fromkeys(some))
        found.append(tuple(map(_capital, some)) if capital else some)
    return found[0], found[1]


def _text(template: Template, group: Group) -> str:
    return said(template.text, group.gender, template.form)[0]


def _begins(template: Template, group: Group, place: str) -> bool:
    """Whether no word stands before this place."""
    before, _ = _text(template, group).split(place)
    return not any(letter.isalnum() or letter in "{}" for letter in before)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def agreeing(before: str, name: str, article: str) -> str:
    """What stands before a word, with "a" or "an" at its end as the sound of the word wants it.

    >>> [agreeing("A ", name, "") for name in ("elderly person", "woman", "unicyclist")]
    ['An ', 'A ', 'A ']
    >>> agreeing("She is a ", "MP", "an")
    'She is an '
    """
    vowel = bool(_VOWEL.match(name)) and not _NO_VOWEL.match(name)
    n = "n" if (article or ("an" if vowel else "a")) == "an" else ""
    return _ARTICLE.sub(lambda found: found[1] + n, before)
