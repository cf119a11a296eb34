"""A paper as a result: its tables and figures, and how the printed numbers compare with ours."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import copysign, trunc
from pathlib import Path
from typing import Any, get_args

from tiltmeter.core.analysis import (
    Circumstances,
    Numbers,
    RunCollection,
    digest,
    finish,
    paragraphs,
)
from tiltmeter.core.errors import BadInput, in_one_line
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.finder import find
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Paragraph, Result
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted as counted_words
from tiltmeter.core.text import listed, visible
from tiltmeter.core.views import NumberTable, PrintedCells, RunBlocks, TextLines, View
from tiltmeter.data.published import ROUNDING, PrintedNumber, published
from tiltmeter.papers.cells import Clash, PaperCell, PaperCells, Status, place
from tiltmeter.papers.chosen_models import SLOT
from tiltmeter.papers.derivations import Places
from tiltmeter.papers.derived_numbers import derivations, notes_on
from tiltmeter.papers.number_sources import DerivationInputs
from tiltmeter.papers.paper_file import Paper, PaperItem, Remark, RunSource, cited
from tiltmeter.papers.paper_plan import PaperPlan, PaperResult
from tiltmeter.report.documents.views.printed_cells import PRINTED_ENDS, SIZE, UNIT
from tiltmeter.report.text import bounded, fixed, number_of, short_title, short_unit, span
from tiltmeter.run.files.folder import check_replaces
from tiltmeter.run.planning.choosing import alternatives

REPLICATION = "replication"
ITEM = "item"
PRINTED = quantity(
    "published_numbers", "Published numbers", "published", counts="numbers", decimals=0
)
BY_STATUS = {
    status: quantity(
        status.replace(" ", "_"), f"Published numbers: {words}", status, counts="numbers", decimals=0
    )
    for status, words in {
        "equal": "equal", "within": "within the interval", "different": "different",
        "not computable": "not computable",
    }.items()
}  # fmt: skip
BY_KIND = {
    "given": "of your run", "run": "of the model that was run", "computed": "of the analysis",
    "stored": "of stored outputs",
}  # fmt: skip
NEED_MODELS = quantity(
    "need_only_models", "Published numbers: not computable only because models of the paper were not run",
    "need only models", counts="numbers", decimals=0,
)  # fmt: skip
QUANTITIES = (PRINTED, *BY_STATUS.values(), NEED_MODELS)
GLANCE = "At a glance"
MEANS = (
    "Each number that the paper prints stands beside ours, where we have one: equal if ours is the same to "
    "the last printed digit, within if the printed number lies in our interval."
)
LIMITS = (
    "That an equal number is right, or a different one wrong: both may rest on the same mistake, and models, "
    "data and programs have changed since."
)
METHOD = (
    "Tables have the paper's rows and columns. A printed number is compared with ours to its last digit; "
    "where the paper cuts decimals off, so do we. A number is not computable where its model, its data or "
    "its outputs are not here, also if ours of other data stands beside; the reason stands below."
)


def replicated(plan: PaperPlan, items: Sequence[PaperItem]) -> Result:
    """What the paper's items come to.

    Args:
        plan: With all results that there are.
        items: Of the paper, those that are wanted.

    Returns:
        A result in which an item that cannot be made says why. Mistakes of the paper's file are then among
        the faults of the plan.
    """
    tables, remarks = _tables(plan, items)
    estimates = [*_counts([cell for t in tables.values() for cell in t.cells], {})]
    for name, table in tables.items():
        if any(cell.printed for cell in table.cells):
            estimates += _counts(table.cells, {ITEM: name})
    records = [_record(name, table, cell) for name, table in tables.items() for cell in table.cells]
    paper = plan.paper
    keys = _keys(plan.results)
    labels: dict[str, dict[str, str]] = {"measure": _titles(paper)}
    for each in plan.results:
        made = each.result.estimates
        named = {"measure": {e.name: short_title(e) for e in made},
                 UNIT: {e.name: short_unit(e.unit) for e in made}}  # fmt: skip
        for axis, names in {**named, **each.result.card.labels}.items():
            labels.setdefault(axis, {}).update(names)
    labels[ITEM] = {item.name: cited(item.name) for item in items}
    means, limits = (MEANS, LIMITS) if estimates[0].value else ("", "")
    collection = RunCollection(
        name=REPLICATION, title=paper.title, version="1", means=means, not_what=limits,
        quantities=QUANTITIES, words=_words,
    )  # fmt: skip
    result = finish(
        collection,
        estimates,
        Circumstances(
            data={"name": paper.name, "sha256": digest(*keys.values(), *(i.name for i in items)),
                  "warning": paper.warning},
            subtitle=paper.source,
            method=METHOD,
            settings=plan.settings,
            sources=[
                {"source": each.source, "folder": keys[each.folder], **_opened(each), **each.at}
                for each in plan.results
            ],
            labels=labels,
            views=tuple(_views(plan, items, tables, keys, remarks)),
        ),
        records,
    )  # fmt: skip
    return replace(result, runs={keys[each.folder]: each.result for each in plan.results})


def check_folder(
    paper: Paper, folder: Path, settings: Mapping[str, str], *, overwrite: bool
) -> None:
    """Check that the folder for a paper's document holds no other result, unless that may be replaced.

    Numbers of models that were measured with other settings are another result: a sample would replace a
    full run in every table, and nobody would notice.

    Raises:
        BadInput: It holds the document of another paper or of models with other settings, or a result of
            another command.
    """

    def is_same(card: Card) -> bool:
        if card.study != REPLICATION or card.data_name != paper.name:
            return False
        if card.settings != settings and any("reference" in source for source in card.sources):
            raise BadInput(
                f"this folder holds {paper.name} with models measured {_in_words(card.settings)}, and this "
                f"command measures them {_in_words(settings)}",
                "name another --out, or replace its tables with --overwrite", file=str(folder),
            )  # fmt: skip
        return True

    check_replaces(folder, is_same, overwrite=overwrite)


def _in_words(settings: Mapping[str, str]) -> str:
    return (
        listed([f"with --{n} {v}".removesuffix(" yes") for n, v in settings.items()])
        or "on all items"
    )


def _tables(
    plan: PaperPlan, items: Sequence[PaperItem]
) -> tuple[dict[str, PaperCells], dict[str, list[str]]]:
    """The cells of every item that has some, and what is to be said of them: one item costs no other."""
    tables: dict[str, PaperCells] = {}
    remarks: dict[str, list[str]] = {}
    for item in items:
        if not item.rows:
            continue
        try:
            table = tables[item.name] = _cells(item, plan)
        except Exception as error:  # noqa: BLE001 a defect costs no other item either
            remarks[item.name] = [f"This table could not be made: {in_one_line(error)}"]
            plan.faults.append(error)
            continue
        remarks[item.name] = [
            *table.notes, *map(_clash, table.clashes), *filter(None, [table.rules])
        ]  # fmt: skip
        plan.faults += [
            BadInput(
                f"{item.name}: two numbers are at {clash.at}",
                "name the axis in which they differ among the rows or columns, or its value in where",
            )
            for clash in table.clashes if clash.is_mistake
        ]  # fmt: skip
    return tables, remarks


def _clash(clash: Clash) -> str:
    """That two numbers of ours are for one place, and which is shown."""
    shown, other = (
        f"{BY_KIND[each.by]} ({each.source}, {each.folder.name})"
        for each in (clash.shown, clash.left_out)
    )
    if clash.shown is clash.left_out:
        return f"Two numbers are at {clash.at}, both {shown}: the first is shown."
    return f"Two numbers are at {clash.at}: shown is the one {shown}, and not the one {other}."


def _opened(each: PaperResult) -> dict[str, str]:
    """What opened the model that was run, by which a later call finds it again."""
    return {SLOT: each.model.name, "reference": each.model.reference} if each.model else {}


def _titles(paper: Paper) -> dict[str, str]:
    """What the measures of the paper's studies are called, also where none has been run."""
    studies: list[Study[Any]] = [find("studies", run.study, "STUDY") for run in paper.runs]
    return {m.name: m.meaning.title for s in studies for m in s.measures if m.meaning.title}


def _keys(results: Sequence[PaperResult]) -> dict[Path, str]:
    """A name for each folder; results given from elsewhere may be called alike."""
    keys: dict[Path, str] = {}
    for each in results:
        name = each.folder.name
        taken = each.folder not in keys and name in keys.values()
        keys.setdefault(each.folder, f"{name}-{len(keys) + 1}" if taken else name)
    return keys


def _cells(item: PaperItem, plan: PaperPlan) -> PaperCells:
    """The cells of an item, with the numbers that are derived from those of earlier items."""
    results = [each for each in plan.results if each.source in item.of]
    of = plan.paper.sources_of([item])
    behind = {run for each in plan.paper.analyses if each.name in of for run in each.of}
    about = {source.name: _about(source, item) for source in plan.paper.runs}
    # What an analysis lacks explains more than what its runs lack, and reasons of one model go first.
    lacks = [lack for sources in (of, behind) for lack in plan.lacks if lack.source in sources]
    lacks.sort(key=lambda lack: "model" not in lack.at)
    failed: list[Remark] = []
    lacking: list[Remark] = []
    for lack in lacks:
        at = {axis: (value,) for axis, value in lack.at.items()}
        remark = Remark(lack.why, {**about.get(lack.source, {}), **at})
        (failed if lack.failed else lacking).append(remark)
    if item.why:
        lacking.append(Remark(item.why))
    by_name = {other.name: other for other in plan.paper.items}
    inputs = DerivationInputs(lambda name: _cells(by_name[name], plan), plan.results)
    made = derivations(item, inputs, [*failed, *lacking])
    table = place(item, results, lacking, failed, [each.derived for each in made])
    return replace(table, notes=notes_on(made))


def _about(source: RunSource, item: PaperItem) -> Places:
    """What numbers that rest on a source have in common; those of an analysis of it have another study."""
    study = {"study": (source.study,)} if source.name in item.of else {}
    rules = alternatives(source.options.get("rule"))
    every = dict.fromkeys([*rules, *(part for rule in rules for part in rule.split("+"))])
    return study | ({"rule": (*every,)} if every else {})


def _counts(cells: Sequence[PaperCell], at: Mapping[str, str]) -> Iterator[Estimate]:
    counts = Counter(cell.status for cell in cells)
    total = sum(counts[status] for status in get_args(Status) if status != "ours")
    yield PRINTED.at(total, groups=at)
    for status, counted in BY_STATUS.items():
        yield counted.at(counts[status], groups=at)  # type: ignore[index]
    lacking = sum(cell.needs_models and cell.status == "not computable" for cell in cells)
    yield NEED_MODELS.at(lacking, groups=at)


def _record(name: str, table: PaperCells, cell: PaperCell) -> Record:
    ours, printed = cell.ours, cell.printed
    scores: dict[str, float | None] = {
        **({"value": ours.value, "low": ours.low, "high": ours.high} if ours else {}),
        "printed": printed.value if printed else None,
        **(dict(zip(PRINTED_ENDS, printed.interval, strict=True)) if printed and printed.interval else {}),
        **({SIZE: float(ours.n)} if ours and ours.n else {}),
    }  # fmt: skip
    groups = {
        **dict(zip(table.rows, cell.row, strict=True)), **dict(zip(table.columns, cell.column, strict=True)),
        "compared": cell.status, "why": cell.why,
        "shown": _shown_printed(printed) if cell.status == "equal" else _shown(ours, printed),
        "shown_span": _shown_span(ours, printed),
        "shown_printed": _shown_printed(printed),
        "shown_printed_span": _shown_ends(printed, printed.interval) if printed and printed.interval else "",
    }  # fmt: skip
    at = " ".join(value for value in (*cell.row, *cell.column) if value)
    return Record(
        f"{name} {at}",
        {key: value for key, value in scores.items() if value is not None},
        {key: value for key, value in groups.items() if value},
        kind=name,
    )


def _shown(ours: Estimate | None, printed: PrintedNumber | None) -> str:
    """Ours with the decimals of the printed number, cut off where the paper cuts; "" beside it for none."""
    if ours is None or ours.value is None:
        return "" if printed or ours is None else "undefined"
    if printed is None:
        return bounded(ours.bound, number_of(ours, ours.value))
    step, value = 10.0**printed.decimals, ours.value
    if printed.cut:
        value = trunc(value * step + copysign(ROUNDING, value)) / step
    return bounded(ours.bound, fixed(value, printed.decimals))


def _shown_span(ours: Estimate | None, printed: PrintedNumber | None) -> str:
    """Our interval: beside a printed number only if that has one too, with as many decimals."""
    if ours is None or printed is None:
        return span(ours) if ours else ""
    if printed.interval is None or ours.low is None or ours.high is None:
        return ""
    return _shown_ends(printed, (ours.low, ours.high))


def _shown_ends(printed: PrintedNumber, ends: tuple[float, float]) -> str:
    return " to ".join(fixed(end, printed.decimals) for end in ends)


def _shown_printed(printed: PrintedNumber | None) -> str:
    return bounded(printed.bound, fixed(printed.value, printed.decimals)) if printed else ""


def _views(
    plan: PaperPlan,
    items: Sequence[PaperItem],
    tables: Mapping[str, PaperCells],
    keys: Mapping[Path, str],
    remarks_on: Mapping[str, Sequence[str]],
) -> Iterator[View]:
    yield NumberTable(
        "summary", GLANCE, (ITEM,),
        tuple(
            column for q in QUANTITIES
            for column in q.columns(q.meaning.short, value=int(q is NEED_MODELS))
        ),
        most=len(items),
    )  # fmt: skip
    noted: set[str] = set()
    for item in items:
        title = f"{cited(item.name)}: {item.title}"
        results = [each for each in plan.results if each.source in item.of]
        shown_reasons = (
            {cell.why for cell in tables[item.name].cells} if item.name in tables else set()
        )
        lines = (*remarks_on.get(item.name, ()), *_remarks(item, plan, shown_reasons))
        if item.name in tables:
            table = tables[item.name]
            name = item.name.replace(" ", "-")
            yield PrintedCells(name, title, item.name, table.rows, table.columns, lines)
        remarks = TextLines(title, lines)
        shown: list[View] = [remarks]
        if item.name in tables:  # what is not shown for another's sake has no blocks either
            left_out = [c.left_out for c in tables[item.name].clashes if c.left_out is not c.shown]
            results = [each for each in results if each not in left_out]
        if item.blocks and results:
            folders = tuple(dict.fromkeys(keys[each.folder] for each in results))
            blocks = RunBlocks(title, folders, item.blocks, item.where)
            one = len(item.blocks) * len(folders) == 1  # it may go by the section's title
            shown = [blocks, remarks] if one else [remarks, blocks]
        yield from shown
        tables_of = [published(name) for name in item.published]
        sources = [f"Printed numbers: {table.source}." for table in tables_of]
        notes = [note for table in tables_of for note in table.notes if note not in noted]
        noted.update(notes)
        yield TextLines(title, (*dict.fromkeys(sources), *notes), on="page")


def _remarks(item: PaperItem, plan: PaperPlan, shown: Collection[str]) -> Iterator[str]:
    """What the item says of itself and what its sources lack, as far as no cell says it.

    That models of the paper were not asked for is said where nothing is there.
    """
    empty = not any(shown) and all(each.source not in item.of for each in plan.results)
    texts = (text for source in item.of for text in plan.remarks.get(source, ()))
    yield from map(visible, dict.fromkeys(texts))
    yield from _samples([each for each in plan.results if each.source in item.of])
    if item.why and item.why not in shown:
        yield item.why
    models: dict[str, list[str]] = {}
    for lack in plan.lacks:
        is_said = lack.said or lack.why in shown or (lack.unasked and not empty)
        if lack.source in item.of and not is_said:
            models.setdefault(lack.why, []).append(lack.at.get("model", ""))
    for why, of in models.items():
        named = ", ".join(dict.fromkeys(filter(None, of)))
        yield f"Not here{f', {visible(named)}' if named else ''}: {visible(why)}"


def _samples(results: Sequence[PaperResult]) -> Iterator[str]:
    """Which results are of a sample of the data, a line for each size."""
    models: dict[str, dict[str, None]] = {}
    for each in results:
        if sample := each.result.card.data.get("sample"):
            name = each.at.get("model") or each.result.card.model_name
            models.setdefault(str(sample), {})[name] = None
    for sample, names in models.items():
        yield f"Of a sample of the data ({visible(sample)}): {visible(', '.join(names))}."


def _words(numbers: Numbers) -> list[Paragraph]:
    total = numbers[PRINTED].value or 0
    counts = {status: int(numbers[q].value or 0) for status, q in BY_STATUS.items()}
    if not total:
        kinds = len({r.kind for r in numbers.records})
        what = counted_words(kinds, "tables") if kinds else "Tables and figures"
        return paragraphs([f"{what} without printed numbers to compare with."])
    head = (
        f"Of {total:,.0f} published numbers {counts['equal']:,} are equal, {counts['within']:,} within the "
        f"interval, {counts['different']:,} different, and {counts['not computable']:,} not computable here."
    )
    lacking = int(numbers[NEED_MODELS].value or 0)
    more = (
        f"{lacking:,} of these need only models of the paper that were not run." if lacking else ""
    )
    return paragraphs([head, more])
