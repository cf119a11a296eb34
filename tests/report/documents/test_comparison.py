"""The document of a comparison."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len

from report import contexts, example
from report.documents.test_run import words
from report.test_html import Outline
from report.test_terminal import shown
from tiltmeter.analyses.compare import comparison
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.derived.comparisons.compare import Comparisons
from tiltmeter.report.document import Document
from tiltmeter.report.documents.comparison import comparison_document, overall
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


WHY = "the models split 9 of 9 sentences into different numbers of tokens"


def ratio(models, value, *, p=None, why="", low=None, high=None):
    return Estimate(
        "perplexity_ratio", value, low, high, p, 9, 1.0, "", model=models, why=why,
        meaning=Meaning("Ratio of perplexities", difference_of="perplexity"),
    )  # fmt: skip


def bits(models, value, *, p=0.001, why="", p_adjusted=None):
    low, high = (None, None) if value is None else (value - 0.2, value + 0.2)
    return Estimate(
        "bits_difference", value, low, high, p, 9, 0.0, "bits", model=models, why=why, p_adjusted=p_adjusted,
        adjustment="Holm", meaning=Meaning("Difference of bits per byte", difference_of="bits"),
    )  # fmt: skip


def found(*differences, models="ab"):
    results = [contexts.result(name, seed=i) for i, name in enumerate(models)]
    return example.compared(results, differences)


def paragraphs(document):
    return [p.text.replace("\u00a0", " ") for p in document.paragraphs()]


def test_a_finding_leads_with_a_measure_that_has_a_value_and_gives_the_reason_for_others_once():
    document = found(ratio("a − b", None, why=WHY), bits("a − b", -1.5))
    said = paragraphs(document)
    assert said[0].startswith(
        "a is 1.50 bits lower than b (difference of bits per byte over 9 items"
    )
    assert said[-1] == f"Not compared: ratio of perplexities, because {WHY}."
    text = " ".join(shown(document, 80).split())
    assert text.count(WHY) == 1 and "Other measures" not in text and "undefined" not in text


def test_without_any_value_the_finding_says_so_and_no_table_is_shown():
    document = found(ratio("a − b", None, why=WHY), bits("a − b", None, p=None, why=WHY))
    assert paragraphs(document) == [
        "a and b cannot be compared in any measure.",
        f"Not compared: ratio of perplexities and difference of bits per byte, because {WHY}.",
    ]
    assert "undefined" not in shown(document, 80)


def test_a_ratio_is_written_as_one():
    document = found(ratio("a − b", 1.25, p=0.01, low=1.1, high=1.4))
    assert paragraphs(document)[0].startswith("a ÷ b: ratio of perplexities is 1.25 over 9 items")
    assert "a − b" not in shown(document, 80) and "Ratio of perplexities, a ÷ b" in page(document)
    several = found(*(ratio(m, 1.1, p=0.4, low=0.9, high=1.3) for m in ("a − b", "a − c", "b − c")),
                    models="abc")  # fmt: skip
    assert "No significant difference: a ÷ b 1.10 (0.900 to 1.30); a ÷ c" in " ".join(
        paragraphs(several)
    )


def test_of_several_pairs_those_without_a_value_are_no_pairs_without_a_difference():
    document = found(
        bits("a − b", 0.5), bits("a − c", None, p=None, why=WHY),
        bits("b − c", 0.3, p=0.04, p_adjusted=0.08), models="abc",
    )  # fmt: skip
    said = paragraphs(document)
    assert said[0].startswith("1 of 2 pairs of models differs significantly")
    assert said[2] == (
        "No significant difference: b − c 0.300 bits (0.100 to 0.500) (p = 0.0800 after Holm’s adjustment, "
        "although the interval excludes 0)."
    )
    assert said[3] == f"Not compared between a and c: difference of bits per byte, because {WHY}."


def test_the_page_folds_the_parts_of_each_model_and_the_data(pair):
    made = page(pair)
    assert made.count('<details class="print-open parts"><summary>Its numbers by part') == len(BOTH)
    assert '<details class="print-open"><summary id="data">Data</summary>' in made


def test_one_command_stands_once_and_no_section_is_empty():
    """One command made both results and their comparison."""
    command = "tiltmeter import old new"
    runs = {
        key: replace(run, card=replace(run.card, command=command))
        for key, run in zip("ab", BOTH, strict=True)
    }
    made = comparison(runs, Comparisons(example.differences(*BOTH), ()))
    made = replace(made, card=replace(made.card, command=command))
    document = comparison_document(made)
    assert page(document).count(command) == 1
    for section, following in pairwise(document.sections):
        assert section.blocks or not section.title or following.level > section.level, section.title
