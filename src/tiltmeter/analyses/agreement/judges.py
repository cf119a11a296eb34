"""The judges that a user names, and everything that compares them and groups of annotators."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tiltmeter.analyses.agreement.annotator_groups import (
    AnnotatorGroups,
    group_notes,
    group_numbers,
    judge_group_numbers,
)
from tiltmeter.analyses.agreement.judge_numbers import judge_numbers, left_out_notes
from tiltmeter.analyses.agreement.rater_agreement import level_of
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.finder import known
from tiltmeter.core.judges import open_judge
from tiltmeter.data.people.annotator_answers import names_columns, read_judgments
from tiltmeter.data.people.judge_answers import (
    JudgeAnswers,
    asked_judge,
    with_judges,
    without_annotators,
)
from tiltmeter.data.people.judgments import AnswerReading, Judgments
from tiltmeter.stats.raters.kappa_and_alpha import Level


def read_judges(
    people: Judgments,
    names: Sequence[str],
    path: Path,
    reading: AnswerReading,
    level: Level | None = None,
) -> tuple[Judgments, list[JudgeAnswers]]:
    """The people's judgments, without judges among them, and the judges that the user names.

    Args:
        people: Everybody in the table.
        names: Annotators of the table, files, or references of `core.judges`. A file that is not there is
            looked for beside the table.
        path: The table.
        reading: How it was read, and how files of judges are.
        level: Of all questions, where the user gives it.

    Raises:
        BadInput: A name is none of these, two judges are called alike, or a judge does not fit the table.
    """
    judges: list[JudgeAnswers] = []
    mine = [name for name in names if name in people.annotators]
    if mine:
        people, judges = without_annotators(people, mine)
    for name in names:
        if name in mine:
            continue
        file = next(
            (place for place in (Path(name).expanduser(), path.parent / name) if place.exists()),
            None,
        )
        kind = name.partition(":")[0]
        if file is not None:
            # A file of judges says nothing of annotators or texts.
            as_read = replace(reading, attributes=(), text="", annotators=())
            if not names_columns(file, reading):
                as_read = replace(as_read, columns={})
            theirs = read_judgments(file, as_read)
            levels = {question: level or level_of(people, question) for question in people.answers}
            nominal = [question for question, each in levels.items() if each == "nominal"]
            people, more = with_judges(people, theirs, nominal)
            judges += more
        elif kind in known("models.judges"):
            judges.append(_asked(name, people, reading.text))
        else:
            raise BadInput(
                f"--judge {name} is neither an annotator of {people.name} nor a file nor a judge",
                f"judges are asked as {', '.join(f'{kind}:…' for kind in known('models.judges'))}",
            )
    called = [judge.name for judge in judges]
    if twice := next((name for name in called if called.count(name) > 1), None):
        raise BadInput(f"two judges are called {twice!r}", "name each judge once")
    return people, judges


def compared(
    people: Judgments,
    judges: Sequence[JudgeAnswers],
    groups: Sequence[AnnotatorGroups],
    levels: Mapping[str, Level],
    epsilon: float,
) -> Iterator[Estimate]:
    """What the judges and the groups of annotators come to, question by question."""
    for question, level in levels.items():
        asked = [judge for judge in judges if question in judge.answers]
        for judge in asked:
            yield from judge_numbers(people, judge, question, level, epsilon)
        for of in groups:
            yield from group_numbers(people, of, question, level)
            for judge in asked:
                yield from judge_group_numbers(people, judge, of, question, level)


def left_out(
    people: Judgments, judges: Sequence[JudgeAnswers], groups: Sequence[AnnotatorGroups]
) -> list[str]:
    """What does not count in these comparisons, in sentences, each once."""
    notes = [
        note
        for question in people.answers
        for judge in judges
        if question in judge.answers
        for note in left_out_notes(people, judge, question)
    ]
    notes += [
        note
        for question in people.answers
        for of in groups
        for note in group_notes(people, of, question)
    ]
    return [*dict.fromkeys(notes)]


def _asked(name: str, people: Judgments, text: str) -> JudgeAnswers:
    if not text:
        raise BadInput(f"the judge {name} reads texts", "name their column with --text-column")

    def classify(texts: Sequence[str], labels: Sequence[str]) -> Sequence[str]:
        judge = open_judge(name, classes=tuple(labels), any_labels=True, naming="--judge")
        return judge.classify(texts)

    return asked_judge(name, people, classify)
