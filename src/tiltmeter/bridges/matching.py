"""A log as a result: of one of our studies where its samples are its items, else of the task itself."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple, cast

from tiltmeter.bridges.answers import Answer, LoggedAnswers, Request, askable_rule, requests_of
from tiltmeter.bridges.sample_rows import some
from tiltmeter.bridges.samples import OURS, EvaluationLog, LoggedSample
from tiltmeter.core.analysis import digest
from tiltmeter.core.conventions import Convention
from tiltmeter.core.conversations import Choosing, Writing
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.finder import find, known
from tiltmeter.core.items import Dataset, Pair, Triple
from tiltmeter.core.options import options_of
from tiltmeter.core.prompted_items import PromptedText
from tiltmeter.core.protocols import Chooses, Fact
from tiltmeter.core.results import Note, Record, Result, notes_of
from tiltmeter.core.rules import Context
from tiltmeter.core.study import Study
from tiltmeter.core.typed_values import Fault
from tiltmeter.data.downloads.registry import known_sets, status
from tiltmeter.families.logged_tasks import ACCURACY, CORRECT, PREFIX, logged_study
from tiltmeter.run.choosing import Chosen, choose, every_need, settings_of
from tiltmeter.run.estimates import LEAST_ITEMS, MOST_GROUPS
from tiltmeter.run.imported_scores import STORED
from tiltmeter.run.item_loading import settings_keyword
from tiltmeter.run.measure import measure, summarise
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.option_effects import check_effect
from tiltmeter.run.run_options import ReadingOptions, RunOptions, ScoringOptions
from tiltmeter.scoring.contexts import record as triple_record
from tiltmeter.scoring.option_numbers import first_number, option_named
from tiltmeter.scoring.pairs import record as pair_record
from tiltmeter.scoring.prompted_texts import ask_for_choice, score_texts

ITSELF = "log"
"""In place of a study's name: the task is one of its own."""
LONGEST, MOST_TEXTS, NUMBERS = 60, 14, 6
"""Characters of a label; texts of a sample that are tried, also two by two; numbers of the log in a note."""
UNKNOWN = "unknown"
"""The role of an option that other programs word in several ways."""


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
            if getattr(options, option.name) != option.default:
                reason = f"--{name} has no effect: {why or f'{log.task or log.file} is no study'}"
                way_out = "leave it out: of a task of its own, the scores count as they are logged"
                named = "" if why else "; or name the study that the log is about with --study"
                raise BadInput(reason, f"{way_out}{named}", file=log.file)


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
            reason = f"{count:,} logs are of {model}, so that nothing tells their results apart"
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
        value = json.loads(log.samples[0].fields[OURS])
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
    """Those of which everything that is asked has an answer."""
    problems: Sequence[Problem]


def _matches(study: Study[Any], log: EvaluationLog, options: RunOptions) -> list[Match]:
    """The log as answers about each data set that it may be about: of the study's, those on this computer."""
    own, named = _own(log), {setting.name for setting in study.settings}
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
    rule = rule or askable_rule(study, data.items[0], writes=writes)
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
    answers, problems = _answers(asked, log)
    whole = {item.id for _, item, _ in asked} - {i.id for _, i, r in asked if r not in answers}
    items = [item for item in data.items if item.id in whole]
    return Match(study, data, chosen, answers, items, (*log.problems, *problems))


def _elsewhere(item: PromptedText) -> PromptedText:
    """The item without what it says of the places of options in our prompt."""
    groups = {axis: label for axis, label in item.groups.items() if label not in item.roles}
    return replace(item, groups=groups, places=())


class _Index:
    """Requests by all that a sample may know them by."""

    def __init__(self, asked: Iterable[tuple[str, Any, Request]]) -> None:
        self.asked, self._places = list(asked), defaultdict[object, list[int]](list)
        for place, (name, item, request) in enumerate(self.asked):
            keys: set[object] = {_bare(request.prompt.plain), _bare(getattr(item, "text", ""))}
            if isinstance(request, Choosing) and isinstance(item, Pair | Triple):
                keys = {_all_of(request.options)}
            for key in {("id", name), *filter(None, keys)}:
                self._places[key].append(place)

    def place(self, sample: LoggedSample) -> int:
        """Of the sample's request; a fault says why it has none."""
        lines = [line.partition(": ")[2] or line for line in sample.text.splitlines()]
        different = {*map(_bare, (sample.text, *sample.fields.values(), *lines))}
        texts = sorted(different, key=lambda each: (-len(each), each))[:MOST_TEXTS]
        two = (f"{a} {b}" for a, b in permutations(texts, 2))  # a context and a question
        keys: Iterable[object] = (_all_of(sample.options), *texts, *two, ("id", sample.id))
        if OURS in sample.fields:
            keys = [("id", sample.fields.get("id", ""))]
        places = next((places for key in keys if (places := self._places.get(key))), [])
        if not places:
            raise Fault("no item has its text, id or options")
        there = different | {*map(_bare, sample.options)}
        items = [self.asked[place][1] for place in places]
        ranks = [  # what tells items with the same text apart: their options, then parts of their ids
            (sum(_bare(o) in there for o in getattr(i, "options", ())), there.issuperset(i.id.split("/")))
            for i in items
        ]  # fmt: skip
        if ranks.count(max(ranks)) > 1:
            raise Fault("several items have its text")
        return places[ranks.index(max(ranks))]


def _bare(text: str) -> str:
    return " ".join(text.split())


def _all_of(options: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_bare, options)) if len(options) > 1 else frozenset()


def _answers(
    asked: Sequence[tuple[str, Any, Request]], log: EvaluationLog
) -> tuple[dict[Request, Answer], list[Problem]]:
    """Of each request its sample's answer; and the samples that answer none, or one that is answered.

    Of repeats the first counts. Two samples that answer one request differently are both left out.
    """
    index, problems = _Index(asked), list[Problem]()
    first_option = _first_option(log, asked)
    answers, whose = dict[Request, Answer](), dict[Request, LoggedSample]()
    contradicted = dict[Request, None]()

    def leave_out(sample: LoggedSample, reason: str) -> None:
        place = f"{sample.id}/{sample.repeat}"
        problems.append(
            Problem(f"{sample.called}: {reason}", file=log.file, line=sample.line, item=place)
        )

    for sample in log.samples:
        try:
            _, item, request = asked[index.place(sample)]
            answer = _answer(item, request, sample, first_option)
        except Fault as fault:
            leave_out(sample, fault.reason)
            continue
        known = whose.setdefault(request, sample)
        if known is sample:
            answers[request] = answer
        elif known.id == sample.id and known.repeat != sample.repeat:
            leave_out(sample, "it repeats a question, of whose answers the first counts")
        elif answers[request] == answer:
            leave_out(sample, f"{known.called} has the same answer to its item, which counts")
        else:
            leave_out(sample, f"{known.called} answers its item differently")
            contradicted[request] = None
    for request in contradicted:
        del answers[request]
        leave_out(whose[request], "another sample answers its item differently")
    return answers, problems


def _first_option(log: EvaluationLog, asked: Sequence[tuple[str, Any, Request]]) -> int | None:
    """Whether answers that are numbers count options from 0 or from 1; None where nothing shows it."""
    listed = [*(s.options for s in log.samples), *(getattr(i, "options", ()) for _, i, _ in asked)]
    answers = [sample.answer or sample.reply for sample in log.samples]
    truths = [s.fields.get(name, "") for s in log.samples for name in ("target", "label")]
    return first_number(answers, truths, max(map(len, listed), default=0))


def _answer(
    item: Any, request: Request, sample: LoggedSample, first_option: int | None = None
) -> Answer:
    if sample.fault:
        raise Fault(sample.fault)
    if isinstance(request, Writing) != (not sample.logprobs):
        raise Fault("it has no answer that the rule can score")
    if isinstance(request, Writing):
        return _reply(item, sample, first_option)
    best = dict.fromkeys(map(_bare, request.options), -float("inf"))
    roles = dict(zip(getattr(item, "roles", ()), best, strict=False))
    for option, logprob in zip(map(_bare, sample.options), sample.logprobs, strict=True):
        place = option if option in best else roles.get(UNKNOWN, "")
        best[place] = max(best.get(place, logprob), logprob)
    values = tuple(best[_bare(option)] for option in request.options)
    if -float("inf") in values:
        raise Fault("it has no log-probability of some option")
    return values


def _reply(item: Any, sample: LoggedSample, first_option: int | None) -> str:
    """What the model wrote; where the program took a number for an option, that option."""
    options, answer = _listed(item, sample), sample.answer or sample.reply
    named = option_named(answer, options, first_option)
    return sample.reply if named == answer else named


def _listed(item: Any, sample: LoggedSample) -> Sequence[str]:
    """The options in the order in which the program listed them: its choices, else fields of the question."""
    if sample.options:
        return sample.options
    wanted = {*map(_bare, getattr(item, "options", ()))}
    lines = (_bare(line) for value in sample.fields.values() for line in value.splitlines())
    return [*dict.fromkeys(line for line in lines if line in wanted)]


def _measured(match: Match, log: EvaluationLog, seed: int) -> Result:
    study, data, chosen, answers, items, problems = match
    notes, facts = [*data.notes, *_notes(log)], _facts(log)
    if left := len(data.items) - len(items):
        text = f"{left:,} of {len(data.items):,} items of {data.name} have no answer in the log."
        notes.append(Note("coverage", text))
    problems = (*data.invalid, *problems)
    data = replace(data, items=items, notes=notes, invalid=problems)
    if not isinstance(items[0], Pair | Triple):
        model = LoggedAnswers(facts, answers, chats=log.chats)
        return measure(study, model, data, chosen=chosen, seed=seed, skip_invalid=True, about=facts)
    records = list[Record]()
    for _, item, request in requests_of(chosen.rule, items, Context(), chats=False):
        values = [*map(float, answers[request])]
        sides = dict(zip(("more", "less"), values, strict=False))
        records.append(
            pair_record(item, sides) if isinstance(item, Pair) else triple_record(item, values)
        )
    return summarise(
        study, records, data, chosen=chosen, seed=seed, model=facts, invalid=problems
    )  # fmt: skip


def _facts(log: EvaluationLog) -> dict[str, Fact]:
    facts = {"name": log.model, "fingerprint": log.sha256, "kind": f"log of {log.program}"}
    return {**facts, "file": log.file, "task": log.task}


def _notes(log: EvaluationLog) -> tuple[Note, ...]:
    """What the log says of itself."""
    told = ", ".join(f"{name} {value:.4g}" for name, value in [*log.reported.items()][:NUMBERS])
    texts = [f"Answers are from {log.file}, a log of {log.program} (task {log.task})."]
    texts += [f"The log itself reports: {told}."] if told else []
    return (*notes_of("data", texts), *notes_of("caution", log.notes))


def task_result(log: EvaluationLog, *, by: str = "", seed: int = 0) -> tuple[Study[Any], Result]:
    """The result of a task that is no study: its scores over all samples and by every field with few values.

    Raises:
        BadInput: It has no samples, or these have no scores, or no such field.
    """
    values = defaultdict[str, Counter[str]](Counter)
    for name, value in (pair for sample in log.samples for pair in sample.fields.items()):
        values[name][value] += 1
    if by and by not in values:
        there = ", ".join(values)
        raise BadInput(f"no field is called {by!r}", f"there are {there}", file=log.file)
    axes = [
        name for name, counts in values.items()
        if 1 < len(counts) <= min(MOST_GROUPS, counts.total() / LEAST_ITEMS)
        and max(map(len, counts)) <= LONGEST
    ]  # fmt: skip
    right = [sample.correct for sample in log.samples]
    is_flag = {0.0, 1.0}.issuperset({*right} - {None}) and {*right} != {None}
    names = dict.fromkeys(name for sample in log.samples for name in sample.scores)
    others = [n for n in names if not is_flag or [s.scores.get(n) for s in log.samples] != right]
    if not right:
        raise BadInput("no sample has an answer", "log the evaluation again", file=log.file)
    if not others and not is_flag:
        raise BadInput(
            f"no sample of {log.model or 'the model'} has a score{_instead(log)}",
            "score the log, and import it again",
            file=log.file,
        )
    repeats = len({sample.id for sample in log.samples}) < len(log.samples)
    records = [
        Record(
            f"{sample.id}/{sample.repeat}" if repeats else sample.id,
            {**sample.scores, **({CORRECT: sample.correct} if sample.correct is not None else {})},
            {axis: sample.fields[axis] for axis in axes if axis in sample.fields},
            (sample.fields.get(by, "") if by else sample.document) or sample.id,
            sample.reply, {"text": sample.text, "options": "\n".join(sample.options)},
        )
        for sample in log.samples
    ]  # fmt: skip
    known = {ACCURACY: True} if is_flag else {}
    known |= {name: _is_share(record.scores.get(name) for record in records) for name in others}
    study = logged_study(f"{PREFIX}{log.task}", known)
    data = Dataset(
        log.task, "", records, f"samples that {log.program} logged", "not stated",
        digest(*((record.item, record.texts) for record in records)),
        clusters=by or "document",
        notes=(*_notes(log), *_unscored_notes(log, records, is_flag=is_flag, scores=others)),
    )  # fmt: skip
    how = Convention(log.program, "Prompts and scores are the program’s.", f"the log {log.file}")
    return study, summarise(
        study, records, data, chosen=Chosen(STORED, how, "half"), seed=seed, model=_facts(log),
        invalid=log.problems,
    )  # fmt: skip


def _is_share(scores: Iterable[float | None]) -> bool:
    """Whether all scores that are there lie from 0 to 1."""
    return all(score is None or 0 <= score <= 1 for score in scores)


def _unscored_notes(
    log: EvaluationLog, records: Sequence[Record], *, is_flag: bool, scores: Sequence[str]
) -> list[Note]:
    """Of each number, which samples lack it and what stands there instead; and scores that are no numbers."""
    notes = []
    for name in [*([ACCURACY] if is_flag else []), *scores]:
        read = CORRECT if name == ACCURACY else name
        lacking = [
            (record.item, sample) for record, sample in zip(records, log.samples, strict=True)
            if read not in record.scores
        ]  # fmt: skip
        if lacking:
            why = Counter(_why_unscored(sample, name) for _, sample in lacking)
            reasons = "; ".join(
                f"{reason}: {count:,}" for reason, count in why.most_common(NUMBERS)
            )
            text = (
                f"{len(lacking):,} of {len(records):,} samples have no {name} and do not count in it "
                f"({reasons}): {some([item for item, _ in lacking])}."
            )
            notes.append(Note("coverage", text))
    named = dict.fromkeys(n for s in log.samples for n in s.unscored)
    never = [n for n in named if not any(n in s.scores for s in log.samples)]
    if never:
        notes.append(
            Note(
                "coverage", f"No sample has a number for {some(never)}: no result is given for it."
            )
        )
    return notes


def _why_unscored(sample: LoggedSample, name: str) -> str:
    if name != ACCURACY:
        return sample.unscored.get(name, "missing")
    return next(iter(sample.unscored.values()), "not judged")


def _instead(log: EvaluationLog) -> str:
    """What stands where scores should be, in brackets; "" where nothing does."""
    found = next((pair for sample in log.samples for pair in sample.unscored.items()), None)
    return f" that is a number ({found[0]} is {found[1]} in the first)" if found else ""
