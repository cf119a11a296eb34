"""A log as a result: of one of our studies where its samples are its items, else of the task itself."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from tiltmeter.bridges.answers import Answer, LoggedAnswers, Request, askable_rule, requests_of
from tiltmeter.bridges.own_tasks import facts_of, notes_on, task_result
from tiltmeter.bridges.sample_answers import answers_of
from tiltmeter.bridges.samples import EvaluationLog
from tiltmeter.core.conventions import Convention
from tiltmeter.core.data.items import Dataset, Pair, Triple
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.protocols import Chooses
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.records import Record
from tiltmeter.core.results import STUDY_FIELD, Note, Result
from tiltmeter.core.rules import Context
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.downloads.registry import known_sets, status
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import measure, summarise
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import Chosen, choose, every_need, settings_of
from tiltmeter.run.planning.item_loading import settings_keyword
from tiltmeter.run.planning.option_effects import check_effect
from tiltmeter.run.run_options import ReadingOptions, RunOptions, ScoringOptions
from tiltmeter.scoring.contexts import record as triple_record
from tiltmeter.scoring.pairs import record as pair_record
from tiltmeter.scoring.prompted_texts import ask_for_choice, score_texts

ITSELF = "log"
"""In place of a study's name: the task is one of its own."""


def result_of(
    log: EvaluationLog,
    options: RunOptions,
    monitor: Monitor | None,
    *,
    study: str = "",
    by: str = "",
) -> tuple[Study[Any], Result]:
    """The study of a log, and its result.

    Args:
        log: What was answered.
        options: `data`, `rule`, `convention` and `settings`, where they are not those that the log names.
        monitor: Reports what was left out; None reports nothing.
        study: Its name; "" is the one that the task is called after, `ITSELF` the task itself.
        by: The field that tells documents apart, for tasks that are no study; "" as the log does.

    Raises:
        BadInput: A study is named, and no sample is one of its items; or there is no sample at all.
    """
    of, why = study or study_named_by(log), ""
    if of and of != ITSELF and log.samples:
        asked = find("studies", of, "STUDY")
        check_effect(asked, options)
        best = max(_matches(asked, log, options), key=lambda m: len(m.items))
        if best.items:
            _refuse_by(by, best, log)
            if monitor is not None:
                monitor.warning(best.data.warning, about=best.data.name)
                monitor.left_out(best.problems)
            return best.study, _measured(best, log, options.seed)
        why = f"no sample is an item of {of} with an answer that can be scored{_first_reason(best, log)}"
        if study:
            way_out = "name its --data, or import it with --study log as a task of its own"
            raise BadInput(why, way_out, file=log.file)
        if monitor is not None:
            monitor.warning(f"{log.file}: {why}; so it is a task of its own")
    _refuse_unused(options, log, why)
    if monitor is not None:
        monitor.left_out(log.problems)
    return task_result(log, by=by, seed=options.seed)


def _refuse_unused(options: RunOptions, log: EvaluationLog, why: str) -> None:
    """Refuse options about a study where the log is a task of its own, whose scores count as they are.

    Raises:
        BadInput: One is given.
    """
    for group in (ScoringOptions, ReadingOptions):
        for name, option in options_of(group).items():
            if name == "skip-invalid" and log.cut:
                continue  # by which the rest of a log that is cut was left out
            if getattr(options, option.name) != option.default:
                reason = f"--{name} has no effect: {why or f'{log.task or log.file} is no study'}"
                way_out = "leave it out: of a task of its own, the scores count as they are logged"
                named = "" if why else "; or name the study that the log is about with --study"
                raise BadInput(reason, f"{way_out}{named}", file=log.file)


def refuse_tags(tags: Sequence[str], log: EvaluationLog) -> None:
    """Refuse tags of thoughts where the log has no reply in which they could be.

    Raises:
        BadInput: It has none, and tags are given.
    """
    if tags and not any(sample.reply or sample.thought for sample in log.samples):
        reason = "--thinking-tags has no effect: the log has no replies"
        raise BadInput(reason, "leave it out", file=log.file)


def _refuse_by(by: str, match: "Match", log: EvaluationLog) -> None:
    if by:
        reason = (
            f"--cluster has no effect: {match.study.name} says itself which items belong together"
        )
        way_out = "leave it out, or add --study log to import the log as a task of its own"
        raise BadInput(reason, way_out, file=log.file)


def _first_reason(match: "Match", log: EvaluationLog) -> str:
    """Why the first sample of the log is none; "" where no reason is known."""
    reasons = [p.reason for p in match.problems if p not in log.problems]
    return f" ({reasons[0]}{', among others' if len(reasons) > 1 else ''})" if reasons else ""


def named_apart(logs: Sequence[EvaluationLog], study: str = "") -> list[EvaluationLog]:
    """The logs, with the task or else the file behind the name of a model that several logs of a study have.

    Args:
        logs: In any order.
        study: What they are imported as; "" is what each is called after.

    Raises:
        BadInput: Two have the same model, task and file name.
    """
    ways: tuple[Callable[[EvaluationLog], str], ...] = (
        lambda log: log.model,
        lambda log: f"{log.model} ({log.task})",
        lambda log: f"{log.model} ({log.task}, {log.file})",
    )
    of = [log.task if study == ITSELF else study or study_named_by(log) or log.task for log in logs]
    named = list(logs)
    for way in ways:
        often = Counter(zip(of, (log.model for log in named), strict=True))
        named = [
            replace(now, model=way(log)) if often[key, now.model] > 1 else now
            for key, now, log in zip(of, named, logs, strict=True)
        ]
    for (_, model), count in Counter(zip(of, (log.model for log in named), strict=True)).items():
        if count > 1:
            reason = f"{counted(count, 'logs', 'are')} of {model}, so that nothing tells their results apart"
            raise BadInput(reason, "give one --name a log, or import them one by one")
    return named


def study_named_by(log: EvaluationLog) -> str:
    """The study that the samples name, or that the task is called after, as `inspect_evals/bbq` is."""
    task = log.task.rpartition("/")[2].lower()
    begin = [n for n in known("studies") if re.match(rf"{n}(?![a-z0-9])", task)]
    return str(_own(log).get("study") or max(begin, key=len, default=""))


def _own(log: EvaluationLog) -> Mapping[str, Any]:
    """What the samples of an exported task say: study, rule, settings, data."""
    try:
        value = json.loads(log.samples[0].fields[STUDY_FIELD])
    except (IndexError, KeyError, ValueError):
        return {}
    return value if isinstance(value, Mapping) else {}


class Match(NamedTuple):
    """Answers of a log to what a study asks about a data set."""

    study: Study[Any]
    data: Dataset[Any]
    chosen: Chosen[Any]
    answers: Mapping[Request, Answer]
    items: Sequence[Any]
    """The items for which the log answers everything that is asked."""
    problems: Sequence[Problem]
    repeats: int = 1
    """How many answers each of them has."""


def _matches(study: Study[Any], log: EvaluationLog, options: RunOptions) -> list[Match]:
    """The log as answers about each data set that it may be about: of the study's, those on this computer."""
    own, named = _own(log), study.every_setting
    given = {k: str(v) for k, v in dict(own.get("settings") or {}).items() if k in named}
    given |= dict(options.settings)
    options = replace(options, rule=options.rule or own.get("rule"), settings=given)
    conventions = {convention.name for convention in study.conventions}
    package = log.task.partition("/")[0]  # inspect_evals, for one
    program = package if package in conventions else log.program
    if not own and not options.convention:
        options = replace(options, convention=program)
    if options.convention == program and program not in conventions:
        summary = f"The prompts are those of {program}’s task; the answers are read here."
        made = Convention(program, summary, f"the log {log.file}")
        study = replace(study, conventions=(*study.conventions, made))
    sets: Sequence[Any] = [options.data]
    if options.data is None and study.data:
        there = [n for n in study.data if n not in known_sets() or status(n) != "absent"]
        sets = [own["data"]] if own.get("data") in study.data else there or study.data[:1]
    return [_matched(study, log, replace(options, data=name), is_own=bool(own)) for name in sets]


def _matched(study: Study[Any], log: EvaluationLog, options: RunOptions, *, is_own: bool) -> Match:
    reading, source = settings_keyword(study, options), cast("str | Path | None", options.data)
    data = study.load(source, skip_invalid=True, encoding=options.encoding, **reading)
    rule = next((r for r in study.rules if r.name == options.rule), None)
    writes = not any(sample.logprobs or sample.fault for sample in log.samples)
    chats = (
        log.chats and options.convention is None
    )  # a convention has the rules of published numbers
    rule = rule or askable_rule(study, data.items[0], writes=writes, chats=chats)
    settings = settings_of(study, options.settings, options.convention)
    chosen: Chosen[Any] = Chosen(STORED, study.conventions[0], options.ties or "half", settings)
    if rule is None:
        has = "what a model wrote" if writes else "log-probabilities of options"
        why = Problem(f"it has {has}, which no rule of {study.name} scores", file=log.file)
        return Match(study, data, chosen, {}, (), (why,))
    if rule is not STORED:
        chosen = choose(
            study, every_need(study), model=log.model, rule=rule.name, convention=options.convention,
            ties=options.ties, settings=options.settings,
        )  # fmt: skip
    if isinstance(data.items[0], PromptedText) and not is_own:
        data = replace(data, items=[_elsewhere(item) for item in data.items])
        if rule.needs is Chooses:
            once = partial(ask_for_choice, both_orders=False)  # which other programs do not ask
            chosen = replace(chosen, rule=replace(rule, score=partial(score_texts, once)))
    context = Context(chosen.convention, options.seed, skip_invalid=True, settings=chosen.settings)
    asked = list(requests_of(chosen.rule, data.items, context, chats=log.chats))
    matched = answers_of(asked, log)
    lacking = {item.id for _, item, request in asked if request not in matched.answers}
    whole = {item.id for _, item, _ in asked} - lacking
    items = [item for item in data.items if item.id in whole]
    problems = (*log.problems, *matched.problems)
    return Match(study, data, chosen, matched.answers, items, problems, matched.repeats)


def _elsewhere(item: PromptedText) -> PromptedText:
    """The item without what it says of the places of options in our prompt."""
    groups = {axis: label for axis, label in item.groups.items() if label not in item.roles}
    return replace(item, groups=groups, places=())


def _measured(match: Match, log: EvaluationLog, seed: int) -> Result:
    study, data, chosen, answers, items, problems, repeats = match
    notes, facts = [*data.notes, *notes_on(log)], facts_of(log)
    if left := len(data.items) - len(items):
        of = f"{left:,} of {counted(len(data.items), 'items')} of {data.name}"
        text = f"{of} {verb_for(left, 'have')} no answer in the log."
        notes.append(Note("coverage", text))
    problems = (*data.invalid, *problems)
    data = replace(data, items=items, notes=notes, invalid=problems)
    if not isinstance(items[0], Pair | Triple):
        model = LoggedAnswers(facts, answers, chats=log.chats)
        return measure(
            study,
            model,
            data,
            chosen=chosen,
            seed=seed,
            skip_invalid=True,
            repeats=repeats,
            about=facts,
        )
    records = list[Record]()
    for _, item, request in requests_of(chosen.rule, items, Context(), chats=False):
        values = [*map(float, cast("tuple[float, ...]", answers[request]))]
        sides = dict(zip(("more", "less"), values, strict=False))
        records.append(
            pair_record(item, sides) if isinstance(item, Pair) else triple_record(item, values)
        )
    return summarise(
        study, records, data, chosen=chosen, seed=seed, model=facts, invalid=problems
    )  # fmt: skip
