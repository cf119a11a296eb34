"""Scores a model on a study and summarises the scores: the only place where model, rule and metric meet."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

import numpy as np

from tiltmeter.core.conventions import FIXED_LABELS, PAPER
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.measures import Measure, reported_measures
from tiltmeter.core.model.control_tokens import KNOWN, spelling_items, spelling_sentence
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Note, Result
from tiltmeter.core.rules import Context, ReplyScores, Rule
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.versions import versions
from tiltmeter.data.memory.lazy_sequence import Selection
from tiltmeter.run.measuring.alike_labels import notes_on_alike_labels
from tiltmeter.run.measuring.columns import Columns, columns_of
from tiltmeter.run.measuring.estimates import adjusted, axes_left_out, estimates
from tiltmeter.run.measuring.generalisation import generalises_to
from tiltmeter.run.measuring.left_out import left_out
from tiltmeter.run.measuring.over_wordings import SOURCE, source_labels
from tiltmeter.run.measuring.portions import score_items
from tiltmeter.run.measuring.repeated_items import RepeatedItems
from tiltmeter.run.measuring.repeated_replies import writes
from tiltmeter.run.planning.choosing import Chosen
from tiltmeter.study_families.repeats import CHANGED, CHANGED_BETWEEN_REPEATS

T = TypeVar("T")
_PATH = re.compile(r"(?:^|(?<=:))/(?!/)(?:.*/)?(?=[^/]+/?$)")
"""Matches the folders of an absolute path, which may follow a kind of model and a colon."""


def measure(  # noqa: PLR0913 what a run may say of one result
    study: Study[T],
    model: Any,
    data: Dataset[T],
    *,
    chosen: Chosen[T],
    seed: int = 0,
    skip_invalid: bool = False,
    per_token: bool = False,
    repeats: int | None = None,
    about: Mapping[str, Any] | None = None,
) -> Result:
    """Score every item with the model, then compute the study's measures.

    `repeats` as of `score_items`.

    Raises:
        BadItems: Some items have no defined score and `skip_invalid` is false.
    """
    context = Context(
        chosen.convention, seed, skip_invalid, settings=chosen.settings, per_token=per_token
    )
    data = of_rule(data, chosen.rule)
    data = with_readable_texts(model, data, context)
    records = score_items(chosen.rule, model, data.items, context, repeats=repeats)
    facts = {**facts_of(model), **(about or {})}
    return summarise(
        study,
        records,
        replace(data, notes=(*data.notes, *dict.fromkeys(context.notes))),
        chosen=chosen,
        seed=seed,
        model=facts,
        invalid=(*data.invalid, *context.problems),
    )


def facts_of(model: Any) -> dict[str, Any]:
    """The facts about a model that are recorded in a card."""
    return {"name": model.name, "fingerprint": model.fingerprint, **model.about}


def with_readable_texts(model: Any, data: Dataset[T], context: Context) -> Dataset[T]:
    """The items whose texts the model can read exactly as they are written.

    Texts that spell a control token of the model, such as "[MASK]", are read as plain letters and reported in
    a note; if the model's tokenizer cannot do that, their items are refused.
    """
    known = getattr(model, "control_tokens", None)
    spelled, ids = spelling_items(data.items, KNOWN if known is None else known)
    if not ids:
        return data
    lost = model.unreadable(spelled) if known else ()
    read, left = spelling_items(
        data.items, [token for token in known or spelled if token not in lost]
    )
    if left:
        whose = "of the model, read as plain text" if known else "of many models"
        context.notes.append(Note("caution", spelling_sentence(read, left, whose)))
    if not lost:
        return data
    kept: list[int] = []
    for at, item in enumerate(data.items):
        if inside := spelling_items([item], lost)[0]:
            reason = f"it spells {inside[0]}, which the model's tokenizer cannot read as letters"
            context.refuse(Problem(reason, "reword it, or remove it", item=getattr(item, "id", "")))
        else:
            kept.append(at)
    return replace(data, items=Selection(data.items, np.array(kept, dtype=int)))


def of_rule(data: Dataset[T], rule: Rule[T]) -> Dataset[T]:
    """The items that belong to the rule's task; all items if the rule has none.

    Raises:
        BadInput: No item does.
    """
    if not rule.task:
        return data
    tasks = rule.task.split("+")
    mine = (getattr(item, "task", "") in tasks for item in data.items)
    kept = np.flatnonzero(np.fromiter(mine, np.bool_, len(data.items)))
    if not len(kept):
        raise BadInput(
            f"the rule {rule.name} scores {' and '.join(tasks)} items, and {data.name} has none",
            "name another --rule or other --data",
        )
    rest = len(data.items) - len(kept)
    note = Note(
        "coverage",
        f"{counted(rest, 'items', 'belong')} to another task than {rule.name} scores and "
        f"{verb_for(rest, 'are')} not counted.",
    )
    if not rest:
        return data
    return replace(data, items=Selection(data.items, kept), notes=(*data.notes, note))


def summarise(
    study: Study[T],
    records: Sequence[Record],
    data: Dataset[T],
    *,
    chosen: Chosen[T],
    seed: int,
    model: Mapping[str, Any],
    invalid: Sequence[Problem] = (),
) -> Result:
    """The result of these records: estimates and card. Also used for scores that were made elsewhere.

    Raises:
        BadInput: There are no records.
    """
    if not records:
        reason = f"no item of {data.name} could be scored, so there is nothing to report"
        raise BadInput(reason, f"the first one left out: {invalid[0]}" if invalid else "")
    refused = len({(p.file, p.line, p.item) for p in invalid})  # a row may have several problems
    replies = chosen.rule.replies or replies_of(study, chosen.rule.name)
    read = {name for m in (*study.measures, CHANGED_BETWEEN_REPEATS) for name in m.reads}
    if replies:
        read |= {name for names in replies.by_outcome.values() for name in names}
        read |= {f"{name}{end}" for name in replies.thoughts for end in ("", "_tokens")}
    decimals = chosen.convention.decimals.get(chosen.rule.name)
    repeats = RepeatedItems()
    columns = columns_of(repeats.passed(records), read, decimals=decimals)
    several = CHANGED in columns.scores
    measures = [
        m
        for m in reported(study, chosen)
        if (several or m is not CHANGED_BETWEEN_REPEATS) and columns.has_labels_of(m)
    ]
    counts_ties = not measures or any(m.uses_ties for m in measures)
    bare = list(estimates(measures, columns, chosen.ties, seed, fixed=data.fixed_labels))
    coordinates: dict[str, Any] = {
        "study": study.name, "rule": chosen.rule.name, "convention": chosen.convention.name,
        "ties": chosen.ties if counts_ties else "",
    }  # fmt: skip
    numbers = [
        replace(e, model=str(model["name"]), tied=e.tied if counts_ties else 0, **coordinates)
        for e in adjusted(bare, measures)
    ]
    card = Card(
        study_version=study.version,
        model=dict(model),
        data=_data_card(data),
        seed=seed,
        generalises_to=generalises_to(study, chosen.rule, measures, bare, columns, data),
        left_out=left_out(study, measures, bare, columns, chosen.ties, data),
        method=method(study, chosen, measures),
        counts={
            "total": len(records) + refused,
            "scored": len(records),
            **({"tied": int(columns.tied.sum())} if counts_ties else {}),
            **(
                {"repeats": 1 + int(columns.scores["repeat"].max())}
                if columns.items is not None
                else {}
            ),
            "invalid": refused,
            "undefined": sum(e.value is None for e in numbers),
            **(reply_counts(columns, replies) if replies else {}),
        },
        invalid=[str(problem) for problem in invalid],
        notes=[
            *data.notes,
            *repeats.notes(records),
            *notes_on_alike_labels(bare),
            *axes_left_out(measures, columns),
        ],
        measures={m.name: m.meaning for m in reversed(measures)},  # the first with a name counts
        views=[view for view in study.views if view.has_numbers(bare)],
        categories=study.categories,
        alike=study.alike if chosen.rule.name in study.alike else (),
        labels={**_source_labels(columns, data), **data.labels},
        settings=without_paths(chosen.settings),
        validity=study.validity,
        study_file=asdict(study.file) if study.file else {},
        versions=versions(),
        **coordinates,
    )
    return Result(card, records, numbers)


def replies_of(study: Study[Any], rule: str) -> ReplyScores | None:
    """The scores that record the outcomes of replies under a rule; None if its models write no replies.

    For a rule that the study does not have, such as that of stored replies, those of the study's own rules.
    """
    same = next((own for own in study.rules if own.name == rule), None)
    if same is not None:
        return same.replies
    return next((own.replies for own in study.rules if own.replies), None)


def reply_counts(columns: Columns, replies: ReplyScores) -> dict[str, int]:
    """How many replies there are ("replies"), with each outcome and with a thought; {} if there are none."""
    counts = {
        outcome: sum(
            int((columns.scores[name] == 1).sum()) for name in names if name in columns.scores
        )
        for outcome, names in replies.by_outcome.items()
    }
    total = sum(counts.values())
    thoughts = [name for name in replies.thoughts if name in columns.scores]
    thought = sum(int((columns.scores[name] == 1).sum()) for name in thoughts)
    if thought:
        tokens = (np.nansum(columns.scores[f"{name}_tokens"]) for name in thoughts)
        counts |= {"thoughts": thought, "thought_tokens": int(sum(tokens))}
    return {"replies": total, **counts} if total else {}


def reported(study: Study[T], chosen: Chosen[T]) -> list[Measure]:
    """The measures that the study reports under this rule and convention, that of repeats among them."""
    own = reported_measures(
        study.measures, rule=chosen.rule.name, convention=chosen.convention.name
    )
    return [*own, *([CHANGED_BETWEEN_REPEATS] if writes(chosen.rule) else [])]


def all_measures(study: Study[Any]) -> list[Measure]:
    """The measures that the study reports under any rule and convention."""
    written = any(map(writes, study.rules))
    return [*study.measures, *([CHANGED_BETWEEN_REPEATS] if written else [])]


def method(study: Study[T], chosen: Chosen[T], measures: Sequence[Measure]) -> str:
    """A paragraph on the method: how sentences are scored, what is counted, and whose definition that is.

    `measures` are those that are reported, the headline first.
    """
    rule, how = chosen.rule, chosen.convention
    tie = {
        "half": "A tie counts one half.",
        "loss": "A tie counts against the side whose wins the measure counts.",
        "neutral": "A tie counts for neither side and stays in the denominator.",
    }[chosen.ties]
    sentences = [f"Rule {rule.name}. {rule.summary} Source: {rule.source}."]
    headline = next((m.summary for m in measures if m.summary), "")
    sentences += [f"The measure: {headline[:1].lower()}{headline[1:]}"] if headline else []
    if chosen.ties == "neutral" and any(m.drops_ties for m in measures):
        axes = {axis for m in measures if m.drops_ties for crossing in m.over for axis in crossing}
        tie += f" Of subsets by {' and '.join(sorted(axes))} it is left out."
    sentences += [tie] if any(m.uses_ties for m in study.measures) else []
    if how is not PAPER:
        sentences += [f"Convention {how.name}: {how.summary} Source: {how.source}."]
    settings = [f"{k} = {v}" for k, v in without_paths(chosen.settings).items() if v]
    sentences += [f"Settings: {', '.join(settings)}."] if settings else []
    return " ".join([*sentences, f"Study: {study.source}"])


def without_paths(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings with only the last part of absolute paths, since results may be passed on to others.

    >>> without_paths({"corpus": "/home/me/wiki.txt", "draws": "10"})
    {'corpus': 'wiki.txt', 'draws': '10'}
    >>> without_paths({"judge": "words:/home/me/bad.txt", "other": "model:chat:http://here/v1#m"})
    {'judge': 'words:bad.txt', 'other': 'model:chat:http://here/v1#m'}
    """
    return {name: _PATH.sub("", value) for name, value in settings.items()}


def _source_labels(columns: Columns, data: Dataset[T]) -> dict[str, dict[str, str]]:
    """The plain names of what variance is from, where items have several wordings."""
    several = columns.wordings(slice(None)) is not None
    return {SOURCE: source_labels(data.clusters)} if several else {}


def _data_card(data: Dataset[T]) -> dict[str, Any]:
    facts = ("source", "licence", "sha256", "clusters", "warning")
    return {
        "name": data.name, "version": data.version, "items": len(data.items),
        **{name: getattr(data, name) for name in facts}, **data.about,
        **({FIXED_LABELS: True} if data.fixed_labels else {}),
    }  # fmt: skip
