"""The orders in which one person sees a form.

They follow from the study's secret, the number that the person has in the study, and the turn of an item: the
same at every call, in every process and on every device. Each is balanced over people: of k people with
successive numbers, each has a thing at another of its k places. So half of the people see a slider the other
way round, and half of those who get an item see its first reply first.
"""

import hashlib
import hmac
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.order.form_order import (
    FormOrder,
    alternatives,
    follow_each_other,
    names_place,
)
from tiltmeter.survey.question import AnswerOption, FormQuestion

_Thing = TypeVar("_Thing")
ABOUT_ITEMS = frozenset({"item", "training"})
"""Parts of the form whose options are random by `[order]`; elsewhere, only where the question says so."""


@lru_cache(maxsize=10_000)
def balanced_order(secret: str, what: str, number: int, count: int) -> tuple[int, ...]:
    """The order of `count` things for the person of a number; over `count` people each has every place once.

    >>> pairs = {balanced_order("s", "poles", number, 2) for number in (6, 7)}
    >>> sorted(pairs)
    [(0, 1), (1, 0)]
    """
    block, person = divmod(number, count)
    seed = hmac.new(secret.encode(), f"{what}\x00{block}".encode(), hashlib.sha256).digest()
    rng = random.Random(seed)  # noqa: S311 an order, derived from a secret
    things, starts = (rng.sample(range(count), count) for _ in range(2))
    start = starts[person]
    return (*things[start:], *things[:start])


def _by_text(
    things: Sequence[_Thing], texts: Sequence[str], said: Callable[[_Thing], list[str]]
) -> list[_Thing]:
    """Those that name one of the texts in the order of these; all others stay where they are."""

    def named_place(thing: _Thing) -> int | None:
        words = said(thing)
        places = (at for at, name in enumerate(texts) if any(names_place(w, name) for w in words))
        return next(places, None)

    places = [(named_place(thing), at) for at, thing in enumerate(things)]
    slots = [at for place, at in places if place is not None]
    sources = sorted((place, at) for place, at in places if place is not None)
    ordered = [*things]
    for slot, (_, source) in zip(slots, sources, strict=True):
        ordered[slot] = things[source]
    return ordered


class Turn(NamedTuple):
    """Which of the people who have an item a person is."""

    item: int
    """The item's number in the database."""
    number: int
    """The position of the person among these, from 0."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where and how the question of an answer was shown. Places count from 1; None where they are fixed."""

    item: int | None = None
    """Which of the person's items this was, in order of time."""
    page: int | None = None
    """Place of the page among those about an item."""
    row: int | None = None
    """Place of the slider among those under the same text."""
    swapped: bool | None = None
    """Whether the ends had changed sides."""
    texts: tuple[str, ...] = ()
    """The item's interchangeable texts, as they followed each other."""
    options: tuple[str, ...] = ()
    """Values of the options, as they followed each other."""

    def stored(self) -> dict[str, Any] | None:
        """What the database holds: only what is not fixed; None for nothing."""
        values = {
            "page": self.page, "row": self.row, "swapped": self.swapped, "texts": [*self.texts] or None,
            "options": [*self.options] or None,
        }  # fmt: skip
        return {name: value for name, value in values.items() if value is not None} or None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "Shown":
        """What the database holds, read back."""
        values = stored or {}
        return cls(
            page=values.get("page"),
            row=values.get("row"),
            swapped=values.get("swapped"),
            texts=tuple(values.get("texts", ())),
            options=tuple(values.get("options", ())),
        )


@dataclass(frozen=True, slots=True)
class PersonOrder:
    """How one person sees the pages of a form."""

    order: FormOrder
    secret: str
    """The secret of the study, from which orders follow."""
    number: int
    """The position of the person in the study, from 0."""

    def pages(self, pages: Sequence[Page]) -> tuple[Page, ...]:
        """The pages about an item in this person's order; a condition's page comes after its questions."""
        if self.order.pages == "fixed" or len(pages) < 2:  # noqa: PLR2004
            return tuple(pages)
        left = self._mixed("pages", pages)
        home = {question.name: page.name for page in pages for question in page.questions}
        placed: list[Page] = []
        while left:
            done = {page.name for page in placed}
            free = (
                p
                for p in left
                if {home.get(name, p.name) for name in p.when.wanted} <= done | {p.name}
            )
            page = next(free, left[0])
            left.remove(page)
            placed.append(page)
        return tuple(placed)

    def texts(self, page: Page, turn: Turn | None) -> tuple[str, ...]:
        """The alternatives of a page in this person's order; without a turn, in that of the form."""
        names = alternatives(page)
        if self.order.texts == "fixed" or turn is None or not names:
            return names
        places = balanced_order(self.secret, f"texts\x00{turn.item}", turn.number, len(names))
        return tuple(names[place] for place in places)

    def questions(self, page: Page, texts: Sequence[str] = ()) -> tuple[FormQuestion, ...]:
        """The questions of a page: rows mixed, and questions that name texts in the order of these."""
        questions = [*page.questions]
        for block in follow_each_other(questions):
            moving = [at for at in block if self._is_random(questions[at], self.order.rows)]
            mixed = self._mixed(
                f"rows\x00{page.name}\x00{block.start}", [questions[at] for at in moving]
            )
            for at, question in zip(moving, mixed, strict=True):
                questions[at] = question
        return tuple(_by_text(questions, texts, lambda q: [*q.text.values()]))

    def swapped(self, page: Page, question: FormQuestion) -> bool:
        """Whether the ends of a slider or scale have changed sides."""
        if not self._may_swap(question):
            return False
        alone = self.order.poles != "by page" or question.order == "random"
        what = f"poles\x00{page.name}\x00{question.name if alone else ''}"
        return balanced_order(self.secret, what, self.number, 2)[0] == 1

    def options(
        self, page: Page, question: FormQuestion, texts: Sequence[str] = ()
    ) -> tuple[AnswerOption, ...]:
        """The options of a question in the order in which this person sees them."""
        options = [*question.options]
        if question.has_ends:
            return tuple(reversed(options) if self.swapped(page, question) else options)
        if self._mixes_options(page, question):
            moving = [at for at, option in enumerate(options) if not option.stays]
            what = f"options\x00{page.name}\x00{question.name}"
            mixed = self._mixed(what, [options[at] for at in moving])
            for at, option in zip(moving, mixed, strict=True):
                options[at] = option
            return tuple(options)
        return tuple(_by_text(options, texts, lambda option: [*option.text.values()]))

    def shown(
        self,
        page: Page,
        question: FormQuestion,
        *,
        pages: Sequence[Page] = (),
        turn: Turn | None = None,
    ) -> Shown:
        """Where and how this person sees a question.

        Args:
            page: With the question.
            question: One of the page's.
            pages: All pages about an item, if it is one of them.
            turn: Of the item, where the page is about one.
        """
        texts = self.texts(page, turn)
        shown = Shown()
        if self.order.pages == "random" and len(pages) > 1 and page in pages:
            shown = replace(shown, page=self.pages(pages).index(page) + 1)
        blocks = follow_each_other(page.questions)
        names = [other.name for other in page.questions]
        block = next((b for b in blocks if question.name in names[b.start : b.stop]), None)
        if block and any(self._is_random(page.questions[at], self.order.rows) for at in block):
            rows = names[block.start : block.stop]
            order = [q.name for q in self.questions(page, texts) if q.name in rows]
            shown = replace(shown, row=order.index(question.name) + 1)
        if self._may_swap(question):
            shown = replace(shown, swapped=self.swapped(page, question))
        if self.order.texts == "random" and turn is not None and texts:
            shown = replace(shown, texts=texts)
        if self._mixes_options(page, question):
            values = tuple(option.value for option in self.options(page, question, texts))
            shown = replace(shown, options=values)
        return shown

    def _mixed(self, what: str, things: Sequence[_Thing]) -> list[_Thing]:
        if len(things) < 2:  # noqa: PLR2004
            return [*things]
        places = balanced_order(self.secret, what, self.number, len(things))
        return [things[place] for place in places]

    def _is_random(self, question: FormQuestion, way: str) -> bool:
        return (question.order or way) != "fixed"

    def _may_swap(self, question: FormQuestion) -> bool:
        way = "fixed" if question.is_test else self.order.poles
        return question.has_ends and self._is_random(question, way)

    def _mixes_options(self, page: Page, question: FormQuestion) -> bool:
        if question.has_ends or not question.options:
            return False
        as_written = question.is_test or page.part not in ABOUT_ITEMS
        return self._is_random(question, "fixed" if as_written else self.order.options)


AS_WRITTEN = PersonOrder(FormOrder(texts="fixed"), "", 0)
"""Everything as in the form."""
