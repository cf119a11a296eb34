"""Rules: how items are scored by a model, and under which circumstances."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from tiltmeter.core.conventions import PAPER, Convention, Setting
from tiltmeter.core.errors import Problem, stop_at
from tiltmeter.core.model.protocols import Named
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note

T = TypeVar("T")


class _PlannedError(Exception):
    """Stops a rule that was only to build its requests."""


@dataclass(slots=True)
class Context:
    """What a rule gets besides model and items, and where it reports items that it cannot score."""

    convention: Convention = PAPER
    seed: int = 0
    skip_invalid: bool = False
    problems: list[Problem] = field(default_factory=list)
    settings: Mapping[str, str] = field(default_factory=dict)
    """Every setting of the study and of the rule, by name."""
    planning: bool = False
    """True where the rule runs only to find items that it cannot score: `settle` stops it before the
    model is asked."""
    notes: list[Note] = field(default_factory=list)
    """Notes for the result, besides those of the data; a rule may add them once for each portion."""
    ruled_out: list[Note] = field(default_factory=list)
    """Notes that some portion of the items contradicts."""
    per_token: bool = False
    """Whether records keep the scores of single tokens, as far as the rule has them."""
    _made: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What a rule needs in every portion and repeat, such as a judge: made the first time, then kept."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    def refuse(self, problem: Problem) -> None:
        """Report an item that has no defined score."""
        self.problems.append(problem)

    def add_unless_ruled_out(self, note: Note) -> None:
        """Add a note that is true only if it holds for every portion of the items."""
        if note not in self.ruled_out:
            self.notes.append(note)

    def rule_out(self, note: Note) -> None:
        """Withdraw such a note: a portion contradicts it."""
        self.ruled_out.append(note)
        self.notes[:] = [other for other in self.notes if other != note]

    def settle(self) -> None:
        """Stop if items were refused. To be called after all requests are built, before asking.

        Raises:
            BadItems: Items were refused, and they are not to be skipped. All are listed.
        """
        if self.planning:
            raise _PlannedError
        stop_at(self.problems, "items", skip_invalid=self.skip_invalid)


@dataclass(frozen=True, slots=True)
class ReplyScores:
    """Which scores of a record say what became of the replies to its item, 1 for a reply of which it is true.

    Every reply is one of these: answered, refused, unread (written, but not understood), cut off at the
    allowed length before it could be understood, cut off while the model was still thinking, or empty.
    """

    answered: tuple[str, ...]
    refused: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    thinking: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    thoughts: tuple[str, ...] = ("thought",)
    """1 for a reply with a thought, whatever became of it; `NAME_tokens` is how many tokens that has."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """For records with several replies: the name of each (`Record.replies`), which begins or ends the names
    of its scores, with the name of the text that it answers."""
    words: Mapping[str, str] = field(default_factory=dict)
    """By score: how a reply was read of which it is true, in a few words; "" for what its outcome says."""

    @property
    def by_outcome(self) -> dict[str, tuple[str, ...]]:
        """The names of the scores by outcome."""
        return {outcome: getattr(self, outcome) for outcome in OUTCOMES}

    def sided(self, sides: Mapping[str, str]) -> "ReplyScores":
        """The names of the scores by outcome, for records with several replies, each with its side in front.

        `sides` are the names of the replies, each with that of the text that it answers.

        >>> ReplyScores(("listed",)).sided({"before": "text", "after": "edited"}).answered
        ('before_listed', 'after_listed')
        """
        names = {
            outcome: tuple(f"{side}_{name}" for side in sides for name in named)
            for outcome, named in {**self.by_outcome, "thoughts": self.thoughts}.items()
        }
        words = {f"{side}_{name}": text for side in sides for name, text in self.words.items()}
        return ReplyScores(**names, sides=sides, words=words)

    def side_of(self, score: str) -> str:
        """The name of the reply that a score is about; "" where records have one reply."""
        ends = (
            side
            for side in self.sides
            if score.startswith(f"{side}_") or score.endswith(f"_{side}")
        )
        return next(ends, "")


OUTCOMES = ("answered", "refused", "unread", "cut", "thinking", "empty")
"""What becomes of a reply."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """How to turn a model's answers into scores. `score` is a plain function."""

    name: str
    needs: type
    """The protocol that the model must satisfy, as in `core.model.protocols`."""
    score: Callable[[Any, Sequence[T], Context], list[Record]]
    """From (model, items, context) to one record for each item that was not refused, in order."""
    summary: str
    """How a sentence is scored, in one sentence, for the report."""
    source: str
    task: str = ""
    """The `task` of the items that it scores; "" where a study has items of one kind."""
    at_once: bool = False
    """True where an item's score depends on the other items, so that all are scored together."""
    logarithms: bool = False
    """True where scores are sums or means of logarithms of probabilities, which are never above 0."""
    usual_for: type | None = None
    """The protocol of the models that are scored by this rule unless the user names another one; None: of all
    that satisfy `needs`."""
    replies: ReplyScores | None = None
    """For a rule by which the model writes: what became of its replies."""
    settings: tuple[Setting, ...] = ()
    """What this rule leaves to the user besides the study's settings; other rules do not have it."""


def given_rule(name: str, summary: str = "", source: str = "") -> Rule[Any]:
    """The rule of scores that are there already: it is asked for none."""

    def score(*_: object) -> list[Record]:
        raise AssertionError("all items are scored")

    return Rule(name, Named, score, summary, source)


def foreseen(rule: Rule[T], model: Any, items: Sequence[T], context: Context) -> list[Problem]:
    """The items that the rule cannot score, found before the model is asked."""
    ahead = replace(context, problems=[], planning=True)
    with suppress(_PlannedError):
        rule.score(model, items, ahead)
    return ahead.problems


def joined(rules: Sequence[Rule[T]]) -> Rule[T]:
    """Several rules as one, each scoring the items of its own task; a single rule is returned as is.

    >>> joined([given_rule("blank_logprob"), given_rule("next_sentence")]).name
    'blank_logprob+next_sentence'
    """
    if len(rules) == 1:
        return rules[0]
    return Rule(
        "+".join(rule.name for rule in rules),
        rules[0].needs,
        partial(_score_each, tuple(rules)),
        " ".join(f"{rule.task.capitalize()} items, {rule.name}: {rule.summary}" for rule in rules),
        "; ".join(dict.fromkeys(rule.source for rule in rules)),
        "+".join(rule.task for rule in rules),
        any(rule.at_once for rule in rules),
        all(rule.logarithms for rule in rules),
        replies=_joined_replies([rule.replies for rule in rules if rule.replies is not None]),
        settings=tuple(dict.fromkeys(setting for rule in rules for setting in rule.settings)),
    )


def _joined_replies(replies: Sequence[ReplyScores]) -> ReplyScores | None:
    names = {
        outcome: tuple(dict.fromkeys(name for one in replies for name in one.by_outcome[outcome]))
        for outcome in OUTCOMES
    }
    thoughts = tuple(dict.fromkeys(name for one in replies for name in one.thoughts))
    sides = {side: text for one in replies for side, text in one.sides.items()}
    words = {name: text for one in replies for name, text in one.words.items()}
    return ReplyScores(**names, thoughts=thoughts, sides=sides, words=words) if replies else None


def _score_each(
    rules: Sequence[Rule[Any]], model: Any, items: Sequence[Any], context: Context
) -> list[Record]:
    mine = {rule.name: [item for item in items if item.task == rule.task] for rule in rules}
    rules = [rule for rule in rules if mine[rule.name]]
    if not context.skip_invalid:  # all rules' problems are reported before any model time is spent
        for rule in rules[1:]:
            context.problems += foreseen(rule, model, mine[rule.name], context)
    records_by_item: dict[str, Record] = {}
    for rule in rules:
        records = rule.score(model, mine[rule.name], context)
        records_by_item |= {record.item: record for record in records}
    return [records_by_item[item.id] for item in items if item.id in records_by_item]
