"""Texts on a page in another language or direction: marked, and kept apart from what is around them."""

import unicodedata
from dataclasses import dataclass

from markupsafe import Markup, escape

from tiltmeter.survey.languages.language_codes import Direction, direction

_DIRECTIONS: dict[str, Direction] = {"L": "ltr", "R": "rtl", "AL": "rtl"}


def first_direction(text: str) -> Direction | None:
    """The direction of the first letter of a text; None where it has no letters.

    >>> first_direction("3. سلام"), first_direction("C: ق"), first_direction("42")
    ('rtl', 'ltr', None)
    """
    strong = (_DIRECTIONS.get(unicodedata.bidirectional(letter)) for letter in text)
    return next(filter(None, strong), None)


@dataclass(frozen=True, slots=True)
class PageText:
    """A text on a page; put into HTML, it is an element of its own where its language or direction differs.

    >>> print(Markup("{}").format(PageText("<men>", "en", page="ar")))
    <bdi lang="en" dir="ltr">&lt;men&gt;</bdi>
    >>> print(Markup("{}").format(PageText("رجال", "ar", page="ar")))
    رجال
    """

    text: str
    language: str
    page: str
    """The language of the page."""

    @property
    def attributes(self) -> Markup:
        """The attributes of an element that holds only the text; "" where the page's are right."""
        if self.language != self.page:
            return Markup(' lang="{}" dir="{}"').format(self.language, direction(self.language))
        own = first_direction(self.text)
        if own is None or own == direction(self.page):
            return Markup()
        return Markup(' dir="{}"').format(own)

    def __html__(self) -> Markup:
        """The text within a line of the page."""
        attributes = self.attributes
        return (
            Markup("<bdi{}>{}</bdi>").format(attributes, self.text)
            if attributes
            else escape(self.text)
        )

    def __str__(self) -> str:
        """The text alone."""
        return self.text

    def __bool__(self) -> bool:
        """Whether there is any text."""
        return bool(self.text)
