"""Lists of words that a model is to share out between two groups, and pairs of topics between two people.

Stimuli: Bai, Wang, Sucholutsky and Griffiths 2025, doi:10.1073/pnas.2416228122. Of each stereotype they have
names of a default group (A) and of a stigmatised one (B), and words (C), the first half of which fit the
default group: the positive ones. Synonyms (D) have the kind of the word in whose row they stand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack
from zlib import crc32

import numpy as np

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import Problem, known_names, stop_at
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.types import Groups
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.sources import files_of
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.prompts.prompt_items import number_setting, whole_setting
from tiltmeter.data.prompts.wording_files import packaged_wordings

SET = "word_association"
ASSOCIATION, DECISION = "association", "decision"
KINDS = ("positive", "negative")
ROLES = ("default", "stigma")
NAMES = {"arab/muslim": "arab", "arabmuslim": "arab", "mental illness": "mentalill"}
"""Stereotypes as the authors' stored answers call them."""
SYNONYM = "synonym"
WORDINGS = packaged_wordings(Path(__file__).with_name("wordings.toml"))
"""How a model is asked, by task, about the groups' names and about words."""
VARIATIONS = {
    ASSOCIATION: {"replication": "standard", "assign": "assign", "choose": "choose", SYNONYM: "standard"},
    DECISION: {"replication": "standard", SYNONYM: "standard"},
}  # fmt: skip
"""The wording of each variation, by task. In a wording that is named those that differ in nothing else from
another are left out."""
SETTINGS = (
    Setting(
        "runs",
        default="5",
        summary="How often each list is asked with each wording, names and order drawn anew.",
    ),
    Setting("drawn", default="0", summary="Seed of the draw of names and orders."),
    Setting("temperature", default="1", summary="At which replies are written."),
    Setting("categories", default="all", summary="Names of stereotypes, separated by commas."),
    Setting(
        "tasks",
        default="association, decision",
        summary="Lists of words, choices between two people, or both.",
    ),
    WORDING,
)


@dataclass(frozen=True, slots=True)
class _Row:
    dataset: FilledCell
    category: Cell = ""
    A: Cell = ""
    B: Cell = ""
    C: Cell = ""
    D: Cell = ""


@dataclass(frozen=True, slots=True)
class Stereotype:
    """Two groups and the words that a stereotype links with them, all in lower case."""

    domain: str
    names: Mapping[str, str]
    """The role, of ROLES, of the group that each name stands for."""
    words: Mapping[str, str]
    """The kind of each word."""
    synonyms: Mapping[str, str]

    def item(
        self, key: str, words: Mapping[str, str], groups: Groups, prompt: str = "",
        names: Sequence[str] = (), temperature: float = 0,
    ) -> PromptedText:  # fmt: skip
        """A prompt about words, with the kind of each, and names; all names if none are given."""
        options = tuple(names or self.names)
        return PromptedText(
            key, ", ".join(words), Prompt((Message("user", prompt),)), options, words=words,
            roles=tuple(self.names[name] for name in options), max_tokens=12 * len(words),
            temperature=temperature, groups={"domain": self.domain, **groups},
        )  # fmt: skip


def read_stimuli(
    files: Sequence[Path], *, skip_invalid: bool = False, encoding: str = ""
) -> tuple[dict[str, Stereotype], list[Problem]]:
    """The stereotypes of files by name, of which the first says which words count; and unusable rows.

    Raises:
        BadInput: A file is not in this layout.
        BadItems: A stereotype lacks a group or words, or rows cannot be used and are not to be skipped.
    """
    made: dict[str, Stereotype] = {}
    problems: list[Problem] = []
    for path in files:
        rows = UserRows(_Row, path, encoding=encoding, more=("A", "B", "C"), texts=None)
        by_name: dict[str, list[_Row]] = {}
        for _, row in rows:
            by_name.setdefault(NAMES.get(row.dataset, row.dataset), []).append(row)
        for name, listed in by_name.items():
            known = _stereotype(listed, made.get(name))
            if {*known.names.values()} == {*ROLES} and {*known.words.values()} == {*KINDS}:
                made[name] = known
            else:
                reason = f"{name} has no name of one of the groups, or fewer than two words"
                rows.complain(0, reason, "fill in A, B and C")
        problems += rows.problems
    stop_at(problems, skip_invalid=skip_invalid)
    return made, problems


def _stereotype(rows: Sequence[_Row], before: Stereotype | None) -> Stereotype:
    listed = [row.C.lower() for row in rows if row.C]
    words = {word: KINDS[at >= len(listed) // 2] for at, word in enumerate(listed)}
    kinds = before.words if before else words
    names = {row.A.lower(): ROLES[0] for row in rows} | {row.B.lower(): ROLES[1] for row in rows}
    synonyms = {
        row.D.lower(): kinds[row.C.lower()] for row in rows if row.D and row.C.lower() in kinds
    }
    domain = "health" if rows[0].category == "age" else rows[0].category  # as in the stored answers
    return Stereotype(domain, {n: role for n, role in names.items() if n}, kinds, synonyms)


def load_word_association(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[PromptedText]:
    """Prompts made of the registered stimuli, or of a file in their layout."""
    values = with_defaults(SETTINGS, settings)
    files, about = files_of(source, SET, (SET,))
    stereotypes, invalid = read_stimuli(files, **reading)
    wanted = known_names("category", _listed(values["categories"]), {"all", *stereotypes})
    kept = {n: s for n, s in stereotypes.items() if "all" in wanted or n in wanted}
    return replace(about, items=[*_asked(kept, values)], invalid=invalid)


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _asked(kept: Mapping[str, Stereotype], values: Mapping[str, str]) -> Iterator[PromptedText]:
    """The prompts: every list and every decision, repeated as often as the setting `runs` says."""
    runs, seed = (whole_setting(values, n, 0, n == "runs", 2**31) for n in ("runs", "drawn"))
    temperature = number_setting(values, "temperature", 1, 0, 2)
    tasks = known_names("task", _listed(values["tasks"]), (ASSOCIATION, DECISION))
    named = values[WORDING.name]
    variations = [(task, *pair) for task in VARIATIONS for pair in VARIATIONS[task].items()]
    for task, variation, usual in variations:
        if named and usual != "standard":
            continue
        for category, of in kept.items() if task in tasks else ():
            words = of.synonyms if variation == SYNONYM else of.words
            for run in range(runs if words else 0):
                key = f"{task}/{category}/{variation}/{run}"
                rng = np.random.default_rng([seed, crc32(key.encode())])
                order = rng.permutation([*words]).tolist()
                if task == DECISION:  # the first word of each kind
                    first = {words[word]: word for word in reversed(order)}
                    order = [word for word in order if first[words[word]] == word]
                shuffled = {of.names[name]: name for name in rng.permutation([*of.names]).tolist()}
                names = rng.permutation([*shuffled.values()]).tolist()
                groups = {"task": task, "category": category, "variation": variation,
                          "first_named": of.names[names[0]]}  # fmt: skip
                filled_in = {"names": " or ".join(names), "words": ", ".join(order)}
                prompt = WORDINGS.put(task, named or usual, filled_in)
                yield of.item(key, {w: words[w] for w in order}, groups, prompt, names, temperature)


def sample_word_association() -> Dataset[PromptedText]:
    """Cats and dogs, about which a made-up stereotype says something."""
    words, synonyms = ({"loyal": KINDS[0], "sly": KINDS[1]}, {"mild": KINDS[0], "shy": KINDS[1]})
    pets = Stereotype("pets", {"dog": "default", "cat": "stigma"}, words, synonyms)
    items = [*_asked({"cat": pets}, with_defaults(SETTINGS, {"runs": "1"}))]
    return Dataset("word_association sample", "1", items, "made up", "CC0 1.0")
