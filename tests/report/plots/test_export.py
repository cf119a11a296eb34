"""Pictures as files: one drawing, three formats, nothing left that another program must know."""

import re
import struct
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from report import contexts, example
from report.plots.drawn import SVG
from tiltmeter.core.errors import MissingExtra, StorageError
from tiltmeter.report.document import Document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.plots.export import EDGE, drawings_of, save_pictures, style


@pytest.fixture(scope="module")
def made() -> Document:
    return run_document(example.result(example.LONG_NAME), example.study())


@pytest.mark.parametrize("kind", ["pdf", "png", "svg"])
def test_equal_documents_give_equal_files_and_nothing_else(tmp_path, made, kind):
    pytest.importorskip("typst")
    first = save_pictures(drawings_of(made), tmp_path / "a", kind)
    second = save_pictures(drawings_of(made), tmp_path / "b", kind)
    assert [p.name for p in first] == [f"{name}.{kind}" for name in drawings_of(made)]
    assert len(first) >= 3
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    assert {p.name for p in (tmp_path / "a").iterdir()} == {p.name for p in first}
    magic = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<svg"}[kind]
    assert all(p.read_bytes().startswith(magic) for p in first)


def test_a_saved_drawing_needs_nothing_from_the_page(tmp_path, made):
    (path, *_) = save_pictures(drawings_of(made), tmp_path, "svg")
    text = path.read_text("utf-8")
    assert "var(" not in text
    assert "{%" not in text
    root = ET.fromstring(text)
    words = [e.text for e in root.iter(f"{SVG}text")]
    assert all(category in words for category in example.CATEGORIES if category != "socioeconomic")
    assert "social class" in words  # the plain name
    used = {name for e in root.iter() for name in (e.get("class") or "").split()}
    styled = set(re.findall(r"\.([a-z0-9-]+)", style()))
    assert used <= styled | {"row", "label", "value", "level", "swatch"}


def test_the_outline_of_a_text_is_drawn_before_all_of_its_letters(tmp_path, made):
    (path, *_) = save_pictures(drawings_of(made), tmp_path, "svg")
    assert "paint-order" not in path.read_text("utf-8")  # a PDF does it letter by letter
    assert ".outline text { stroke: #fff" in style()
    for parent in ET.fromstring(path.read_text("utf-8")).iter():
        inside = list(parent)
        for i, child in enumerate(inside):
            if child.tag == f"{SVG}text" and parent.get("class") != "outline":
                (outline,) = inside[i - 1]
                assert inside[i - 1].get("class") == "outline"
                assert (outline.attrib, outline.text) == (child.attrib, child.text)


def test_a_png_has_300_dots_per_inch_of_the_drawing(tmp_path, made):
    pytest.importorskip("typst")
    (path, *_) = save_pictures(drawings_of(made), tmp_path, "png")
    width, _ = struct.unpack(">II", path.read_bytes()[16:24])
    assert width == pytest.approx((720 + 2 * EDGE) / 96 * 300, abs=1)  # 96 units of a page an inch


def test_text_of_a_pdf_is_text(tmp_path, made):
    pytest.importorskip("typst")
    (path, *_) = save_pictures(drawings_of(made), tmp_path, "pdf")
    assert re.search(rb"/BaseFont ?/[A-Z]{6}\+", path.read_bytes())  # a part of a font is in it
    assert b"/ToUnicode" in path.read_bytes()


def test_drawings_have_names_of_their_own(made):
    found = drawings_of(made)
    assert list(found) == ["bias_type", "subsets", "confidence"]
    drawn = run_document(contexts.result(), example.study())
    twice = replace(drawn, leading=drawn.pictures()[:1] * 2)
    names = list(drawings_of(twice))
    assert names[:3] == ["plane", "plane-2", "plane-3"]
    assert len(set(names)) == len(names)


def test_what_cannot_be_written_is_named(tmp_path, made):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="could not be written"):
        save_pictures(drawings_of(made), tmp_path / "file", "svg")


def test_without_the_library_the_extra_is_named_and_svg_still_goes(tmp_path, made, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtra, match=r"tiltmeter-bias\[plots\]"):
        save_pictures(drawings_of(made), tmp_path, "pdf")
    assert save_pictures(drawings_of(made), tmp_path, "svg")
