"""What people see and hear of a page: texts and attributes, without parts in another language."""

from html.parser import HTMLParser

SPOKEN = {"aria-label", "aria-valuetext", "alt", "placeholder", "title"}
"""Attributes that are shown or read aloud, besides those for `answers.js`."""
FOR_SCRIPTS = {"data-saved", "data-waiting", "data-refused", "data-touch", "data-untouched"}
VOID = {"br", "hr", "img", "input", "link", "meta"}


class VisibleTexts(HTMLParser):
    """The texts of a page, each with the language it is marked as."""

    def __init__(self, page):
        super().__init__()
        self.texts = []
        self._within = [""]
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        language = given.get("lang", self._within[-1])
        for name, value in given.items():
            if name in SPOKEN | FOR_SCRIPTS and language is not None:
                self.texts.append((language, value))
        if tag in {"script", "style", "textarea"} or given.get("id") == "code":
            language = None  # for browsers, or what somebody wrote
        if tag not in VOID:
            self._within.append(language)

    def handle_endtag(self, tag):
        if tag not in VOID:
            self._within.pop()

    def handle_data(self, data):
        if data.strip() and self._within[-1] is not None:
            self.texts.append((self._within[-1], data.strip()))


def texts_in(page, language):
    """What a page says in the language that it is in, texts marked as another's left out."""
    return [text for marked, text in VisibleTexts(page).texts if marked == language]
