"""The `[order]` table of a form: what everybody sees as it is written, and what is shown in random order."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.question import ITEM, FormQuestion

Way: TypeAlias = Literal["fixed", "random"]
PoleWay: TypeAlias = Literal["fixed", "by page", "by slider"]
_NUMBERED = re.compile(r"(.*?)_?\d+")
_PLACEHOLDER = re.compile(r"\{[^\W\d]\w*\}")
_MARK = re.compile(r"(?<![\w{])(?:\d+|[A-Z])(?![\w}])")


@dataclass(frozen=True, slots=True)
class FormOrder:
    """What is shown in random order. Each key is independent of the others.

    A question with `order = "fixed"` keeps its place, ends and options whatever this table says, and one with
    `order = "random"` has random ones.
    """

    items: Way = "random"
    """Order of a person's items."""
    pages: Way = "fixed"
    """Order of the pages about an item. A page with a condition comes after the pages that it depends on."""
    rows: Way = "fixed"
    """Order of sliders that follow each other under one text."""
    poles: PoleWay = "fixed"
    """Whether the two ends of sliders and scales change sides: of all on a page together, or of each alone.
    What is stored is always in the direction of the form."""
    options: Way = "fixed"
    """Order of a choice's options; one with `stays = true` keeps its place. Questions on pages that
    are about no item are left as they are written."""
    texts: Way = "random"
    """Which of a page's interchangeable texts comes first: two replies, the sentences of a pair."""


def alternatives(page: Page) -> tuple[str, ...]:
    """The texts of an item that may change places on a page: those under `mixed`, or else numbered ones.

    >>> alternatives(Page("compare", show=("request", "reply_1", "reply_2")))
    ('reply_1', 'reply_2')
    """
    if page.mixed:
        return tuple(name for name in page.show if name in page.mixed)
    by_base: defaultdict[str, list[str]] = defaultdict(list)
    for name in page.show:
        if match := _NUMBERED.fullmatch(name):
            by_base[match[1]].append(name)
    return next((tuple(names) for names in by_base.values() if len(names) > 1), ())


def place_names(page: Page, texts: Sequence[str] = ()) -> dict[str, str]:
    """What `{reply_1}` stands for in texts of a page: the number or letter of the place of `reply_1`.

    Args:
        page: Its alternatives may be named.
        texts: The alternatives, in the order in which they are shown; () for that of the form.

    >>> place_names(Page("compare", show=("reply_1", "reply_2")), ("reply_2", "reply_1"))
    {'{reply_2}': '1', '{reply_1}': '2'}
    """
    written = alternatives(page)
    return {
        f"{{{name}}}": _mark(place) for place, name in zip(written, texts or written, strict=True)
    }


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text with what its words in braces stand for; what is put in is not read again.

    >>> with_names("{a} or {b}?", {"{a}": "{b}", "{b}": "B"})
    '{b} or B?'
    """
    if not names:
        return text
    return re.sub("|".join(map(re.escape, names)), lambda found: names[found[0]], text)


def _mark(name: str) -> str:
    """What a place is called: 2 for reply_2, B for b."""
    number = _NUMBERED.fullmatch(name)
    return name.removeprefix(number[1]).lstrip("_") if number else name.replace("_", " ").upper()


def names_place(text: str, name: str) -> bool:
    """Whether a text says at which place an item's text is shown."""
    return f"{{{name}}}" in text


def of_order(order: FormOrder, pages: Sequence[Page]) -> Iterator[Fault]:
    """Pages whose texts cannot be shown in another order as they are written."""
    for page in pages:
        at = f"page {page.name!r}"
        for name in page.mixed:
            if name not in page.show:
                yield Fault(f"mixes {name!r}, which it does not show", "add it to show", at)
        names = alternatives(page)
        if order.texts == "fixed" or not names:
            continue
        said = [text for words in _texts(page) for text in words.values()]
        if any(names_place(text, name) for text in said for name in names):
            continue
        marks = {_mark(name) for name in names}
        numbered = next((text for text in said if marks & {*_MARK.findall(text)}), "")
        if numbered:
            yield Fault(
                f"shows {' and '.join(names)} in random order, but says {numbered!r:.60}",
                f'write {{{names[0]}}} for its place, or texts = "fixed" under [order]',
                at,
            )


def of_placeholders(pages: Sequence[Page]) -> Iterator[Fault]:
    """Words in braces for which nothing is put in, so that people would read the braces."""
    for page in pages:
        places = {*place_names(page)}
        in_questions = places | ({ITEM} if page.part in {"item", "training"} else set())
        put_in = [(page.text, in_questions), (page.title, set[str]())]
        put_in += [(words, set()) for words in page.labels.values()]
        for question in page.questions:
            put_in.append((question.text, in_questions))
            put_in += [(option.text, places) for option in question.options]
            put_in += [(words, set()) for words in question.ends]
        unfilled = {
            found: known
            for words, known in put_in
            for text in words.values()
            for found in _PLACEHOLDER.findall(text)
            if found not in known
        }
        for found, known in unfilled.items():
            filled = f"write {' or '.join(sorted(known))}, or" if known else "name the thing, and"
            reason = f"people would read {found}, for which nothing is put in"
            yield Fault(reason, f"{filled} remove the braces", f"page {page.name!r}:")


def _texts(page: Page) -> Iterator[dict[str, str]]:
    yield dict(page.text)
    for question in page.questions:
        yield dict(question.text)
        yield from (dict(option.text) for option in question.options)


def follow_each_other(questions: Sequence[FormQuestion]) -> Iterator[range]:
    """Runs of at least two questions that may change places: rows under one text."""
    start = 0
    for end in range(1, len(questions) + 1):
        if end < len(questions) and _same_block(questions[start], questions[end]):
            continue
        if end - start > 1:
            yield range(start, end)
        start = end


def _same_block(one: FormQuestion, other: FormQuestion) -> bool:
    return one.is_row and other.is_row and one.text == other.text
