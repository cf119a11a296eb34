"""Groups, traits and templates from a TOML file, with everything that is wrong with it at once."""

import difflib
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tiltmeter.core.errors import BadItems
from tiltmeter.core.items import BLANK
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.data.files.toml_reading import TomlReading
from tiltmeter.data.groups.group_checks import misfits
from tiltmeter.data.groups.group_lists import (
    GROUP,
    LEFT,
    RIGHT,
    TRAIT,
    ChoicePrompt,
    CrossingRule,
    Group,
    GroupFile,
    Said,
    Template,
    TraitPair,
)

T = TypeVar("T")

_TOP = (
    "name", "version", "language", "article", "source", "licence", "warning",
    "nouns", "noun_gender", "groups", "pairs", "templates", "choices", "crossing",
)  # fmt: skip
_GROUP = ("name", "domain", "adjective", "after", "aliases", "gender", "article")
_PAIR = ("name", "dimension", "left", "right", "more_left", "more_right", "aliases")
_TEMPLATE = ("name", "text", "form", "family")
_CHOICE = ("name", "text", "form")
_RULE = ("first", "second", "either_way", "why")
_PLACE = re.compile(r"\{[^{}]*\}")
_HOW = "docs/studies/group_traits.md shows a whole file"
_QUOTED = "keys with other letters than a to z stand in quotation marks"


def read_groups(path: str | Path, *, encoding: str = "") -> GroupFile:
    """Read and check a file of groups, pairs of traits and templates.

    Args:
        path: A TOML file.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with the entry and a way out.
    """
    path = Path(path)
    table = read_toml(path, f"{_QUOTED}; {_HOW}", encoding=encoding)
    reading = _Reading(path.name)
    read = reading.file_of(table, path)
    if reading.problems:
        raise BadItems(reading.problems)
    return read


@dataclass(slots=True)
class _Reading(TomlReading):
    """What one file is found to say, and what is wrong with it."""

    def file_of(self, table: Mapping[str, Any], path: Path) -> GroupFile:
        self.known(table, _TOP, "the file")
        nouns = self.nouns_of(table)
        groups = self.made_entries(
            table, "groups", lambda e, at: self.group_of(e, at, tuple(nouns))
        )
        pairs = self.made_entries(table, "pairs", self.pair_of)
        several = self.made_entries(
            table, "templates", lambda e, at: self.templates_of(e, at, nouns)
        )
        templates = [template for some in several for template in some]
        rules = self.table_in(table, "crossing", "the file")
        self.known(rules, ("allow", "exclude"), "[crossing]")
        made = GroupFile(
            file=self.file,
            name=self.text_in(table, "name", "the file") or path.stem,
            version=self.text_in(table, "version", "the file"),
            language=self.text_in(table, "language", "the file"),
            nouns=nouns,
            groups=tuple(groups),
            pairs=tuple(pairs),
            templates=tuple(templates),
            choices=tuple(
                self.tables(table, "choices", lambda e, at: self.choice_of(e, at, nouns))
            ),
            noun_gender=self.text_in(table, "noun_gender", "the file"),
            article=self.text_in(table, "article", "the file") or "a",
            allow=self.rules_of(rules, "allow", groups),
            exclude=self.rules_of(rules, "exclude", groups),
            source=self.text_in(table, "source", "the file") or path.name,
            licence=self.text_in(table, "licence", "the file") or "not stated",
            warning=self.text_in(table, "warning", "the file"),
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        if made.article not in {"agree", "a"}:
            self.complain(f"article is {made.article!r}", 'write "agree" or "a"')
        if not self.problems:
            for reason, way_out in misfits(made):
                self.complain(reason, way_out)
        return made

    # ---- Entries

    def nouns_of(self, table: Mapping[str, Any]) -> dict[str, Said]:
        nouns = self.table_in(table, "nouns", "the file")
        if not nouns:
            self.complain(
                "names no noun for sentences without a group",
                'write for example [nouns] and under it singular = "person", plural = "people"; '
                "the keys are the forms that templates ask for",
            )
        return {form: self.words(noun, f"noun {form!r}", one=True) for form, noun in nouns.items()}

    def group_of(self, entry: Mapping[str, Any], at: str, forms: Sequence[str]) -> Group:
        name = self.needed(entry, "name", at)
        at = f"group {name!r}" if name else at
        self.known(entry, (*_GROUP, *forms), at)
        article = self.text_in(entry, "article", at)
        if article not in {"", "a", "an"}:
            self.complain(f"{at}: article is {article!r}", 'write "a" or "an"')
        return Group(
            name=name,
            forms={f: self.text_in(entry, f, at) for f in forms if f in entry},
            domain=self.text_in(entry, "domain", at),
            adjective=self.words(entry.get("adjective"), f"{at}: adjective", one=True),
            after=self.words(entry.get("after"), f"{at}: after", one=True),
            aliases=self.texts_in(entry, "aliases", at),
            gender=self.text_in(entry, "gender", at),
            article=article,
        )

    def pair_of(self, entry: Mapping[str, Any], at: str) -> TraitPair:
        sides = {}
        for side in ("left", "right"):
            if not entry.get(side):
                self.complain(
                    f"{at} has no word for its {side} trait", f'write for example {side} = "cold"'
                )
            sides[side] = self.words(entry.get(side), f"{at}: {side}")
        name = self.text_in(entry, "name", at) or " - ".join(
            next((word for some in words.values() for word in some), "") for words in sides.values()
        )
        self.known(entry, _PAIR, f"pair {name!r}")
        return TraitPair(
            name=name,
            left=sides["left"],
            right=sides["right"],
            more_left=self.words(entry.get("more_left"), f"pair {name!r}: more_left"),
            more_right=self.words(entry.get("more_right"), f"pair {name!r}: more_right"),
            dimension=self.text_in(entry, "dimension", at),
            aliases=self.texts_in(entry, "aliases", at),
        )

    def templates_of(
        self, entry: Mapping[str, Any], at: str, nouns: Mapping[str, Said]
    ) -> list[Template]:
        self.known(entry, _TEMPLATE, at)
        form = self.form_of(entry, at, nouns)
        text = entry.get("text")
        if not text:
            self.complain(f"{at} has no text", f'write for example text = "{GROUP} are {TRAIT}."')
            return []
        options = self.words(text, f"{at}: text", places=True)
        family = self.text_in(entry, "family", at)
        plain = set(options) <= {""}
        alike = [{"": (one,)} for one in options.get("", ())] if plain else [options]
        name = self.text_in(entry, "name", at)
        if name and len(alike) > 1:
            self.complain(f"{at} has one name for {len(alike)} texts", "give each its own entry")
        return [self.template_of(one, name, form, family) for one in alike]

    def template_of(self, text: Said, name: str, form: str, family: str) -> Template:
        texts = [one for words in text.values() for one in words]
        named = name or texts[0].replace(GROUP, "[group]").replace(TRAIT, "[trait]")
        for one in texts:
            self.check_places(f"template {one!r}", one, (GROUP, TRAIT))
        return Template(named, text, form, family)

    def choice_of(
        self, entry: Mapping[str, Any], at: str, nouns: Mapping[str, Said]
    ) -> ChoicePrompt:
        self.known(entry, _CHOICE, at)
        text = self.text(entry, "text", at, needed=True)
        self.check_places(f"{at}: the text {text!r}", text, (GROUP, LEFT, RIGHT))
        return ChoicePrompt(self.needed(entry, "name", at), text, self.form_of(entry, at, nouns))

    def form_of(self, entry: Mapping[str, Any], at: str, nouns: Mapping[str, Said]) -> str:
        """Which form of the group a text asks for: one that [nouns] defines."""
        form = self.text_in(entry, "form", at) or (next(iter(nouns)) if len(nouns) == 1 else "")
        if nouns and form not in nouns:
            near = difflib.get_close_matches(form, nouns, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            reason = (
                f"uses the form {form!r}, which [nouns] does not define"
                if form
                else "names no form"
            )
            self.complain(f"{at} {reason}", f"{hint}known forms: {', '.join(nouns)}")
        return form

    def check_places(self, at: str, text: str, places: Sequence[str]) -> None:
        """Complain unless each place occurs once and there is no other."""
        for place in places:
            if text.count(place) != 1:
                times = "not at all" if place not in text else f"{text.count(place)} times"
                self.complain(f"{at} has {place} {times}", "it must occur once")
        for other in sorted(set(_PLACE.findall(text)) - set(places)):
            self.complain(
                f"{at} has a place {other}", f"use {', '.join(places[:-1])} and {places[-1]} only"
            )

    def rules_of(
        self, table: Mapping[str, Any], key: str, groups: Sequence[Group]
    ) -> tuple[CrossingRule, ...]:
        known = {g.name for g in groups} | {g.domain for g in groups if g.domain}
        found = self.made_entries(
            table, key, lambda e, at: self.rule_of(e, at, known), f"crossing.{key}"
        )
        return tuple(found)

    def rule_of(self, entry: Mapping[str, Any], at: str, known: Iterable[str]) -> CrossingRule:
        self.known(entry, _RULE, at)
        sides = [self.texts_in(entry, side, at) for side in ("first", "second")]
        for side, names in zip(("first", "second"), sides, strict=True):
            if not names:
                self.complain(f"{at} names no {side} group", "name one or more groups or domains")
            for name in names:
                if name not in known:
                    near = difflib.get_close_matches(name, known, n=1)
                    hint = f"did you mean {near[0]!r}?" if near else "name one in [[groups]]"
                    self.complain(f"{at}: no group and no domain is named {name!r}", hint)
        either = entry.get("either_way", False)
        if not isinstance(either, bool):
            self.complain(f"{at}: either_way is {either!r}", "write true or false")
        return CrossingRule(sides[0], sides[1], bool(either), self.text_in(entry, "why", at))

    # ---- Values

    def made_entries(
        self,
        table: Mapping[str, Any],
        key: str,
        made: Callable[[Mapping[str, Any], str], T],
        shown: str = "",
    ) -> list[T]:
        """As `tables`; a list at the top of the file must have entries."""
        if table.get(key, []) == [] and not shown:
            self.complain(f"has no {key}", f"write at least one, beginning with [[{key}]]; {_HOW}")
        return self.tables(table, key, made, shown)

    def needed(self, table: Mapping[str, Any], key: str, at: str) -> str:
        if key not in table:
            self.complain(f"{at} has no {key}", f'write {key} = "…"')
            return ""
        return self.text_in(table, key, at)

    def text_in(self, table: Mapping[str, Any], key: str, at: str) -> str:
        return self.one_text(table[key], f"{at}: {key}") if key in table else ""

    def texts_in(self, table: Mapping[str, Any], key: str, at: str) -> tuple[str, ...]:
        value = table.get(key, [])
        several = value if isinstance(value, list) else [value]
        return tuple(self.one_text(one, f"{at}: {key}") for one in several)

    def one_text(self, value: Any, at: str, *, places: bool = False) -> str:
        if not isinstance(value, str):
            self.complain(f"{at} is not text but {value!r}", "put it in quotation marks")
        elif not value.strip():
            self.complain(f"{at} is empty", "write it, or leave the key out")
        elif not value.isprintable() or "|" in value or BLANK in value:
            self.complain(
                f"{at} is {value!r}", f"write it in one line, without the signs | and {BLANK}"
            )
        elif not places and (GROUP in value or TRAIT in value):
            self.complain(f"{at} is {value!r}", f"{GROUP} and {TRAIT} are only for templates")
        else:
            return value.strip()
        return ""

    def words(self, value: Any, at: str, *, one: bool = False, places: bool = False) -> Said:
        if value is None:
            return {}
        options = value if isinstance(value, dict) else {"": value}
        found = {}
        for key, words in options.items():
            shown = f"{at}, {key}" if key else at
            several = words if isinstance(words, list) else [words]
            if not several or (one and len(several) > 1):
                self.complain(f"{shown} has {len(several)} words", "write one")
            found[key] = tuple(self.one_text(word, shown, places=places) for word in several)
        return found
