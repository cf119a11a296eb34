"""The document of a comparison."""

import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from report import contexts, example
from report.documents.test_run import words
from report.test_html import Outline
from report.test_terminal import shown
from tiltmeter.report.document import Document
from tiltmeter.report.documents.comparison import overall
from tiltmeter.report.html import page
from tiltmeter.report.text import anchor, name_of, with_unit

BOTH = [example.result(), example.result(example.LONG_NAME, seed=9, shift=-0.2)]


@pytest.fixture(scope="module")
def pair() -> Document:
    return example.compared(BOTH, example.differences(*BOTH))


@pytest.fixture(scope="module")
def three() -> Document:
    results = [contexts.result(name, seed=i) for i, name in enumerate("abc")]
    found = [*contexts.differences(*results[:2]), contexts.correlation(results)]
    return example.compared(results, found)


@pytest.mark.parametrize("width", [20, 40, 60, 79, 80, 120])
@pytest.mark.parametrize("which", ["pair", "three"])
def test_no_line_is_wider_than_the_terminal(width, which, request):
    lines = shown(request.getfixturevalue(which), width).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines)


def test_the_terminal_has_the_differences_and_nothing_of_single_models(pair):
    text = shown(pair, 100)
    flat = " ".join(text.split())
    assert re.match(
        rf"demo is [\d.]+\spoints (higher|lower) than {re.escape(example.LONG_NAME)} \(", flat
    )
    assert "no difference would be 0" in flat
    assert len(re.findall(r"^race-color +48 ", text, re.MULTILINE)) == 1
    assert len(re.findall(r"^social class +34 ", text, re.MULTILINE)) == 1
    assert re.search(r"Both prefer the same sentence +71\.2 %", text)
    assert "Stereotype rate by bias type" not in text


def test_every_difference_stands_on_the_page(pair):
    rows = Outline(page(pair)).rows
    for e in example.differences(*BOTH):
        assert e.value is not None
        value = with_unit(e.value, e.unit)
        assert any(value in row and e.model[:4] in " ".join(row) for row in rows)


def test_the_page_has_a_part_for_each_model_and_data_that_all_share_once(pair):
    made = page(pair)
    ids = {a.get("id") for _, a in Outline(made).tags}
    first, second = (f"r{i}-{anchor(name_of(r))[:40]}" for i, r in enumerate(BOTH, 1))
    assert {first, second, "confidence", "models"} <= ids
    assert f"{first}-bias_type-title" in ids
    assert made.count("5f70bf18a086007016e948b04aed3b") == 1
    assert made.count("The pairs it is surest about") == 2
    assert "<script" not in made


def test_three_scores_are_compared_side_by_side_and_a_correlation_is_a_sentence(three):
    text = shown(three, 80)
    assert text.startswith("a − b: difference of ss is significant for task: intrasentence (14.6 ")
    assert "Differences side by side, percentage points" in text
    heading = text.splitlines()[
        text.splitlines().index("Differences side by side, percentage points") + 1
    ]
    assert heading.split() == ["n", "lms", "interval", "ss", "interval", "icat", "interval"]
    assert (
        "a, b, c: rank correlation of lms and ss is 0.500 over 3 models, without an interval"
        in (" ".join(text.split()))
    )
    assert "Note: no interval: an interval needs at least four points" in words(page(three))
    assert "compared-2-title" not in page(three)  # no picture of a single number


def test_all_models_are_on_one_plane(three):
    made = page(three)
    assert made.count('id="plane-title"') == 1
    assert made.count('class="model"') == 6  # three in either layout


def test_headlines_are_on_one_picture_only_where_they_share_a_scale():
    assert overall(BOTH)
    bits = [replace(r, estimates=[replace(r.estimates[0], unit=unit)])
            for r, unit in zip(BOTH, ("%", "bits"), strict=True)]  # fmt: skip
    assert not overall(bits)
    per_token = [replace(r, estimates=[replace(r.estimates[0], neutral=None, rule=rule)])
                 for r, rule in zip(BOTH, ("whole", "hidden"), strict=True)]  # fmt: skip
    assert not overall(per_token)
