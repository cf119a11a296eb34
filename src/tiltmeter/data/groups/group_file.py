"""Groups, traits and templates from a TOML file, and what must fit together in one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from tiltmeter.core.reading.typed_values import Fault, fields_of, near_miss, unknown_key
from tiltmeter.core.reading.value_types import Line, Lines, some, via
from tiltmeter.core.results import Note
from tiltmeter.core.text import counted
from tiltmeter.data.files.toml_file import ListFile
from tiltmeter.data.groups.group_lists import (
    ChoicePrompt,
    Group,
    SaidOnce,
    Template,
    TemplateTexts,
    TraitPair,
    Word,
    said,
)

_SIDES = ("left", "right", "more_left", "more_right")


@dataclass(frozen=True, slots=True)
class CrossingRule:
    """Which groups may, or may not, be crossed: names of groups or of domains."""

    first: Annotated[Lines, some]
    second: Annotated[Lines, some]
    either_way: bool = False
    """Also with first and second changed over."""
    why: Line = ""

    def speaks_of(self, first: Group, second: Group) -> bool:
        """Whether this order of these two is meant."""
        straight = _among(first, self.first) and _among(second, self.second)
        turned = _among(second, self.first) and _among(first, self.second)
        return straight or (self.either_way and turned)


def _among(group: Group, names: Iterable[str]) -> bool:
    return group.name in names or group.domain in names


@dataclass(frozen=True, slots=True)
class Crossing:
    """What is said about crossings of groups."""

    allow: tuple[CrossingRule, ...] = ()
    """Groups of one domain that are crossed all the same."""
    exclude: tuple[CrossingRule, ...] = ()
    """Groups that are not crossed."""


@dataclass(frozen=True, slots=True)
class _Templates:
    text: TemplateTexts
    name: Word = ""
    form: Word = ""
    family: Word = ""

    def faults(self) -> Iterator[Fault]:
        if self.name and len(self.several) > 1:
            reason = f"has one name for {counted(len(self.several), 'texts')}"
            yield Fault(reason, "give each its own entry")

    @property
    def several(self) -> list[Template]:
        """Texts that never change are a template each."""
        alike = [{"": (text,)} for text in self.text.get("", ())]
        texts = alike if {*self.text} == {""} else [self.text]
        return [Template(text, self.name, self.form, self.family) for text in texts]


@dataclass(frozen=True, kw_only=True)
class GroupFile(ListFile):
    """All that one file says of groups, pairs of traits and templates."""

    packaged = ("abc", "leakage_en", "leakage_ru", "leakage_zh", "leakage_hi")
    """The agency–beliefs–communion model, and the study of leakage in four languages."""
    manual = "docs/studies/group_traits.md"

    nouns: Annotated[Mapping[str, SaidOnce], some]
    """By form, a noun that names no group: "person", "people"."""
    groups: Annotated[tuple[Group, ...], some]
    pairs: Annotated[tuple[TraitPair, ...], some]
    templates: Annotated[
        tuple[Template, ...],
        via(tuple[_Templates, ...], lambda read: tuple(t for e in some(read) for t in e.several)),
    ]
    choices: tuple[ChoicePrompt, ...] = ()
    """Wordings of the choice between two traits."""
    noun_gender: Word = ""
    """The nouns' own gender, with which a sentence without a group agrees; "" for the group's."""
    article: Literal["agree", "a"] = "a"
    """English: "agree" makes "a" before a group "a" or "an"; "a" leaves templates as they are."""
    crossing: Crossing = Crossing()

    def __post_init__(self) -> None:
        """Texts that do not say which form of the group they ask for ask for the only one."""
        if len(self.nouns) == 1:
            for name in ("templates", "choices"):
                form = next(iter(self.nouns))
                asking = (t if t.form else replace(t, form=form) for t in getattr(self, name))
                object.__setattr__(self, name, tuple(asking))

    def faults(self) -> Iterator[Fault]:
        """Unknown and duplicate names, missing forms and words, traits that are their own opposite."""
        if unknown := [*_unknown_names(self)]:  # what follows looks forms up by these names
            yield from unknown
        else:
            yield from _misfits(self)


def _misfits(file: GroupFile) -> Iterator[Fault]:
    yield from _duplicates("group", [(group.name, *group.aliases) for group in file.groups])
    yield from _duplicates("pair", [pair.names for pair in file.pairs])
    yield from _duplicates("template", [(template.name,) for template in file.templates])
    yield from _duplicates("choice", [(choice.name,) for choice in file.choices])
    asking = {c.form: f"choices ask for ({c.name!r})" for c in reversed(file.choices)}
    asking |= {t.form: f"templates ask for ({t.name!r})" for t in reversed(file.templates)}
    for group in file.groups:
        for form, who in asking.items():
            if form not in group.forms:
                reason = f"group {group.name!r} has no {form}, which {who}"
                yield Fault(reason, f'write {form} = "…" for it, or leave these out')
    nouns = [file.noun_gender] if file.noun_gender else []
    genders = dict.fromkeys([*(g.gender for g in file.groups), *nouns])
    agreeing = [(g, f) for g in genders for f in asking]
    for gender, form in agreeing:
        yield from _missing_words(file, gender, form)
    for pair in file.pairs:
        yield from _on_both_sides(pair, agreeing)


def _unknown_names(file: GroupFile) -> Iterator[Fault]:
    """Forms that [nouns] does not define, and crossings of groups that are not in the file."""
    yield from _unknown_forms(file, "template", file.templates)
    yield from _unknown_forms(file, "choice", file.choices)
    for group in file.groups:
        for form in group.forms:
            if form not in file.nouns:
                fault = unknown_key(form, [*fields_of(Group), *file.nouns])
                yield fault.moved(f"group {group.name!r}")
    known = {name for g in file.groups for name in (g.name, g.domain) if name}
    for rule in (*file.crossing.allow, *file.crossing.exclude):
        for name in (*rule.first, *rule.second):
            if name not in known:
                hint = near_miss(name, known).strip() or "name one in [[groups]]"
                yield Fault(f"crossing: no group and no domain is named {name!r}", hint)


def _unknown_forms(
    file: GroupFile, kind: str, asking: Iterable[Template | ChoicePrompt]
) -> Iterator[Fault]:
    known = f"known forms: {', '.join(file.nouns)}"
    for text in asking:
        if not text.form:
            yield Fault(f"{kind} {text.name!r} names no form", known)
        elif text.form not in file.nouns:
            reason = f"uses the form {text.form!r}, which [nouns] does not define"
            yield Fault(f"{kind} {text.name!r} {reason}", near_miss(text.form, file.nouns) + known)


def _missing_words(file: GroupFile, gender: str, form: str) -> Iterator[Fault]:
    wanted = [
        (f"noun {form!r}", file.nouns[form]),
        *((f"template {t.name!r}", t.text) for t in file.templates if t.form == form),
        *((f"pair {p.name!r}: {side}", getattr(p, side)) for p in file.pairs for side in _SIDES),
    ]
    of = f"gender {gender!r}" if gender else "groups without a gender"
    for at, options in wanted:
        if options and not said(options, gender, form):
            keys = ", ".join(options)
            yield Fault(
                f"{at} has no words for {of}, form {form!r}",
                f"its keys are {keys}: add {gender or form!r}, or give the groups their gender",
            )


def _on_both_sides(pair: TraitPair, agreeing: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    """A word on both sides tells nothing apart: its association is 0 whatever a model says."""
    both: dict[str, None] = {}
    for gender, form in agreeing:
        left, right = (
            [word for some in sides for word in said(some, gender, form)]
            for sides in ((pair.left, pair.more_left), (pair.right, pair.more_right))
        )
        both |= dict.fromkeys(word for word in left if word in right)
    for word in both:
        yield Fault(f"pair {pair.name!r} has {word!r} on both sides", "write opposite traits")


def _duplicates(kind: str, names: Iterable[Sequence[str]]) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for main, *others in names:
        for name in dict.fromkeys(n.casefold() for n in (main, *others)):
            if name in seen:
                reason = f"two entries are {kind} {name!r}: {seen[name]!r} and {main!r}"
                yield Fault(reason, "leave one out, or name them differently")
            seen.setdefault(name, main)


def shared_words(file: GroupFile, consequence: str) -> list[Note]:
    """A caution for each word that stands for several traits, with what follows from that."""
    traits: dict[tuple[tuple[str, tuple[str, ...]], ...], list[str]] = {}
    for pair in file.pairs:
        for words, name in zip((pair.left, pair.right), pair.name.split(" - "), strict=False):
            traits.setdefault(tuple(sorted(words.items())), []).append(name)
    several = [(words[0][1][0], " and ".join(n)) for words, n in traits.items() if len(n) > 1]
    said_of = "are one word in these lists"
    texts = [f"{names} {said_of} ({word}): {consequence}." for word, names in several]
    return [Note("caution", text) for text in texts]
