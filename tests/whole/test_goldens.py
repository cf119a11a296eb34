"""Every study, analysis and help page prints and writes what it did.

`goldens.of_analyses`, `of_studies` and `of_help` say how to renew the files.
"""

import csv
import io
import json
import re

import pytest

from goldens import of_help, of_studies, of_validity
from goldens.inputs import Inputs
from goldens.of_analyses import CASES, GOLDENS, golden, run_case
from goldens.outputs import (
    NUMBERS,
    Number,
    compare_numbers,
    csv_numbers,
    difference,
    json_numbers,
    numbers_text,
    page_text,
    read_numbers,
)
from support import published
from support.gating import check_gates
from tiltmeter.core.estimates import EXCLUDES
from tiltmeter.core.finder import known
from tiltmeter.run.files import folder as folders

NAMES = [case.name for case in CASES]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Where the cases run."""
    return tmp_path_factory.mktemp("goldens").resolve()


@pytest.fixture(scope="module")
def made(workspace):
    """Outputs of cases, each made once."""
    inputs, outputs = Inputs(workspace), {}

    def make(case):
        if case.data:
            published.need(case.data)
        if case.name not in outputs:
            outputs[case.name] = run_case(case, inputs)
        return outputs[case.name]

    return make


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_nothing_that_is_printed_or_written_has_changed(made, case):
    now, before = made(case).files, golden(case.name)
    names = sorted({*now, *before} - {NUMBERS})
    changes = (
        difference(name, before.get(name, ""), now.get(name, ""), case.close) for name in names
    )
    if text := "\n".join(filter(None, changes)):
        pytest.fail(text, pytrace=False)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_no_interval_excludes_its_value(made, case):
    assert not [name for name, text in made(case).files.items() if EXCLUDES in text]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_no_number_is_lost(made, case):
    lost = compare_numbers(read_numbers(golden(case.name)[NUMBERS]), made(case).numbers, case.close)
    assert not [str(number) for number in (*lost.missing, *lost.rescaled)]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_every_number_can_be_gated(made, case, workspace):
    assert made(case)
    (folder,) = (workspace / "out" / case.name).glob(f"{case.folder}/card.json")
    assert check_gates(folders.read(folder.parent))


def test_no_golden_is_without_its_case():
    assert sorted(NAMES) == sorted(folder.name for folder in GOLDENS.iterdir())


@pytest.mark.parametrize("name", known("studies"))
def test_a_study_prints_and_writes_what_it_did(name, tmp_path):
    before = (of_studies.GOLDENS / f"{name}.txt").read_text("utf-8")
    text = difference(name, before, of_studies.text_of(name, tmp_path.resolve()))
    if text:
        pytest.fail(text, pytrace=False)


def test_every_study_that_is_kept_is_there():
    kept = {path.stem for path in of_studies.GOLDENS.iterdir()}
    assert kept == {*known("studies")}


def test_help_pages_say_what_they_said():
    if text := of_help.changes():
        pytest.fail(text, pytrace=False)


def test_pages_of_studies_have_what_their_studies_say_of_validity():
    if text := of_validity.changes():
        pytest.fail(text, pytrace=False)


ROWS = [["target", "source", "coefficient"], ["ru", "en", "0.25"], ["en", "de", "0.5"]]
FLOWS = csv_numbers("flows.csv", ROWS)


def test_numbers_have_the_words_of_their_row_and_survive_their_file():
    assert list(map(str, FLOWS)) == [
        "flows.csv:target=ru,source=en,coefficient\t0.25", "flows.csv:target=en,source=de,coefficient\t0.5",
    ]  # fmt: skip
    assert read_numbers(numbers_text(FLOWS)) == sorted(FLOWS, key=str)


def test_numbers_are_found_again_in_another_layout():
    estimates = [
        {"name": "coefficient", "groups": {"target": "ru", "source": "en"}, "value": 0.25 + 1e-15},
        {"name": "coefficient", "groups": {"target": "en", "source": "de"}, "value": 0.5},
    ]
    new = list(json_numbers("estimates.json", estimates))
    lost = compare_numbers(FLOWS, new)
    assert not (lost.missing or lost.rescaled or lost.relabelled)


@pytest.mark.parametrize(
    ("values", "kind"),
    [((0.26, 0.5), "missing"), ((25, 0.5), "rescaled"), ((0.5, 0.25), "relabelled")],
)
def test_planted_losses_are_seen(values, kind):
    places = (("target=ru", "source=en", "x"), ("target=en", "source=de", "x"))
    new = [Number("e.json", place, value) for place, value in zip(places, values, strict=True)]
    assert FLOWS[0] in getattr(compare_numbers(FLOWS, new), kind)


def test_a_difference_is_shown_and_a_rounding_is_none():
    assert difference("a", "x 0.1234567890123\n", "x 0.1234567890124\n") == ""
    assert "+x 0.13" in difference("a", "x 0.12\ny\n", "x 0.13\ny\n")
    assert "-y" in difference("a", "x\ny\n", "x\n")


def test_a_page_is_read_block_by_block():
    page = (
        "<style>p {}</style><h1>A</h1><p>b <b>c</b></p><table><tr><th>d</th><td>1</td></tr></table>"
    )
    assert page_text(page) == "A\nb c\nd | 1\n"


def _tables(file):
    """The tables of a stored file: the file, or the blocks of a study's text that are tables."""
    text = file.read_text("utf-8")
    if file.suffix == ".csv":
        yield text
    for block in (
        re.split(r"^-- \S+ --$", text, flags=re.MULTILINE)[1:] if file.suffix == ".txt" else ()
    ):
        if re.match(r"\n\w+(,[\w.]+)+\n", block):
            yield re.split(r"^(?:\$ |# )", block.strip("\n"), maxsplit=1, flags=re.MULTILINE)[0]


def test_no_stored_number_is_undefined_without_a_reason():
    """Estimates, and the columns of a table that have their n and their reason beside them."""
    checked, unexplained = 0, []
    for file in sorted(GOLDENS.glob("*/estimates.json")):
        estimates = [e for e in json.loads(file.read_text("utf-8")) if isinstance(e, dict)]
        checked += len(estimates)
        unexplained += [(file, e) for e in estimates if "value" not in e and "why" not in e]
    for file in sorted([*GOLDENS.glob("*/*.csv"), *of_studies.GOLDENS.glob("*.txt")]):
        for row in (row for table in _tables(file) for row in csv.DictReader(io.StringIO(table))):
            beside = {"value": ("n", "why")}
            beside |= {name: (f"{name}_n", f"{name}_why") for name in row if f"{name}_why" in row}
            for name, (n, why) in beside.items():
                if name in row and row.get(n) and why in row:
                    checked += 1
                    unexplained += [(file, name, row)] if not row[name] and not row[why] else []
    assert checked > 1500 and not unexplained
