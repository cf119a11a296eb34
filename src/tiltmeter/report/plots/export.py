"""Exports pictures for papers: the page's own drawings as self-contained SVG, PDF or PNG files."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import unescape
from importlib import resources
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.core.errors import extra
from tiltmeter.report.document import Document
from tiltmeter.report.text import anchor
from tiltmeter.run.files.output_files import write_bytes

Format: TypeAlias = Literal["pdf", "png", "svg"]
DOTS = 300
"""The resolution of a PNG, in dots per inch."""
POINTS = 0.75
"""The size of a unit of the drawing, which is a pixel on the page, in points."""
POINTS_PER_MM = 72 / 25.4
EDGE = 8
"""Room around the drawing, in its own units, since letters may extend beyond it."""
FONTS = "Liberation Sans, Arial, Helvetica, DejaVu Sans, Noto Sans, Libertinus Serif, sans-serif"
"""Fonts in order of preference; the last named one comes with the library that draws."""
_TEXT = re.compile(r"<text .*?</text>", re.DOTALL)
# Without a date, equal drawings give equal files.
_TYPST = """#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg", width: {width}pt, alt: sys.inputs.title)
"""


def save_pictures(drawings: Mapping[str, str], folder: Path, kind: Format) -> list[Path]:
    """Write each drawing to a file named after its key.

    Returns:
        The paths in order, such as "bias_type.pdf"; equal drawings give equal files.

    Raises:
        MissingExtra: The library that draws PDF and PNG is needed and not installed.
        StorageError: A file could not be written.
    """
    paths = []
    for name, drawing in drawings.items():
        path = folder / f"{name}.{kind}"
        write_bytes(path, drawn(drawing, kind))
        paths.append(path)
    return paths


def drawings_of(document: Document, *, narrow: bool = False) -> dict[str, str]:
    """Every picture of a document in its wide or its narrow layout, by the name for its file."""
    return _named((p.name, p.narrow if narrow else p.wide) for p in document.pictures())


def title_of(svg: str) -> str:
    """The title of a drawing; "" where it has none."""
    match = re.search("<title[^>]*>(.*?)</title>", svg, re.DOTALL)
    return unescape(match[1]) if match else ""


def _named(drawings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The drawings by unique file names.

    The prefix "r1-", which tells several results in one document apart, is dropped if there is only one.
    """
    listed = list(drawings)
    if not any(name.startswith("r2-") for name, _ in listed):
        listed = [(name.removeprefix("r1-"), drawing) for name, drawing in listed]
    names: dict[str, str] = {}
    for given, drawing in listed:
        first, count = anchor(given), 1
        name = first
        while name in names:
            count += 1
            name = f"{first}-{count}"
        names[name] = drawing
    return names


def drawn(svg: str, kind: Format, *, width_mm: float | None = None) -> bytes:
    """The content of a file with one drawing.

    Args:
        svg: The drawing as it is on the page.
        kind: The format of the file.
        width_mm: The width on paper, to which everything is scaled; None keeps letters at their usual size.

    Raises:
        MissingExtra: The library that draws PDF and PNG is needed and not installed.
    """
    text, width = standalone(svg, width_mm=width_mm)
    if kind == "svg":
        return text.encode()
    with extra("Pictures as PDF and PNG", "plots"):
        import typst  # noqa: PLC0415  # an extra: the page needs none of it
    points = POINTS * width if width_mm is None else width_mm * POINTS_PER_MM
    page = _TYPST.format(width=f"{points:g}").encode()
    inputs = {"svg": text, "title": title_of(text)}
    made = typst.compile(page, format=kind, ppi=DOTS, sys_inputs=inputs)
    return made if isinstance(made, bytes) else made[0]


def standalone(svg: str, *, width_mm: float | None = None) -> tuple[str, float]:
    """The drawing as an SVG that includes its style, in light colours, and its width in its own units."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(box[1]), float(box[2])) if box else (720.0, 400.0)
    wide, high = width + 2 * EDGE, height + 2 * EDGE
    text = re.sub(r'viewBox="[^"]*"', f'viewBox="{-EDGE} {-EDGE} {wide:g} {high:g}"', svg, count=1)
    size = f'width="{wide:g}" height="{high:g}"'
    if width_mm is not None:
        size = f'width="{width_mm:g}mm" height="{width_mm * high / wide:.4g}mm"'
    text = text.replace("<svg ", f"<svg {size} ", 1)
    # The outline of a letter would cover the letter before it: all outlines first.
    text = _TEXT.sub(r'<g class="outline">\g<0></g>\g<0>', text)
    return re.sub(r"(<svg [^>]*>)", rf"\1<style>{style()}</style>", text, count=1), wide


@cache
def style() -> str:
    """The style of pictures with every CSS variable replaced by its value, for programs that know none."""
    templates = resources.files("tiltmeter.report") / "templates"
    light = (templates / "colours.css").read_text("utf-8").split("}")[0]
    colours = dict(re.findall(r"--([a-z0-9-]+): ([^;]+);", light))
    colours |= {"paper": "#fff", "sans": FONTS}
    css = (templates / "pictures.css").read_text("utf-8")
    css = css.replace("svg text { paint-order: stroke;", "svg .outline text {", 1)
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda name: colours[name[1]], css)
