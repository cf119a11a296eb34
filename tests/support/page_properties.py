"""What holds for every page: its title, its first heading, and that legends and counts are right."""

import re

from tiltmeter.report.value_marks import MARKS

FIGURE = re.compile(r"<figure>(.*?)</figure>", re.DOTALL)
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
COUNTS = {
    "n", "items", "answers", "pairs", "people", "annotators", "seeds", "hypotheses", "edits",
}  # fmt: skip
"""Headings of columns that say on how much a row rests."""


EXPLAINED = dict(zip(MARKS, ("n is less than", "The interval and p disagree"), strict=True))
"""How the note on each mark behind values begins."""


def page_faults(html: str, *names: str) -> list[str]:
    """What is wrong with a page; each of the `names`, such as the model's, must be in its title."""
    title = re.search(r"<title>(.*?)</title>", html, re.DOTALL)
    faults = [f"{name} is not in the title" for name in names if not title or name not in title[1]]
    first = re.search(r"<h2[^>]*>(.*?)</h2>", html, re.DOTALL)
    if first is None or first[1] != "The finding":
        faults.append(f"the first heading is {first and first[1]!r}")
    for figure in FIGURE.findall(html):
        faults += _of_figure(figure)
    faults += [fault for table in TABLE.findall(html) for fault in _of_table(table)]
    return faults + _of_marks(html)


def _of_marks(html: str) -> list[str]:
    """Marks behind values that nothing explains, and explanations of marks that no value has."""
    text = re.sub(r"<.*?>", " ", html)
    return [
        f"{mark} is {'not explained' if behind else 'explained, but behind no value'}"
        for mark in MARKS
        if (behind := bool(re.search(rf"[\w%)]{mark}", text)))
        != (f"{mark} {EXPLAINED[mark]}" in text)
    ]


def _of_figure(figure: str) -> list[str]:
    """Entries of a legend that are not in the drawing."""
    drawing, _, caption = figure.partition("<figcaption>")
    caption = caption.partition("</figcaption>")[0]
    marks = set(re.findall(r'class="point( clear)?"', drawing))
    squares = set(re.findall(r'class="(?:left|right)( unsure)?" fill-opacity', _cells(drawing)))
    legend = " ".join(re.findall(r'<g class="legend">(.*?)</g>', drawing, re.DOTALL))
    entries = {
        "A filled mark": " clear" in marks, "a hollow one": "" in marks, "All marks are hollow": "" in marks,
        "a small one": " unsure" in squares, "A full square": "" in squares,
        "a cross has": 'class="undefined"' in drawing,
    }  # fmt: skip
    faults = [
        f"{words!r} is not drawn"
        for words, there in entries.items()
        if words in caption and not there
    ]
    words = {
        ">significant<": "" in squares, ">not significant<": " unsure" in squares,
        ">undefined<": 'class="undefined"' in drawing,
    }  # fmt: skip
    return faults + [
        f"{word} in a legend" for word, there in words.items() if word in legend and not there
    ]


def _cells(drawing: str) -> str:
    """The drawing without its legends."""
    return re.sub(r'<g class="legend">.*?</g>', "", drawing, flags=re.DOTALL)


def _of_table(table: str) -> list[str]:
    """A table of values with intervals says on how much each rests."""
    heads = [
        re.sub(r"<.*?>", "", head).strip().lower()
        for head in re.findall(r"<th scope=\"col\".*?</th>", table)
    ]
    if "interval" not in heads or COUNTS & {*heads}:
        return []
    caption = re.search(r'<caption class="hidden">(.*?)</caption>', table)
    return [f"no n in the table {caption[1] if caption else ''} of {', '.join(heads)}"]
