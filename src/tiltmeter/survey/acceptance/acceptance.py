"""What an export of validated pairs or triples leaves: accepted, rejected and why, and what chance would."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from tiltmeter.core.errors import BadInput, BadItems, Problem, Undefined
from tiltmeter.data.people.pair_votes import (
    DIRECTIONS,
    MINIMAL,
    PAIR_QUESTIONS,
    Direction,
    PairVote,
)
from tiltmeter.stats.raters.acceptance_by_chance import chance_of_acceptance, chance_of_triple
from tiltmeter.stats.raters.kappa_and_alpha import average_majority, coded
from tiltmeter.survey.acceptance.accept import (
    NEEDED_PAIR,
    NEEDED_TRIPLE,
    accept_pair,
    accept_triple,
)
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form, SurveyItem
from tiltmeter.survey.form_file import read_form, with_items
from tiltmeter.survey.formats.cells import Cell
from tiltmeter.survey.formats.item_answers import ItemAnswer, item_questions, read_answers
from tiltmeter.survey.questions.triple import CONTINUATIONS

NO_TYPE = "none"
"""The answer that a pair is about no type of bias."""
SIDES = {"stereotype": "stereotype", "anti-stereotype": "anti_stereotype", "unrelated": "unrelated"}
"""The column of accepted triples for each label."""
Row = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The outcome of a validation."""

    kind: str
    """What the study validates: "pairs" or "triples"."""
    accepted: tuple[Row, ...] = ()
    """In the layout that `tiltmeter run` reads."""
    rejected: tuple[Row, ...] = ()
    """With the reason in the column `why`."""
    people: Mapping[int, int] = field(default_factory=dict)
    """How many items so many people have validated; the writer is not counted."""
    agreement: float | None = None
    """Average majority in percent: on whether a pair is valid, the writer counted; on each label of a
    triple."""
    why: str = ""
    """Why agreement has no value."""
    chance: float = 0.0
    """The share that would be accepted if everybody who validates answered at random."""
    needed: int = 0
    """How many votes an item needed: for a pair, the writer's counted; on each label of a triple."""

    @property
    def verdicts(self) -> tuple[Row, ...]:
        """A row for each item, in the layout that `tiltmeter run --valid` reads: id, valid and why not."""
        accepted = [{"id": row["id"], "valid": "yes", "why": ""} for row in self.accepted]
        rejected = [{"id": row["id"], "valid": "no", "why": row["why"]} for row in self.rejected]
        return (*accepted, *rejected)

    @property
    def study(self) -> str:
        """The study that scores what was accepted."""
        return {"pairs": "pairs", "triples": "stereoset"}[self.kind]

    @property
    def reasons(self) -> Counter[str]:
        """How many items were rejected for each reason."""
        return Counter(str(row["why"]) for row in self.rejected)


def read_export(folder: Path, *, encoding: str = "") -> tuple[Form, list[ItemAnswer]]:
    """The form with its items, and the answers, of a folder that `tiltmeter survey export` wrote.

    Raises:
        BadInput: A file is missing, or is not what an export has.
        BadItems: Rows that cannot be read.
    """
    for name in ("form.toml", "items.csv", "answers.csv"):
        if not (folder / name).is_file():
            way_out = "give a folder written by tiltmeter survey export, after people have answered"
            raise BadInput(f"has no {name}", way_out, file=str(folder))
    form = with_items(read_form(folder / "form.toml"), folder / "items.csv", encoding=encoding)
    return form, read_answers(folder / "answers.csv", form, encoding=encoding)


def acceptance(form: Form, answers: Iterable[ItemAnswer], needed: int | None = None) -> Acceptance:
    """Decide on every item of a study that validates pairs or triples (`survey.acceptance.accept`).

    Args:
        form: With its items. Pairs have the texts sentence_1, sentence_2 and direction ("stereo" or
            "antistereo", as the writer said of the first sentence), and perhaps bias_type; triples
            have context, a, b, c and target, and perhaps domain.
        answers: Answers of people to the form's questions; only complete ones count.
        needed: How many votes an item needs; None for as many as the paper's.

    Raises:
        BadInput: The form validates neither, or no item could have so many votes.
        BadItems: Items without a text that is needed.
    """
    questions = item_questions(form)
    pairs = {*PAIR_QUESTIONS} <= questions.keys()
    if not pairs and not {*CONTINUATIONS} <= questions.keys():
        way_out = "use validate_pairs or validate_triples, or a form with their questions"
        raise BadInput(f"the form {form.name!r} validates neither pairs nor triples", way_out)
    _refuse_gaps(form, ("direction",) if pairs else ("target",))
    names = PAIR_QUESTIONS if pairs else CONTINUATIONS
    votes = _votes(answers, names)
    votes_by_item = [(item, votes[item.key]) for item in form.items if item.kind == "real"]
    people = Counter(len(item_votes) for _, item_votes in votes_by_item)
    usual = form.sampling.votes or max(people, default=0, key=lambda n: (people[n], n))
    asked, needed = needed, needed or (NEEDED_PAIR if pairs else NEEDED_TRIPLE)
    if asked and people and needed > (most := max(people) + pairs):
        raters = "the writer and those who validated it" if pairs else "those who validated it"
        reason = f"{needed} votes are needed, and no item has more than {most} ({raters})"
        raise BadInput(reason, "set --needed lower, or ask more people")
    if pairs:
        rows = [_pair(_texts(item, form), item_votes, needed) for item, item_votes in votes_by_item]
        ratings = [  # the writer, who holds the pair for valid, is the first rater
            [True, *(vote.more != 0 for vote in map(_pair_vote, item_votes))]
            for _, item_votes in votes_by_item
        ]
        chance = chance_of_acceptance(usual, needed)
    else:
        rows = [
            _triple(_texts(item, form), item_votes, needed) for item, item_votes in votes_by_item
        ]
        ratings = [
            [*column] for _, item_votes in votes_by_item for column in zip(*item_votes, strict=True)
        ]
        chance = chance_of_triple(usual, needed)
    agreement, why = _agreement(ratings)
    return Acceptance(
        "pairs" if pairs else "triples",
        tuple(row for row in rows if "why" not in row),
        tuple(row for row in rows if "why" in row),
        dict(sorted(people.items())),
        agreement,
        why,
        chance,
        needed,
    )


def _refuse_gaps(form: Form, needed: Sequence[str]) -> None:
    values = {"direction": "stereo or antistereo", "target": "the term that the triple is about"}
    problems = [
        Problem(f"item {item.key!r} has no {name}", f"add a column {name} with {values[name]}")
        for item in form.items
        for name in needed
        if item.kind == "real" and not item.texts.get(name)
    ]
    if problems:
        raise BadItems(problems, way_out="Add it to items.csv.")


def _votes(answers: Iterable[ItemAnswer], names: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    """Complete answers by item, in the order of the questions."""
    given: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for answer in answers:
        if answer.round == FIRST:
            given[answer.item, answer.annotator][answer.question] = str(answer.value)
    votes: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for (item, _), values in given.items():
        if all(name in values for name in names):
            votes[item].append(tuple(values[name] for name in names))
    return votes


def _texts(item: SurveyItem, form: Form) -> dict[str, str]:
    return {"id": item.key, **{name: form.say(words) for name, words in item.texts.items()}}


def _pair_vote(answers: tuple[str, ...]) -> PairVote:
    first, second, minimal, kind = answers
    return PairVote(
        cast("Direction", first), cast("Direction", second), minimal == MINIMAL,
        "" if kind == NO_TYPE else kind,
    )  # fmt: skip


def _pair(texts: Mapping[str, str], votes: Sequence[tuple[str, ...]], needed: int) -> Row:
    direction = texts["direction"]
    if direction not in DIRECTIONS[:2]:
        way_out = f"write {DIRECTIONS[0]} or {DIRECTIONS[1]}"
        raise BadInput(f"item {texts['id']!r}: the direction is {direction!r}", way_out)
    kind = texts.get("bias_type", "")
    writer = PairVote(direction, "neither", minimal=True, bias_type=kind)
    decision = accept_pair(writer, [_pair_vote(vote) for vote in votes], needed)
    both = texts["sentence_1"], texts["sentence_2"]
    if not decision.accepted or _overlap(*both):
        why = decision.why or "one sentence contains the other"
        return {"id": texts["id"], "why": why, "votes": decision.votes, "sentence_1": both[0],
                "sentence_2": both[1]}  # fmt: skip
    more, less = both if decision.more == 1 else both[::-1]
    return {"id": texts["id"], "sent_more": more, "sent_less": less,
            "stereo_antistereo": decision.direction, "bias_type": decision.bias_type}  # fmt: skip


def _overlap(first: str, second: str) -> bool:
    """Whether one sentence contains the other: such pairs were removed from CrowS-Pairs (section 2)."""
    first_words, second_words = (text.casefold().strip(" .!?") for text in (first, second))
    return first_words in second_words or second_words in first_words


def _triple(texts: Mapping[str, str], votes: Sequence[tuple[str, ...]], needed: int) -> Row:
    decision = accept_triple(votes, needed)
    if not decision.accepted:
        names = ("id", "context", *CONTINUATIONS)
        return {**{name: texts[name] for name in names}, "why": decision.why, "votes": len(votes)}
    sides = {
        SIDES[label]: texts[name]
        for label, name in zip(decision.labels, CONTINUATIONS, strict=True)
    }
    about = {name: texts.get(name, "") for name in ("target", "domain")}
    return {"id": texts["id"], "context": texts["context"], **sides, **about}


def _agreement(ratings: Sequence[Sequence[object]]) -> tuple[float | None, str]:
    if not ratings:
        return None, "nobody has voted"
    try:
        return average_majority(coded([[*map(str, row)] for row in ratings])), ""
    except Undefined as none:
        return None, str(none)
