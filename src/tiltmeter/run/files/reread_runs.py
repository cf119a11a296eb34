"""Reads the stored replies of a run again by another rule or other settings, without asking the model.

The items are loaded as the run loaded them, each record's reply is given to the rule, and the result is that
of any run by this rule. It is refused where the model would have been asked something else.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from tiltmeter.core.control_items import PLACEBO
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.model.conversations import FINISHES, Finish, Prompt, Reply
from tiltmeter.core.model.protocols import Writes
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Note, Result
from tiltmeter.core.rules import Context, ReplyScores, Rule
from tiltmeter.core.study import Study
from tiltmeter.data.downloads.registry import known_sets
from tiltmeter.run.files.folder import read
from tiltmeter.run.files.merged_runs import USUAL
from tiltmeter.run.jobs import stamped
from tiltmeter.run.measuring.given_replies import check_reads, read_by
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.measuring.repeated_replies import RepeatedReplies, numbered
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.planning.choosing import Chosen, choose, every_need, settings_of
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.option_effects import check_effect
from tiltmeter.run.planning.study_files import study_of
from tiltmeter.run.run_options import RunOptions

AGAIN = "ask the model again with `tiltmeter run`"
REPLIES_OF = "replies of"
"""The fact about the data that says which run the replies are of."""


@dataclass(frozen=True, slots=True)
class Reread:
    """The replies of a run, as they were read and as they are read now."""

    study: Study[Any]
    before: Result
    result: Result
    scores: tuple[ReplyScores, ReplyScores]
    """What became of the replies, by the scores of the records of either."""


def reread(
    run: Path | Result, options: RunOptions, monitor: Monitor | None = None, *, command: str = ""
) -> Reread:
    """The replies of a run read again.

    Args:
        run: The folder of a finished run, or its result.
        options: `rule`, `convention` and `settings` say how replies are read, and what is not named is as in
            the run; `data`, `columns`, `encoding` and `missing` are about its data, where these were a
            file.
        monitor: Receives warnings about the data.
        command: The command that repeats it, for the card.

    Raises:
        BadInput: The run has no replies or several to an item, its data are others now, or the rule or the
            settings would have asked the model something else.
    """
    begun, monitor = time.monotonic(), monitor or Logged()
    before, name = (run, run.card.study) if isinstance(run, Result) else (read(run), run.name)
    study = study_of(before.card)
    check_effect(study, options)
    was = _as_it_was(study, before.card)
    now = _as_wanted(study, before.card, options)
    for chosen in (was, now):
        _check_rule(chosen.rule)
    records = [*before.records]
    replies = [*map(_reply, records)]
    data = _data(study, before.card, was, options, monitor)
    prompts, _, _ = _read(was, _items(data, records), replies, before.card.seed)
    if now.settings != was.settings or now.convention != was.convention:
        data = _data(study, before.card, now, options, Logged())
    items = _items(data, records)
    asked, unnumbered, problems = _read(now, items, replies, before.card.seed)
    if any(prompts.get(item, prompt) != prompt for item, prompt in asked.items()):
        reason = f"by rule {now.rule.name}, with these settings, the model is asked something else"
        raise BadInput(reason, AGAIN)
    made = [record for repeats in _by_item(unnumbered) for record in numbered(repeats)]
    stale = _notes_on_repeats(was.rule, records)
    kept = [note for note in before.card.notes if note.kind != "axes" and note not in stale]
    if any(note in before.card.notes for note in stale):
        kept += _notes_on_repeats(now.rule, made)
    by = f"{now.rule.name} (before: {was.rule.name})" if now.rule != was.rule else now.rule.name
    text = f"The replies are those of the run {name}, read again by rule {by}; no model was asked."
    about = {key: fact for key, fact in before.card.data.items() if key not in USUAL}
    data = replace(
        data, name=before.card.data_name, items=items, notes=(*kept, Note("data", text)),
        about={**about, REPLIES_OF: name}, invalid=(),
    )  # fmt: skip
    result = summarise(
        study, made, data, chosen=now, seed=before.card.seed, model=before.card.model,
        invalid=problems,
    )  # fmt: skip
    notes = [*dict.fromkeys(result.card.notes)]
    invalid = [*dict.fromkeys((*before.card.invalid, *result.card.invalid))]
    result = replace(result, card=replace(result.card, notes=notes, invalid=invalid))
    scores = was.rule.replies, now.rule.replies
    if scores[0] is None or scores[1] is None:
        raise AssertionError("both rules were checked")
    return Reread(study, before, stamped(result, begun, command), (scores[0], scores[1]))


def _read(
    chosen: Chosen[Any], items: Sequence[Any], replies: Sequence[Reply], seed: int
) -> tuple[dict[str, Prompt], list[Record], list[Problem]]:
    """The prompt of each item that the rule can score, by its id; the records; and what it cannot score."""
    context = Context(chosen.convention, seed, skip_invalid=True, settings=chosen.settings)
    records, requests = read_by(chosen.rule, items, replies, context)
    prompts = {
        record.item: request.prompt for record, request in zip(records, requests, strict=True)
    }
    return prompts, records, [*dict.fromkeys(context.problems)]


def _by_item(records: Sequence[Record]) -> list[list[Record]]:
    """The records of each item: its repeats stand one after the other."""
    return [[*group] for _, group in groupby(records, key=lambda record: record.first)]


def _notes_on_repeats(rule: Rule[Any], records: Sequence[Record]) -> list[Note]:
    """What a run says of these records if its temperature was 0."""
    counted = RepeatedReplies(rule)
    for repeats in _by_item(records):
        counted.count(repeats)
    return counted.notes()


def _as_it_was(study: Study[Any], card: Card) -> Chosen[Any]:
    """How the run read its replies.

    Raises:
        BadInput: It read none, or those of a file.
    """
    kind = str(card.model.get("kind", ""))
    if kind == "stored scores" or kind.startswith("log of "):
        command = "import" if kind.startswith("log of ") else f"import --study {study.name}"
        reason = "its replies are not a run's own, but were read from a file"
        raise BadInput(reason, f"give that file to `tiltmeter {command}` with another --rule")
    if card.rule not in {rule.name for rule in study.rules}:
        raise BadInput(f"{study.name} has no rule {card.rule!r} any more", AGAIN)
    given = _given(study, card)
    return choose(
        study, every_need(study), model=card.model_name, rule=card.rule, convention=card.convention,
        settings=given,
    )  # fmt: skip


def _as_wanted(study: Study[Any], card: Card, options: RunOptions) -> Chosen[Any]:
    return choose(
        study, every_need(study), model=card.model_name, rule=options.rule or card.rule,
        convention=options.convention or card.convention,
        settings={**_given(study, card), **options.settings},
    )  # fmt: skip


def _given(study: Study[Any], card: Card) -> Mapping[str, str]:
    """The settings of a run that are not those of its convention."""
    rule = next(rule for rule in study.rules if rule.name == card.rule)
    usual = settings_of(study, {}, card.convention, rule)
    return {n: v for n, v in card.settings.items() if n in usual and v != usual[n]}


def _check_rule(rule: Rule[Any]) -> None:
    """Refuse a rule by which a model does not write one reply to each item.

    Raises:
        BadInput: It does not.
    """
    check_reads(rule)
    if rule.needs is not Writes:
        raise BadInput(
            f"by the rule {rule.name} a model writes several replies at once, which a record does not have",
            AGAIN,
        )
    if rule.replies is not None and rule.replies.sides:
        sides = " and ".join(rule.replies.sides)
        reason = f"by the rule {rule.name} each item has several replies ({sides})"
        raise BadInput(f"{reason}, of which only single ones can be read again", AGAIN)


def _data(
    study: Study[Any], card: Card, chosen: Chosen[Any], options: RunOptions, monitor: Monitor
) -> Dataset[Any]:
    """The data of a run, loaded again with these settings.

    Raises:
        BadInput: They are not those of the run.
    """
    source = options.data
    if source is None:
        names = (*study.data, *known_sets())
        source = next((n for n in names if f"{card.data_name},".startswith(f"{n},")), None)
    how = replace(
        options, data=source, convention=chosen.convention.name, settings=chosen.settings,
        skip_invalid=True, placebo=card.data.get(PLACEBO),
    )  # fmt: skip
    data = load_items(study, how, monitor)
    if data.sha256 != card.data["sha256"]:
        reason = f"the run is about {card.data_name}, and {data.name} has another content"
        way_out = (
            "give the data as they were" if options.data else "name the run's file with --data"
        )
        raise BadInput(reason, way_out)
    return data


def _items(data: Dataset[Any], records: Sequence[Record]) -> list[Any]:
    """The item of each record.

    Raises:
        BadInput: There is none, or its text is another.
    """
    by_id = {item.id: item for item in data.items}
    items = []
    for record in records:
        item = by_id.get(record.first)
        text = record.texts.get("text", getattr(item, "text", ""))
        if item is None or text != getattr(item, "text", text):
            what = "is no item" if item is None else "has another text"
            reason = f"{record.item!r} {what} of {data.name} with these settings"
            raise BadInput(reason, f"leave out settings that change what is asked, or {AGAIN}")
        items.append(item)
    return items


def _reply(record: Record) -> Reply:
    """The reply in a record.

    Raises:
        BadInput: It has none.
    """
    finish: Finish | None = next((each for each in FINISHES if each == record.finish), None)
    if finish is None:
        raise BadInput(f"{record.item!r} has no reply that says how it ended", AGAIN)
    tokens_in, tokens_out, thought_tokens = (
        int(record.scores.get(name, 0)) for name in ("tokens_in", "tokens_out", "thought_tokens")
    )
    thought = record.thoughts.get("reply", "")
    return Reply(record.said, finish, tokens_in, tokens_out, thought, thought_tokens)
