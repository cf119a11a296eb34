"""The items: groups × pairs of traits × templates, and groups crossed in pairs: "Catholic teenager"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from tiltmeter.core.data.items import BLANK, Cell, Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Note
from tiltmeter.core.study import Source
from tiltmeter.core.text import raised
from tiltmeter.data.groups.articles import agreeing
from tiltmeter.data.groups.group_file import GroupFile, shared_words
from tiltmeter.data.groups.group_lists import GROUP, TRAIT, Group, Template, TraitPair, chosen, said
from tiltmeter.data.memory.lazy_sequence import LazySequence

FOR_THE_US = Note(
    "caution",
    "The packaged groups and traits were chosen for the United States: elsewhere other groups are "
    "stereotyped, and in other ways.",
)


def load_cells(source: Source, settings: Mapping[str, str], *, encoding: str = "") -> Dataset[Cell]:
    """Packaged lists or a TOML file, with the settings of the study of group traits."""
    file = GroupFile.named(source, encoding=encoding)
    options = {k: settings[k] for k in ("groups", "templates", "words", "article", "cross")}
    data = cells(file, **options)
    notes = [FOR_THE_US] if source in {None, GroupFile.packaged[0]} else []
    shared = shared_words(file, "their scores are one measurement")
    return replace(data, notes=(*notes, *shared))


def cells(
    file: GroupFile,
    *,
    groups: str = "",
    templates: str = "",
    words: str = "paper",
    article: str = "agree",
    cross: str = "no",
) -> Dataset[Cell]:
    """Every chosen group with every pair of traits in every chosen template; "" chooses all.

    Args:
        file: What there is to choose from.
        groups: Names, aliases or domains, separated by commas; crossed groups too, unless `cross` is "no".
        templates: Their texts with [group] and [trait], separated by semicolons or commas.
        words: "paper" for each trait's own words, "all" for the further ones of the file too.
        article: "agree" lets English "a" before a group become "an" where the file allows it.
        cross: "no" single groups, "only" crossed ones, "both".

    Raises:
        BadInput: No cell is left.
        UnknownName: Something is named that the file does not have.
    """
    asked = chosen("template", file.templates, templates)
    kept = _chosen_groups(file, groups, cross)
    if not kept:
        reason = "no group is left to ask about"
        way_out = "no two of these groups can be crossed; name others, or set cross=no"
        raise BadInput(reason, way_out, file=file.file)
    agree = article == "agree" and file.article == "agree"
    items = Cells(file, kept, asked, words=words, agree=agree)
    of_two = sum(bool(group.components) for group in kept)
    about = {
        "groups": f"{len(kept):,}" + (f", of which crossed {of_two:,}" if of_two else ""),
        "pairs of traits": f"{len(file.pairs):,}",
        "templates": f"{len(asked):,}",
    }
    return file.dataset(items, about, clusters="template")


def _chosen_groups(file: GroupFile, groups: str, cross: str) -> list[Group]:
    if cross == "no":
        return chosen("group", file.groups, groups)
    every = crossed(file, file.groups)
    listed = chosen("group", [*file.groups, *every], groups)
    # A crossed group that is asked for brings its components: it is compared with them.
    of_crossed = {part.name for group in listed for part in group.components}
    singles = [g for g in file.groups if g in listed or g.name in of_crossed]
    if groups:
        by_name = {g.name for g in listed}
        alone = [g for g in listed if not g.components]
        every = [g for g in every if g.name in by_name or all(c in alone for c in g.components)]
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
        """The cell of this index."""
        place, template = divmod(place, len(self._templates))
        group, pair = divmod(place, len(self._file.pairs))
        return self._cell(self._groups[group], self._file.pairs[pair], self._templates[template])

    def _cell(self, group: Group, pair: TraitPair, template: Template) -> Cell:
        frame, place, without = _framed(self._file, group, template, agree=self._agree)
        poles = _poles(pair, group, template, words=self._words)
        bare = _poles(pair, _of_noun(self._file, group), template, words=self._words)
        name, axes = f"{group.name}|{pair.name}|{template.name}", _axes(group, pair, template)
        # Where adjectives have a gender, the noun in the group's place may want other forms of them.
        other = () if bare == poles else bare
        return Cell(name, frame, place, without, poles, axes, template.name, self._file.file, other)


def _axes(group: Group, pair: TraitPair, template: Template) -> dict[str, str]:
    axes = {
        "group": group.name,
        "domain": group.domain,
        "pair": pair.name,
        "dimension": pair.dimension,
        "template": template.name,
        "family": template.family,
    }
    if group.components:
        for place, part in zip(("first", "second"), group.components, strict=True):
            axes[place], axes[f"{place}_domain"] = part.name, part.domain
    return {axis: label for axis, label in axes.items() if label}


def _framed(
    file: GroupFile, group: Group, template: Template, *, agree: bool
) -> tuple[str, tuple[int, int], str]:
    """The template with the group in it, where it stands there, and with the noun in its place."""
    bare = _of_noun(file, group)
    noun = said(file.nouns[template.form], bare.gender, template.form)[0]
    frames = []
    for who, name, article in (
        (group, group.forms[template.form], group.article),
        (bare, noun, ""),
    ):
        before, behind = _text(template, who).split(GROUP)
        shown = raised(name) if _begins(template, who, GROUP) else name
        start = agreeing(before, name, article) if agree else before
        frames.append((f"{start}{shown}{behind}".replace(TRAIT, BLANK), start, shown))
    frame, start, shown = frames[0]
    at = len(start.replace(TRAIT, BLANK))
    return frame, (at, at + len(shown)), frames[1][0]


def _of_noun(file: GroupFile, group: Group) -> Group:
    """The group with the gender of the neutral noun, which the words around it then agree with."""
    return replace(group, gender=file.noun_gender) if file.noun_gender else group


def _poles(
    pair: TraitPair, group: Group, template: Template, *, words: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    poles = []
    capital = _begins(template, group, TRAIT)
    for first, more in ((pair.left, pair.more_left), (pair.right, pair.more_right)):
        some = said(first, group.gender, template.form)
        if words == "all":
            some += said(more, group.gender, template.form)
        some = tuple(dict.fromkeys(some))
        poles.append(tuple(map(raised, some)) if capital else some)
    return poles[0], poles[1]


def _text(template: Template, group: Group) -> str:
    return said(template.text, group.gender, template.form)[0]


def _begins(template: Template, group: Group, place: str) -> bool:
    """Whether the sentence begins at this place: before it there are only signs."""
    before, _ = _text(template, group).split(place)
    return not any(letter.isalnum() or letter in "{}" for letter in before)


TIMES = " × "
"""Joins the domains of a crossed group: "age × religion"."""


def crossed(file: GroupFile, groups: Sequence[Group]) -> list[Group]:
    """All pairs of `groups` that make sense, in every order that can be said.

    The one said first stands as an adjective ("teenage Catholic person"); where it has none, the
    other may stand behind it ("doctor with a disability"). Groups of one domain are crossed where
    the file allows it; what it excludes is left out, and what would read like another group.
    """
    forms = tuple(dict.fromkeys(template.form for template in file.templates))
    by_name: dict[str, Group] = {}
    # "young woman" may be a group of the file itself: a crossing of the same words would ask the same.
    taken = {group.forms[forms[0]] for group in file.groups}
    for first, second in _sensible(file, groups):
        made = _joined(first, second, forms)
        if made is not None and made.name not in taken:
            by_name.setdefault(made.name, made)
    return list(by_name.values())


def _sensible(file: GroupFile, groups: Sequence[Group]) -> Iterator[tuple[Group, Group]]:
    for first, second in product(groups, repeat=2):
        allowed = any(rule.speaks_of(first, second) for rule in file.crossing.allow)
        alike = first.domain == second.domain and bool(first.domain)
        excluded = any(rule.speaks_of(first, second) for rule in file.crossing.exclude)
        if first.name != second.name and (allowed or not alike) and not excluded:
            yield first, second


def _joined(first: Group, second: Group, forms: Sequence[str]) -> Group | None:
    """The group that both make, the first said first; None where no adjective or addition says so."""
    head = second if first.adjective else first
    names = {}
    for form in forms:
        before = said(first.adjective, head.gender, form)
        behind = said(second.after, head.gender, form)
        if not (before or behind):
            return None
        noun = head.forms[form]
        names[form] = f"{before[0]} {noun}" if before else f"{noun} {behind[0]}"
    return Group(
        name=names[forms[0]],
        forms=names,
        domain=f"{first.domain}{TIMES}{second.domain}",
        gender=head.gender,
        article=first.article,
        components=(first, second),
    )
