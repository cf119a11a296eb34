"""Results from scores that were computed elsewhere, or from data that hold the answers already."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.model.thoughts import stored_text, tags_given
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note, Result
from tiltmeter.core.rules import Context, Rule, given_rule
from tiltmeter.core.study import ReadReplies, Study
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.downloads.fetch import joint_sha256, sha256
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.files.renamed_columns import renamed_file, with_columns
from tiltmeter.data.hub import hub_files
from tiltmeter.data.memory.samples import split
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.data.people.item_verdicts import read_verdicts
from tiltmeter.run.jobs import stamped
from tiltmeter.run.measuring.columns import ASIDE
from tiltmeter.run.measuring.ensemble import Member, combine, parse
from tiltmeter.run.measuring.given_replies import check_reads, read_by
from tiltmeter.run.measuring.measure import of_rule, summarise
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import Chosen, alternatives, choose, every_need
from tiltmeter.run.planning.item_loading import load_items, settings_keyword
from tiltmeter.run.planning.option_effects import check_effect
from tiltmeter.run.run_options import RunOptions

STORED = given_rule(
    "stored", "Scores or labels as given; how they were computed is unknown.", "whoever gave them"
)


def import_scores(
    study: Study[Any],
    file: Path,
    options: RunOptions,
    monitor: Monitor,
    *,
    name: str,
    command: str,
    lower_is_better: bool = False,
) -> Result:
    """The result of a file of scores, computed as for a model's run.

    Args:
        study: The study that the scores are for.
        file: A file in the layout that the study reads, or several as `ensemble:A.json=0.4+B.json=0.6`;
            weights that are left out are fitted as for `ensemble:` models.
        options: `rule` is the rule by which the scores were made, `data` the data that they are matched
            to, and `columns` refers to the file of scores.
        monitor: Receives warnings about the data.
        name: The name of the model; "" names it after the file.
        command: The command that repeats the import, for the card.
        lower_is_better: Whether the numbers are losses or perplexities, whose signs are changed.

    Raises:
        CannotAnswer: The study cannot read scores.
        BadInput, BadItems: The file cannot be used, or the options do not go together.
    """
    begun = time.monotonic()
    check_effect(study, options, files=[file])
    read = partial(_read_scores, study, options=options, monitor=monitor, lower=lower_is_better)
    ensemble = parse(str(file))
    if ensemble is None:
        chosen, items, records = read(file)
        result = summarise(
            study,
            records,
            items,
            chosen=chosen,
            seed=options.seed,
            model={**_facts(file, name), "file": file.name},
            invalid=items.invalid,
        )
        return stamped(result, begun, command)
    ensemble.check_split(options.split)
    members: list[Member] = []
    for path in map(Path, ensemble.references):
        chosen, items, records = read(path)
        members.append(Member(chosen, _facts(path), records))
    result = combine(
        study, ensemble, members, items,
        seed=options.seed, split_seed=options.split_seed, name=name,
    )  # fmt: skip
    return stamped(result, begun, command)


def result_of_data(
    study: Study[Any], options: RunOptions, monitor: Monitor, *, command: str
) -> Result:
    """The result of data that hold the answers already, so that no model is asked.

    Raises:
        BadInput: The study does not take such data, or no file is named.
        BadItems: The file cannot be used.
    """
    data, name = options.data, study.name
    if not study.holds_answers:
        raise BadInput("no model is named", f"name one or more: tiltmeter run {name} MODEL")
    if not isinstance(data, str | Path):
        reason = "there is neither a model nor a file that holds the answers"
        raise BadInput(reason, f"name a model, or the file: tiltmeter run {name} --data FILE")
    if options.limit is not None:
        raise BadInput("--limit is for items that a model is asked about", "leave it out")
    with monitor.download(str(data)) as progress:
        file = Path(hub_files.local(data, progress))
    options = replace(options, data=None)
    return import_scores(study, file, options, monitor, name="", command=command)


def _facts(file: Path, name: str = "") -> dict[str, str]:
    files = sorted(file.iterdir()) if file.is_dir() else [file]
    digest = joint_sha256(map(sha256, files))
    return {"name": name or file.stem, "fingerprint": digest, "kind": "stored scores"}


def _read_scores(
    study: Study[Any], file: Path, *, options: RunOptions, monitor: Monitor, lower: bool
) -> tuple[Chosen[Any], Dataset[Any], Sequence[Record]]:
    """The rule by which a file's scores were made, the data that they belong to, and a record per item."""
    chosen = _chosen(study, file, options)
    if study.stored_replies is not None:
        chosen, items, records = _read_replies(
            study, study.stored_replies, file, chosen, options, monitor
        )
    else:
        items, records = _read(study, file, options, monitor)
        chosen = chosen if options.rule else replace(chosen, rule=STORED)
    if lower:
        records = Spool(Record, map(_negated, records))
    if any(m.uses_ties for m in study.measures):  # only then are scores of one item compared
        notes = _of_sizes(records, chosen.rule, file, lower)
        items = replace(items, notes=(*items.notes, *notes))
    elif lower:
        reason = f"--lower-is-better is for scores that are compared, and {study.name} reads probabilities"
        raise BadInput(reason, "leave it out; write 1 − p where p is that of the other label")
    if options.valid is not None:
        verdicts = read_verdicts(Path(options.valid), encoding=options.encoding)
        items = verdicts.of(items)
        records = verdicts.joined(records, (record.first for record in records))
    if options.split is not None:
        items = split(items, options.split, seed=options.split_seed)
    if options.rule is not None:
        items = of_rule(items, chosen.rule)
    if options.split is not None or options.rule is not None:
        wanted = TextNumbers(item.id for item in items.items)
        records = Spool(Record, (record for record in records if record.item in wanted))
    return chosen, items, records


def _chosen(study: Study[Any], file: Path, options: RunOptions) -> Chosen[Any]:
    """The rule and convention that the options state; no model is asked, so any rule of the study is allowed.

    Raises:
        UnknownName: There is no such rule or convention.
        BadInput: They do not go together, or the convention needs the rule to be stated.
    """
    how = next((c for c in study.conventions if c.name == options.convention), None)
    if how is not None and how.decimals and options.rule is None:
        raise BadInput(
            f"the convention {how.name!r} rounds scores by how they were computed",
            "name the rule with --rule",
        )
    if len(alternatives(options.rule)) > 1:
        reason = f"the scores were made by one rule, and --rule {options.rule} names several"
        raise BadInput(reason, "name the one", file=file.name)
    return choose(
        study,
        every_need(study),
        model=str(file),
        rule=options.rule,
        convention=options.convention,
        ties=options.ties,
        settings=options.settings,
    )


def _negated(record: Record) -> Record:
    scores = {n: v if n.startswith(ASIDE) else -v for n, v in record.scores.items()}
    return replace(record, scores=scores)


def _of_sizes(
    records: Sequence[Record],
    rule: Rule[Any],
    file: Path,
    lower_is_better: bool,  # noqa: FBT001
) -> list[Note]:
    """Notes on what the signs of the scores suggest about their kind.

    Raises:
        BadInput: Some scores are above 0, although the rule gives logarithms, which never are.
    """
    above = count = 0
    for record in records:
        values = [v for n, v in record.scores.items() if not n.startswith(ASIDE)]
        above += sum(value > 0 for value in values)
        count += len(values)
    if above and rule.logarithms:
        way_out = "add --lower-is-better if they are losses or perplexities; else name their --rule"
        if lower_is_better:
            way_out = "leave out --lower-is-better"
        reason = (
            f"{above:,} of {counted(count, 'scores')} {verb_for(above, 'are')} above 0, which "
            f"{rule.name} never gives"
        )
        raise BadInput(reason, way_out, file=file.name)
    notes = (
        ["Lower scores are better in the file: their signs are changed."] if lower_is_better else []
    )
    if above == count and not lower_is_better:
        notes.append(
            "All scores are above 0, as losses and perplexities are: if lower is better, add "
            "--lower-is-better. Here the higher score is the preferred one."
        )
    elif above:
        notes.append(
            f"{counted(above, 'scores', 'are')} above 0, which log-probabilities cannot be; only "
            "their order within "
            "an item is used."
        )
    return [Note("caution", note) for note in notes]


def _read(
    study: Study[Any], file: Path, options: RunOptions, monitor: Monitor
) -> tuple[Dataset[Any], Sequence[Record]]:
    if study.stored is None:
        raise CannotAnswer(
            f"the study {study.name} cannot read scores computed elsewhere; run it on the model itself"
        )
    if options.thinking_tags:
        reason = f"--thinking-tags has no effect: files of {study.name} hold scores, not replies"
        raise BadInput(reason, "leave it out", file=file.name)
    with _opened(study, file, options, monitor) as (source, reading):
        items, records = study.stored(file, source, **reading)
    return with_columns(items, options.columns), records


def _read_replies(
    study: Study[Any], read: ReadReplies[Any], file: Path, chosen: Chosen[Any], options: RunOptions,
    monitor: Monitor,
) -> tuple[Chosen[Any], Dataset[Any], Sequence[Record]]:  # fmt: skip
    """What was chosen, with the rule that reads the replies of a file; their items; and what it read.

    Without --rule it is the one that the file's layout is for, and the result says that it was not asked for.
    """
    as_reply = partial(stored_text, tags=tags_given(options.thinking_tags))
    with _opened(study, file, options, monitor) as (source, reading):
        stored = read(file, source, as_reply, **reading)
    rule = chosen.rule
    if options.rule is None:
        rule = next(own for own in study.rules if own.name == stored.rule)
    check_reads(rule)
    context = Context(
        chosen.convention, options.seed, options.skip_invalid, settings=chosen.settings
    )
    both = [*zip(stored.data.items, stored.replies, strict=True)]
    replied = [(item, reply) for item, reply in both if isinstance(reply, Reply)]
    given = [reply for _, reply in both if isinstance(reply, Record)]
    records = given
    if replied:
        of, replies = zip(*replied, strict=True)
        records, _ = read_by(rule, of, replies, context)
        if given:
            by_item = {record.item: record for record in (*given, *records)}
            records = [by_item[item.id] for item, _ in both if item.id in by_item]
    items = replace(stored.data, invalid=(*stored.data.invalid, *context.problems))
    if options.rule is None:
        summary = f"Replies as given, read by the rule {rule.name}. {rule.summary}"
        rule = replace(STORED, summary=summary, source=rule.source) if replied else STORED
    return replace(chosen, rule=rule), with_columns(items, options.columns), records


@contextmanager
def _opened(
    study: Study[Any], file: Path, options: RunOptions, monitor: Monitor
) -> Iterator[tuple[Dataset[Any] | None, dict[str, Any]]]:
    """The items given with --data and how the file is read, while the options about its columns hold."""
    how = next((c for c in study.conventions if c.name == options.convention), None)
    reads = how is not None and not how.rules and how.settings  # how answers are read, by any rule
    reading: dict[str, Any] = {"skip_invalid": options.skip_invalid, "encoding": options.encoding}
    reading |= settings_keyword(study, options) if options.settings or reads else {}
    source = None
    if options.data is not None:
        source = load_items(study, replace(options, split=None, columns={}, valid=None), monitor)
    with renamed_file(file, options.columns, "FILE"), missing_words(options.missing):
        yield source, reading
