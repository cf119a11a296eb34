"""What numbers of a study are, on how many items of which data they rest, and how their intervals were made.

The notes under a table and the paragraph on methods both take these words, so that they agree.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card
from tiltmeter.core.text import counted, listed, visible
from tiltmeter.data.memory.samples import drawn_from
from tiltmeter.derived.run_tables.run_table_layout import Placed


def over_all(placed: Sequence[Placed]) -> list[Placed]:
    """The numbers over everything among these, or all where there are none."""
    return [p for p in placed if not p.estimate.groups] or [*placed]


def amounts(placed: Sequence[Placed]) -> dict[str, list[str]]:
    """By "100 of 1,508 pairs of crows_pairs", on which items numbers rest: their models."""
    by_data: dict[tuple[str, object], list[Placed]] = {}
    for p in over_all([p for p in placed if p.card is not None]):
        if p.card is not None:
            by_data.setdefault((p.run["data"], p.card.data.get("items")), []).append(p)
    models: dict[str, list[str]] = {}
    for of in by_data.values():
        if of[0].card is not None and (words := _amount(of, of[0].card)):
            models.setdefault(words, []).extend(dict.fromkeys(p.run["model"] for p in of))
    return models


def amount_words(placed: Sequence[Placed]) -> str:
    """The same as one text, with the models where these were measured on different data."""
    by_amount = amounts(placed)
    if len(by_amount) == 1:
        return next(iter(by_amount))
    return "; ".join(f"{words} ({listed(models)})" for words, models in by_amount.items())


def _amount(placed: Sequence[Placed], card: Card) -> str:
    sizes: dict[str, set[int]] = {}
    for p in placed:
        if p.estimate.n:
            sizes.setdefault(visible(p.estimate.meaning.counts), set()).add(p.estimate.n)
    drawn = drawn_from(card.data)
    name = visible(drawn.name if drawn else placed[0].run["data"])
    of = f" of {name}" if name else ""
    if drawn and [*sizes.values()] == [{drawn.drawn}]:
        return f"{drawn.drawn:,} of {counted(drawn.whole, next(iter(sizes)))}{of}"
    words = listed([_size(what, each) for what, each in sizes.items()])
    sample = f" ({drawn.drawn:,} of {counted(drawn.whole, 'items')})" if drawn else ""
    return f"{words}{of}{sample}" if words else f"{name}{sample}"


def _size(what: str, sizes: Collection[int]) -> str:
    """A number of items, or a range: "1,508 pairs", "36 to 72 targets"."""
    few = f"{min(sizes):,} to " if len(sizes) > 1 else ""
    return few + counted(max(sizes), what)


def by_method(
    placed: Iterable[Placed], method: Callable[[Estimate], str], of: Callable[[Placed], str]
) -> str:
    """Which method was used for what: the method alone where it is one for all.

    Args:
        placed: The numbers.
        method: The name of the method for one of them; "" for none.
        of: What a number is called where methods differ: its measure, or its study.
    """
    methods: dict[str, dict[str, None]] = {}
    for p in placed:
        if name := method(p.estimate):
            methods.setdefault(of(p), {})[name] = None
    users: dict[tuple[str, ...], list[str]] = {}
    for what, names in methods.items():
        users.setdefault(tuple(names), []).append(what)
    if len(users) == 1:
        return " or ".join(next(iter(users)))
    return "; ".join(f"{listed(what)}: {' or '.join(names)}" for names, what in users.items())
