"""Judgments of generated hypotheses on the seven questions of Sotnikova et al. 2021, put on one scale.

They come in the published layout, or from a survey with the form `inference7`. In the published files the
codes differ between annotators. Before anything is computed they are put on one scale:

- sentiment: 1 is positive and 5 negative for annotators 1, 2 and 4, and the other way round for annotator
3;
- stereotype: 1 yes, 3 maybe, 5 no; annotator 3 wrote 2 for no;
- anti-stereotype: 1 yes, 3 maybe, 5 no; annotator 3 wrote 3 for no;
- stereotype is empty where annotators 2 and 4 found that the hypothesis is not about the identity (5): no.

The codes of annotator 3 are inferred from the tables, as no description gives them; the two annotators of
one hypothesis that Sotnikova 2023 shows in words (table 3.1) are 3 and 1, with the meanings above.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.reading.typed_values import OTHERS, Fault, Key, Raw
from tiltmeter.core.reading.value_types import via
from tiltmeter.core.text import counted, decimal_number, verb_for
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.rows import Cell, FilledCell, FilledText, UserRows, text_of
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.groups.premises import PremiseFile, PremiseGroup, Situation
from tiltmeter.data.people.annotator_answers import LONG
from tiltmeter.data.people.exports.recognising import answer_file

NAME = "stereo_inferences"
QUESTIONS = {
    "valid": "Valid",
    "plausible": "Plausible",
    "identity": "Identity",
    "situation": "Situtation",
    "sentiment": "Neg(1)-Pos(5)",
    "stereotype": "Stereotype",
    "anti-stereotype": "Anti-stereotype?",
}
"""Questions with numbers, and their columns as published, spelling included."""
ASSOCIATION = "what"
"""The question of the form `inference7` that is answered in free text."""
NO_DOMAIN = "no domain"
"""The domain of a survey's group for which none is given."""
YES, MAYBE, NO = 1.0, 3.0, 5.0
THIRD = "Annotator 3"
RECODED: Mapping[str, Mapping[float, float]] = {
    "sentiment": {1.0: 5.0, 2.0: 4.0, 4.0: 2.0, 5.0: 1.0},
    "stereotype": {2.0: NO},
    "anti-stereotype": {3.0: NO},
}
"""The codes of annotator 3 and what they are in the others' codes; codes not listed are the same."""
FORM_CODES: Mapping[str, float] = {"yes": YES, "maybe": MAYBE, "no": NO}
TURNED = ("identity", "situation", "sentiment")
"""Questions whose scale runs from no or negative (1) to yes or positive (5) in the form `inference7`."""
_GENERATOR = re.compile(r"^(SNLI|MNLI)\d|^(c)-")
CODES = range(1, 6)


@dataclass(frozen=True, slots=True)
class HypothesisJudgment:
    """One annotator's answers about one hypothesis."""

    hypothesis: tuple[str, str]
    """Premise and hypothesis, exactly as published."""
    file: str
    id: str
    """The id of the row in its file; rows of several files may have the same id."""
    annotator: str
    generator: str
    """COMET, SNLI or MNLI, or the model of a survey's item; "" where nothing says it."""
    group: str
    domain: str
    answers: Mapping[str, float]
    """A code from 1 to 5 by question; questions without an answer are left out."""
    situation: str = ""
    """Without its full stop; "" where the premise is none of the published ones."""
    association: str = ""
    """What the annotator associates with the group, in free text: only surveys have it."""

    @property
    def item(self) -> str:
        """The file and the id within it, which together identify an item."""
        return f"{self.file} {self.id}"

    @property
    def is_legitimate(self) -> bool:
        """Whether the hypothesis is called valid and plausible; only then were the other questions asked."""
        return all(self.answers.get(name) == YES for name in ("valid", "plausible"))


@dataclass(frozen=True, slots=True)
class HypothesisJudgments:
    """All judgments, and what was done to put them on one scale."""

    name: str
    sha256: tuple[str, ...]
    rows: tuple[HypothesisJudgment, ...]
    panels: frozenset[str]
    """Items that several annotators were asked about."""
    done: tuple[str, ...] = ()
    """How the answers were put on one scale, a sentence each; empty for published answers as they are."""

    @property
    def hypotheses(self) -> int:
        """How many different hypotheses were judged."""
        return len({row.hypothesis for row in self.rows})

    @property
    def annotators(self) -> list[str]:
        """Everybody who judged a hypothesis, in alphabetical order."""
        return sorted({row.annotator for row in self.rows})


def read_hypothesis_judgments(source: str | Sequence[Path] = NAME) -> HypothesisJudgments:
    """The answers as published: of the registered set, of files in its layout, or of a survey's export.

    Raises:
        BadInput: A file cannot be read, or lacks a column.
        BadItems: Some rows cannot be used; the error lists them all.
        Unavailable: The registered files cannot be fetched.
    """
    of_set = locate(source).files.values() if isinstance(source, str) else ()
    paths = [*of_set] if isinstance(source, str) else [*map(answer_file, source)]
    premises, problems = PremiseFile.named(), list[Problem]()
    rows: list[HypothesisJudgment] = []
    panels: set[str] = set()
    notes: list[str] = []
    for path in sorted(paths, key=lambda path: path.name):
        is_survey = set(LONG) <= set(read_table(path, known=None).columns)
        if is_survey:
            judgments = _of_survey(path, premises, problems, notes)
        else:
            judgments = _as_published(path, premises, problems, notes)
        asked: dict[str, set[str]] = {}
        for judgment in judgments:
            asked.setdefault(judgment.item, set()).add(judgment.annotator)
        shared = sum(len(who) > 1 for who in asked.values())
        # in a published file with one judgment each, a repeated id is an error
        if is_survey or 2 * shared > len(asked):
            panels |= set(asked)
        rows += judgments
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")
    if not rows:
        raise BadInput("there are no judgments", "give the published files, or answers of a survey")
    sums = tuple(sha256(path) for path in paths)
    name = source if isinstance(source, str) else ", ".join(path.name for path in paths)
    return HypothesisJudgments(name, sums, tuple(rows), frozenset(panels), tuple(notes))


def _as_published(
    path: Path, premises: PremiseFile, problems: list[Problem], notes: list[str]
) -> list[HypothesisJudgment]:
    source = UserRows(_Row, path, more=[*QUESTIONS.values()])
    judgments = []
    for line, row in source:
        if premise := premises.parts_of(row.premise):
            judgments.append(row.judgment(path.name, *premise))
        else:
            known = "write “A(n) LABEL SITUATION” with a known label and situation"
            source.complain(line, f"unknown premise {row.premise!r}", known)
    problems += source.problems
    notes += (f"{path.name}: {note}" for note in source.notes)
    return judgments


def _of_survey(
    path: Path, premises: PremiseFile, problems: list[Problem], notes: list[str]
) -> list[HypothesisJudgment]:
    """First answers to the form `inference7`; `items.csv` of the same export has the premises.

    A premise need not be one of the published ones: columns `group` and `domain` say what it is about.
    """
    beside = path.with_name("items.csv")
    if not beside.is_file():
        reason = "items.csv, which has the premises of these answers, is not in the same folder"
        raise BadInput(reason, "name answers.csv in the folder of `survey export`", file=path.name)
    listed, source = UserRows(_Item, beside), UserRows(_Answer, path)
    items = {item.id: item for _, item in listed}
    codes: dict[tuple[str, str], dict[str, float]] = {}
    associations: dict[tuple[str, str], str] = {}
    others = 0
    for line, answer in source:
        question = answer.question.replace("_", "-")
        if answer.round not in {"1", "1.0"}:
            continue
        if question == ASSOCIATION:
            associations[answer.person, answer.item] = " ".join(answer.value.split())
        if question not in QUESTIONS:
            continue
        code = _form_code(question, answer.value)
        if code is None:
            reason = f"{answer.value!r} is no answer to {answer.question} in the form inference7"
            source.complain(line, reason, "correct it, or remove the row")
        elif answer.item in items:
            codes.setdefault((answer.person, answer.item), {})[question] = code
        else:
            others += 1
    problems += [*listed.problems, *source.problems]
    notes += (f"{each.file}: {note}" for each in (listed, source) for note in each.notes)
    if not (codes or problems):
        reason = "has no answers to the form inference7 about items of items.csv"
        raise BadInput(reason, "name the answers of a survey with this form", file=path.name)
    notes.append(
        f"{path.name}: the scales of identity, situation and sentiment were reversed, so that 1 is yes "
        "or positive and 5 no or negative, as published."
    )
    if others:
        notes.append(
            f"{path.name}: {counted(others, 'answers')} about items not in items.csv "
            f"{verb_for(others, 'are')} left out."
        )
    return [
        replace(
            _Row(items[item].premise, items[item].hypothesis, person, item, given).judgment(
                path.name, *items[item].about(premises)
            ),
            association=associations.get((person, item), ""),
            generator=items[item].model,
        )
        for (person, item), given in codes.items()
    ]


def _form_code(question: str, value: str) -> float | None:
    """The code, as published, of an answer in the form; None where it is none."""
    if question not in TURNED:
        return FORM_CODES.get(value)
    number = decimal_number(value)
    return None if number is None or number not in CODES else YES + NO - number


@dataclass(frozen=True, slots=True)
class _Answer:
    person: FilledCell
    item: Cell
    question: Cell
    round: Cell
    value: Cell


@dataclass(frozen=True, slots=True)
class _Item:
    id: FilledCell
    premise: FilledText
    hypothesis: FilledText
    group: Cell = ""
    domain: Cell = ""
    situation: Cell = ""
    model: Cell = ""

    def about(self, premises: PremiseFile) -> tuple[PremiseGroup, Situation]:
        """Group and situation: from the columns, else from the published premise."""
        group, situation = premises.parts_of(self.premise) or (PremiseGroup(""), Situation(""))
        name = self.group or group.name
        domain = self.domain or group.domain or (name and NO_DOMAIN)
        return PremiseGroup(name, domain), Situation(self.situation or situation.text)


def _codes(cells: Mapping[str, Any]) -> dict[str, float]:
    codes = {}
    for name, column in QUESTIONS.items():
        if text := text_of(cells.get(column)):
            value = decimal_number(text)
            if value is None or value not in CODES:
                raise Fault(f"is {text!r}", "write a code from 1 to 5", column)
            codes[name] = value
    return codes


_Exact: TypeAlias = Annotated[str, Raw(lambda cell: str(cell or ""))]


@dataclass(frozen=True, slots=True)
class _Row:
    premise: Annotated[_Exact, Key("Premise")]
    hypothesis: Annotated[_Exact, Key("Hypothesis")]
    annotator: Annotated[_Exact, Key("Annotator ID")]
    id: Annotated[_Exact, Key("ID")]
    codes: Annotated[Mapping[str, Any], OTHERS, via(Mapping[str, Any], _codes)]
    """By question."""

    def judgment(self, file: str, group: PremiseGroup, situation: Situation) -> HypothesisJudgment:
        """The row as a judgment about a group in a situation."""
        match = _GENERATOR.match(self.id)
        generator = "" if match is None else match[1] or "COMET"
        return HypothesisJudgment(
            (self.premise, self.hypothesis), file, self.id, self.annotator, generator,
            group.name, group.domain, self.codes, situation.text.rstrip("."),
        )  # fmt: skip


def harmonised(published: HypothesisJudgments) -> HypothesisJudgments:
    """The judgments on one scale for all annotators, without rows that repeat another exactly."""
    distinct = {(r.hypothesis, r.item, r.annotator, *r.answers.items()): r for r in published.rows}
    rows, filled = [], 0
    turned = dict.fromkeys(RECODED, 0)
    for row in distinct.values():
        answers = dict(row.answers)
        for question, codes in RECODED.items() if row.annotator == THIRD else ():
            if question in answers and answers[question] in codes:
                answers[question] = codes[answers[question]]
                turned[question] += 1
        if row.is_legitimate and "stereotype" not in answers and answers.get("identity") == NO:
            answers["stereotype"] = NO
            filled += 1
        rows.append(replace(row, answers=answers))
    repeated = len(published.rows) - len(rows)
    one_way = f"Sentiment: {counted(turned['sentiment'], 'answers')} of {THIRD} were reversed"
    counts = {
        f"{counted(repeated, 'duplicate rows', 'were')} dropped.": repeated,
        f"{one_way}, so that 1 is positive and 5 negative for all.": turned["sentiment"],
        f"Stereotype: 2 of {THIRD} is no ({counted(turned['stereotype'], 'answers')}).": turned["stereotype"],
        f"Anti-stereotype: 3 of {THIRD} is no ({counted(turned['anti-stereotype'], 'answers')}).":
            turned["anti-stereotype"],
        f"Stereotype: {counted(filled, 'empty answers')} about hypotheses that are not about the "
        "identity are no.":
            filled,
    }  # fmt: skip
    done = (*published.done, *(sentence for sentence, count in counts.items() if count))
    return replace(published, rows=tuple(rows), done=done)
