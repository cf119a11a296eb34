"""Which orders of a form are random, and which were recorded with the answers, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from tiltmeter.core.text import counted
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.form import Form
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.order.form_order import alternatives, follow_each_other
from tiltmeter.survey.order.person_order import PersonOrder, Turn
from tiltmeter.survey.question import FormQuestion

_EVERY = Turn(0, 0)


@dataclass(frozen=True, slots=True)
class OrderState:
    """How many of a form's things of one kind are shown in random order."""

    what: str
    """Such as "options of questions"."""
    random: int
    all: int

    @property
    def state(self) -> str:
        """In a word or two: "random", "fixed", or of how many."""
        if self.random in {0, self.all}:
            return "random" if self.random else "fixed"
        return f"random in {self.random} of {self.all}"


def order_states(form: Form) -> Iterator[OrderState]:
    """Every kind of order that the form has something for, in the order of the keys of `[order]`."""
    order = PersonOrder(form.order, "", 0)
    yield OrderState("items", int(form.order.items == "random"), 1)
    item_pages = form.part("item")
    if len(item_pages) > 1:
        yield OrderState("pages of an item", int(form.order.pages == "random"), 1)
    shown = [(page, q, order.shown(page, q, turn=_EVERY)) for page, q in _questions(form)]
    rows = [
        s
        for page, q, s in shown
        if any(q in _block(page, b) for b in follow_each_other(page.questions))
    ]
    if rows:
        yield OrderState("rows", sum(s.row is not None for s in rows), len(rows))
    ends = [s for _, q, s in shown if q.has_ends]
    if ends:
        yield OrderState("sides of ends", sum(s.swapped is not None for s in ends), len(ends))
    options = [s for _, q, s in shown if q.options and not q.has_ends]
    if options:
        yield OrderState("options", sum(bool(s.options) for s in options), len(options))
    mixed = [page for page in form.pages if alternatives(page)]
    if mixed:
        names = ", ".join(dict.fromkeys(name for page in mixed for name in alternatives(page)))
        random = len(mixed) if form.order.texts == "random" else 0
        yield OrderState(f"texts of an item ({names})", random, len(mixed))


def order_sentence(form: Form) -> str:
    """Which orders are random and which are fixed, in one line."""
    return "; ".join(f"{state.what} {state.state}" for state in order_states(form))


def recorded_orders(collected: Collected) -> list[str]:
    """Sentences about the orders that are stored with the answers; orders that are not are not mentioned."""
    shown = [response.shown for response in collected.responses]
    swapped = [s.swapped for s in shown if s.swapped is not None]
    counts = {
        "the order of pages": sum(s.page is not None for s in shown),
        "the order of rows": sum(s.row is not None for s in shown),
        "the sides of ends": len(swapped),
        "the order of options": sum(bool(s.options) for s in shown),
        "which text came first": sum(bool(s.texts) for s in shown),
    }
    recorded = [f"{what} ({counted(n, 'answers')})" for what, n in counts.items() if n]
    items = sum(s.item is not None for s in shown)
    if items and collected.form.order.items == "random":
        recorded.insert(0, f"the order of items ({counted(items, 'answers')})")
    if not recorded:
        return []
    sentences = [f"Random, and stored with each answer: {', '.join(recorded)}."]
    if swapped:
        sentences.append(
            f"Ends had changed sides in {sum(swapped):,} of {counted(len(swapped), 'answers')}."
        )
    return sentences


def _questions(form: Form) -> Iterator[tuple[Page, FormQuestion]]:
    for page in form.pages:
        yield from ((page, question) for question in page.questions)


def _block(page: Page, places: range) -> tuple[FormQuestion, ...]:
    return page.questions[places.start : places.stop]
