"""Jobs, each one study of one model: they are planned before anything is loaded, then scored one by one.

Nothing here prints or writes result files: a `Monitor` receives the progress, and the caller decides what to
do with the results.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import Problem
from tiltmeter.core.model.model_names import names_given
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.core.results import Note, Result
from tiltmeter.core.study import Study
from tiltmeter.data.downloads import places
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run.asking.budget import RequestBudget
from tiltmeter.run.asking.manner import manner_of, thinking_note
from tiltmeter.run.asking.model_openers import LocalOpener, ModelOpener
from tiltmeter.run.asking.requests_under_way import RequestsUnderWay
from tiltmeter.run.files.repeatable_command import local_reference
from tiltmeter.run.measuring.ensemble import Ensemble, Member, combine, score_member
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import settings_of
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.option_effects import check_effect
from tiltmeter.run.planning.run_plan import ModelPlan, PlannedModel, plan_model, with_distinct_names
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.stored_answers.cached_model import CachedModel, RunProgress
from tiltmeter.run.stored_answers.store import STORE
from tiltmeter.run.stored_answers.store_thread import StoreThread


@dataclass(frozen=True, slots=True)
class Job:
    """One study of one model or ensemble, planned and ready to be scored."""

    study: Study[Any]
    items: Dataset[Any]
    plan: ModelPlan
    options: RunOptions
    opening: Options
    """The options with which the model is opened."""

    def __post_init__(self) -> None:
        """Apply the run's `skip_invalid` to files of word vectors too."""
        object.__setattr__(self, "opening", opening_of(self.opening, self.options))


def opening_of(opening: Options, options: RunOptions) -> Options:
    """The opening options of a run's models: those given, with `skip_invalid` as in the run's options."""
    return replace(opening, skip_invalid=options.skip_invalid)


@dataclass(frozen=True, slots=True)
class Session:
    """What all jobs of a command or call share: the store, the monitor, the opener and the budget."""

    store: StoreThread
    monitor: Monitor
    opener: ModelOpener = field(default_factory=LocalOpener)
    command: str = ""
    """The command that repeats the run, as recorded in the card; "" if there is none."""
    budget: RequestBudget | None = None
    """The limits on what all jobs together may ask and spend; None means no limits."""
    under_way: RequestsUnderWay = field(default_factory=RequestsUnderWay)
    """The requests that jobs are making, so that jobs at the same time make equal ones only once."""
    turn: StudyTurn | None = None
    """The job's turn among those that ask the model at the same time; None if no others do."""
    label: str = ""
    """What the display of progress calls the job; "" for the model's name."""


@contextmanager
def session(
    monitor: Monitor,
    *,
    opener: ModelOpener | None = None,
    command: str = "",
    keep: bool = True,
    budget: RequestBudget | None = None,
) -> Iterator[Session]:
    """Open a session that stores answers in the user's cache, or in memory only if `keep` is false."""
    with StoreThread(places.cache() / STORE if keep else None, monitor.warning) as store:
        yield Session(store, monitor, opener or LocalOpener(monitor), command, budget)


def plan_jobs(
    study: Study[Any],
    models: Sequence[str | Resolved],
    options: RunOptions,
    opening: Options,
    monitor: Monitor,
    *,
    names: Sequence[str] = (),
) -> list[Job]:
    """A job for each model, on the same items; all models are planned before the items are loaded.

    `names` are what results call the models: `REFERENCE=NAME`, or `NAME` of the only one.

    Raises:
        TiltmeterError: A model or file does not exist or cannot be read, or options do not fit together.
    """
    # Called only for their errors, so that a mistake in these is reported first.
    settings_of(study, options.settings, options.convention)
    manner_of(options)
    check_effect(study, options)
    distinct = {m if isinstance(m, str) else m.reference: m for m in models}
    given = names_given(names, distinct)
    plans = [
        replace(plan_model(study, model, options, opening, monitor), called=given.get(name, ""))
        for name, model in distinct.items()
    ]
    items = load_items(study, options, monitor)
    return [Job(study, items, plan, options, opening) for plan in with_distinct_names(plans)]


def score(job: Job, session: Session) -> Result:
    """Score the job's model, or the members of its ensemble, and compute the result.

    Raises:
        TiltmeterError: A model cannot be loaded or cannot answer, or items cannot be scored.
    """
    begun, count = time.monotonic(), Counter(asked=0, recalled=0)
    if job.plan.ensemble is None:
        (member,) = job.plan.members
        result = _score_one(job, member, session, count)
    else:
        result = _score_ensemble(job, job.plan.ensemble, session, count)
    return stamped(result, begun, session.command, count)


def stamped(
    result: Result, begun: float, command: str, counts: Mapping[str, int] | None = None
) -> Result:
    """The result with the time, duration and command of its run, in which equal runs may differ."""
    facts = {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - begun, 2),
        **(counts or {}),
    }
    return replace(result, card=replace(result.card, command=command, run=facts))


def _score_one(job: Job, member: PlannedModel, session: Session, count: Counter[str]) -> Result:
    with _opened(job, member.where, session, count) as model:
        manner = manner_of(job.options)
        result = measure(
            job.study, model, job.items, chosen=member.chosen, seed=job.options.seed,
            skip_invalid=job.options.skip_invalid, per_token=job.options.tokens,
            about=manner.facts | _reference(member.where, model.name),
            repeats=job.options.repeats,
        )  # fmt: skip
        note = thinking_note(manner.thinking, result.card.replies)
        notes = [*result.card.notes, *([note] if note else [])]
        if caution := getattr(model, "caution", ""):
            notes.append(Note("caution", caution))
        return replace(result, card=replace(result.card, notes=notes))


def _score_ensemble(job: Job, ensemble: Ensemble, session: Session, count: Counter[str]) -> Result:
    options, items = job.options, job.items
    members: list[Member] = []
    problems: list[Problem] = []
    for planned in job.plan.members:
        with _opened(job, planned.where, session, count) as model:
            member, unscored = score_member(
                model, items, planned.chosen, seed=options.seed, skip_invalid=options.skip_invalid
            )
        members.append(member)
        problems += unscored
    return combine(
        job.study, ensemble, members, items,
        seed=options.seed, split_seed=options.split_seed, invalid=problems, name=job.plan.called,
    )  # fmt: skip


def _reference(where: Resolved, name: str) -> dict[str, Fact]:
    """The fact how the model was named to the command; {} where that is its name."""
    reference = local_reference(where.reference)
    return {} if where.in_memory is not None or name == reference else {"reference": reference}


@contextmanager
def _opened(
    job: Job, where: Resolved, session: Session, count: Counter[str]
) -> Iterator[CachedModel]:
    """The opened model with the store in front of it; afterwards `count` includes its requests."""
    with opened(job, where, session) as (model, progress):
        cached = CachedModel(
            model, session.store, progress, fresh=job.options.fresh, budget=session.budget,
            manner=manner_of(job.options), under_way=session.under_way, turn=session.turn,
        )  # fmt: skip
        yield cached
        count.update(asked=cached.asked, recalled=cached.recalled)


@contextmanager
def opened(job: Job, where: Resolved, session: Session) -> Iterator[tuple[Any, RunProgress]]:
    """The opened model without a store, under the name that results use, and the display of its progress."""
    with (
        session.opener.open(where, job.opening, name=where.name) as model,
        session.monitor.questions(session.label or where.reference) as progress,
    ):
        yield model.in_turn(session.turn) if session.turn else model, progress
