"""Pictures for papers: the page's own drawings as SVG, PDF or PNG files that need nothing else."""

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
"""Of a PNG, per inch."""
POINTS = 0.75
"""A unit of the drawing, which is a pixel on the page, in points."""
POINTS_PER_MM = 72 / 25.4
EDGE = 8
"""Room around the drawing, in its own units: letters may hang over."""
FONTS = "Liberation Sans, Arial, Helvetica, DejaVu Sans, Noto Sans, Libertinus Serif, sans-serif"
"""The first that is there; the last one comes with the library that draws."""
_TEXT = re.compile(r"<text .*?</text>", re.DOTALL)
_NAME = re.compile(r'aria-labelledby="(.*?)-title ')
_TYPST = """#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg", width: {width}pt, alt: sys.inputs.title)
"""


def save_pictures(drawings: Mapping[str, str], folder: Path, kind: Format) -> list[Path]:
    """Write each drawing as a file of that name.

    Returns:
        The files in order: "bias_type.pdf", …; equal drawings give equal files.

    Raises:
        MissingExtra: PDF or PNG, and the library that draws them is not installed.
        StorageError: A file could not be written.
    """
    paths = []
    for name, drawing in drawings.items():
        path = folder / f"{name}.{kind}"
        write_bytes(path, drawn(drawing, kind))
        paths.append(path)
    return paths


def drawings_of(document: Document, *, narrow: bool = False) -> dict[str, str]:
    """Every picture of a document in one of its layouts, by a name for its file."""
    return _named((p.name, p.narrow if narrow else p.wide) for p in document.pictures())


def title_of(svg: str) -> str:
    """What a drawing says it is."""
    match = re.search("<title[^>]*>(.*?)</title>", svg, re.DOTALL)
    return unescape(match[1]) if match else ""


def _named(drawings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By file names of their own, without what only tells one result of several from the others."""
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
    """One drawing as the content of a file.

    Args:
        svg: The drawing.
        kind: Of the file.
        width_mm: How wide it is on paper, letters and all; None leaves letters at their usual size.

    Raises:
        MissingExtra: PDF or PNG, and the library that draws them is not installed.
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
    """The drawing with its style in it, in the colours of the light page, on white; and its width."""
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
    """The style of pictures with every colour written out."""
    templates = resources.files("tiltmeter.report") / "templates"
    light = (templates / "colours.css").read_text("utf-8").split("}")[0]
    colours = dict(re.findall(r"--([a-z0-9-]+): ([^;]+);", light))
    colours |= {"paper": "#fff", "sans": FONTS}
    css = (templates / "pictures.css").read_text("utf-8")
    css = css.replace("svg text { paint-order: stroke;", "svg .outline text {", 1)
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda name: colours[name[1]], css)
