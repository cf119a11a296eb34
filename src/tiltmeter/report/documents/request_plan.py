"""The document of a dry run: how many requests a run would make, how long they take and what they cost."""

from collections.abc import Sequence

from tiltmeter.core.model.conversations import ALLOWANCES
from tiltmeter.core.text import in_bytes
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Column, Document, Section, Table, Text
from tiltmeter.run.asking.budget import Price
from tiltmeter.run.asking.request_plan import RequestPlan

SECONDS = 1.0
"""The assumed time of a reply, in seconds, where none was measured."""


def request_plan_document(
    plans: Sequence[RequestPlan], study: str, price: Price | None
) -> Document:
    """The requests of each model; the price is for a million tokens, and None leaves out the cost."""
    left = sum(plan.left for plan in plans)
    stored = sum(plan.stored for plan in plans)
    requests = f"{left:,} {'request' if left == 1 else 'requests'} would be asked"
    kept = f"; the answers to {stored:,} others are stored." if stored else "."
    tried = any(p.measured is not None for p in plans)
    asked = "Only the speed was tried." if tried else "Nothing was asked."
    sections = [Section("requests", "", [_table(plans, price), *_notes(plans, price)])]
    if any(plan.memory for plan in plans):
        sections.append(
            Section("memory", "Memory and disk, at most", [_memory(plans), *_fits(plans)])
        )
    headline = Text(requests + kept, "headline")
    return Document(f"What a run would ask: {study}", asked, [headline], sections)


def _table(plans: Sequence[RequestPlan], price: Price | None) -> Table:
    remote = any(plan.remote for plan in plans)
    writes = any(plan.written for plan in plans)
    of = TableRows(plans)
    several = len({p.study for p in plans}) > 1
    columns = [
        *([of.words("study", lambda p: p.study)] if several else []),
        of.words("model", lambda p: p.model),
        of.words("rule", lambda p: p.rule),
        of.counts("requests", lambda p: p.requests),
        of.counts("stored", lambda p: p.stored),
        of.counts("tokens read", lambda p: p.read, name="tokens_read"),
    ]
    if writes:
        written = of.counts("written, at most", lambda p: p.written, name="tokens_written_most")
        columns.append(written)
    if remote:
        hours = [p.hours(SECONDS) if p.remote else None for p in plans]
        columns.append(Column("time", hours, _time, name="hours_at_1_s"))
    if any(p.measured is not None for p in plans):
        timed = [None if p.measured is None else p.measured / 3600 for p in plans]
        columns.append(Column("time, at most", timed, _time, name="hours_measured"))
    if price is not None:
        costs = [p.cost(price) for p in plans]
        columns.append(Column("cost, at most", costs, "{:,.4g}".format, name="cost_most"))
    return Table("", columns, most=len(plans), name="requests")


def _memory(plans: Sequence[RequestPlan]) -> Table:
    """What each local model takes; empty for models on a server."""
    of = TableRows([plan.memory for plan in plans])
    columns = [
        TableRows(plans).words("model", lambda p: p.model),
        of.words("precision", lambda m: m.precision),
        of.numbers("weights", lambda m: m.weights, in_bytes, name="weights_bytes"),
        of.numbers("activations", lambda m: m.activations, in_bytes, name="activations_bytes"),
        of.numbers("keys and values", lambda m: m.cache or None, in_bytes, name="cache_bytes"),
        of.numbers("in all", lambda m: m.whole, in_bytes, name="memory_bytes"),
        TableRows(plans).numbers("answers", lambda p: p.answers, in_bytes, name="answers_bytes"),
    ]
    return Table("", columns, most=len(plans), name="memory")


def _fits(plans: Sequence[RequestPlan]) -> list[Text]:
    """Which models fit into the memory that is free, and which do not."""
    texts = []
    for plan in plans:
        if plan.memory is None or plan.free is None:
            continue
        whole, free = in_bytes(plan.memory.whole), in_bytes(plan.free)
        if plan.memory.whole <= plan.free:
            texts.append(
                f"{plan.model} fits: it takes up to {whole} of memory, and {free} are free now."
            )
        else:
            texts.append(
                f"{plan.model} may not fit: it takes up to {whole} of memory, and {free} are free now."
            )
    return [Text(text, "note") for text in dict.fromkeys(texts)]


def _notes(plans: Sequence[RequestPlan], price: Price | None) -> list[Text]:
    servers = [plan for plan in plans if plan.remote]
    notes = []
    if servers:
        at_once = max(plan.at_once for plan in servers)
        notes.append(
            f"Time: if a reply takes one second and {at_once} are asked for at a time. Tokens read are "
            "estimated at four characters each; the server counts them exactly."
        )
    if thoughts := sum(plan.thoughts for plan in plans):
        cost = f", which cost {price.of(0, thoughts):,.4g}" if price else ""
        notes.append(
            f"A model that thinks before it answers may write {ALLOWANCES['']:,} tokens more for each reply, "
            f"{thoughts:,} in all{cost}. --thinking off asks it not to think."
        )
    if any(plan.measured is not None for plan in plans):
        notes.append(
            "Time is an upper bound, from the one request that was sent; concurrent requests take less."
        )
    if price is not None:
        notes.append(
            f"Cost: {price.read:g} for a million tokens read and {price.written:g} for a million "
            "written, in your currency."
        )
    return [Text(text, "note") for text in notes]


def _time(value: object) -> str:
    hours = float(str(value))
    minutes = round(hours * 60)
    return f"{hours:,.1f} h" if hours >= 1 else f"{minutes} min" if minutes else "under a minute"
