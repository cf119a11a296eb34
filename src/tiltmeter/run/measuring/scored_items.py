"""Scores items by a rule without computing estimates, for sentences that someone wants to look at."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.data.items import Dataset, Pair, Sentence
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run import jobs
from tiltmeter.run.measuring.measure import facts_of, of_rule
from tiltmeter.run.measuring.portions import score_items
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.run_plan import plan_model
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.stored_answers.cached_model import CachedModel

OF_TWO, OF_ANY = "pairs", "perplexity"
"""The studies whose rules score two sentences as a pair, and any number of sentences one by one."""
SOURCE = "sentences of the user"
TWO = 2


@dataclass(frozen=True, slots=True)
class ScoredItems:
    """The records of some items, and the model, rule and convention that scored them."""

    records: Sequence[Record]
    model: Mapping[str, Any]
    """Facts about the model, including its name."""
    rule: Rule[Any]
    convention: str
    notes: Sequence[Note] = field(default_factory=tuple)
    per_token: bool = False
    """Whether the scores of single tokens were requested."""


def items_of_sentences(
    sentences: Sequence[str], rule: str | None = None
) -> tuple[Study[Any], Dataset[Any]]:
    """The study whose rules can score these sentences, and the sentences as items of that study.

    Two sentences make a pair, unless `rule` scores one sentence at a time.

    Raises:
        BadInput: There are no sentences, one is empty, the two are equal, or the rule needs exactly two.
        UnknownName: No rule has this name.
    """
    if not sentences:
        raise BadInput("there is no sentence to score", "give one or more")
    for i, text in enumerate(sentences, 1):
        if not text.strip():
            raise BadInput(f"sentence {i} is empty", "write it, or leave it out")
    two: Study[Any] = find("studies", OF_TWO, "STUDY")
    one_by_one: Study[Any] = find("studies", OF_ANY, "STUDY")
    rules = {r.name for r in two.rules}, {r.name for r in one_by_one.rules}
    if rule is not None and rule not in rules[0] | rules[1]:
        raise UnknownName("rule for sentences", rule, rules[0] | rules[1])
    if len(sentences) == TWO and (rule is None or rule in rules[0]):
        first, second = sentences
        if first == second:
            raise BadInput("both sentences are the same", "change one of them")
        pair = Pair("1", first, second)
        return two, Dataset(SOURCE, "", [pair], SOURCE, "not stated")
    if rule is not None and rule not in rules[1]:
        there = "is one" if len(sentences) == 1 else f"are {len(sentences):,}"
        raise BadInput(
            f"the rule {rule} compares two sentences, and there {there}",
            f"give two, or name a rule for single sentences: {', '.join(sorted(rules[1]))}",
        )
    items = [Sentence(str(i), text) for i, text in enumerate(sentences, 1)]
    return one_by_one, Dataset(SOURCE, "", items, SOURCE, "not stated")


def score_only(
    study: Study[Any],
    model: str | Resolved,
    options: RunOptions,
    opening: Options,
    monitor: Monitor,
    *,
    per_token: bool = False,
) -> ScoredItems:
    """Score the items that the options name; the records are in the order of the items.

    Raises:
        TiltmeterError: There is no such rule or model, or items cannot be scored.
    """
    plan = plan_model(study, model, options, opening, monitor)
    if plan.ensemble is not None:
        raise BadInput("an ensemble is scored on a study", "use run, or give a single model")
    (member,) = plan.members
    chosen = member.chosen
    data = of_rule(load_items(study, options, monitor), chosen.rule)
    context = Context(
        chosen.convention, options.seed, options.skip_invalid,
        settings=chosen.settings, per_token=per_token,
    )  # fmt: skip
    with jobs.session(monitor) as session:
        opened: AbstractContextManager[Any] = session.opener.open(
            member.where, jobs.opening_of(opening, options)
        )
        with opened as asked, monitor.questions(member.where.reference) as progress:
            cached = CachedModel(asked, session.store, progress, fresh=options.fresh)
            records = score_items(chosen.rule, cached, data.items, context)
            facts = facts_of(cached)
    notes = tuple(dict.fromkeys((*data.notes, *context.notes)))
    return ScoredItems(records, facts, chosen.rule, chosen.convention.name, notes, per_token)
