"""What the terminal shows, at every width."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from report import example
from tiltmeter.core.results import Result
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.table import print_comparison, print_result
from tiltmeter.report.textbar import bar


def shown(result: Result, width: int = 80, encoding: str = "utf-8", **options) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    print_result(result, example.study(), Console(file=file, width=width, **options))
    file.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [20, 40, 60, 79, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width):
    other = example.result(example.LONG_NAME, seed=9, shift=-0.2)
    text = shown(other, width)
    capture = Console(width=width, file=io.StringIO(), record=True)
    print_comparison(example.differences(example.result(), other), capture)
    lines = [*text.splitlines(), *capture.export_text().splitlines()]
    assert max(map(cell_len, lines)) <= min(width, 120)
    assert not any(line.endswith(" ") for line in lines)


def test_every_category_stands_in_one_line_with_its_numbers():
    result = example.result()
    lines = shown(result).splitlines()
    for e in result.estimates:
        if e.name == "stereotype_rate" and "bias_type" in e.groups:
            (line,) = [li for li in lines if li.startswith(e.groups["bias_type"])]
            numbers = [f"{x:.1f}" for x in (e.value, e.low, e.high, e.mde)]
            found = re.findall(r"\d+\.\d+", line)
            assert [found[0], found[1], found[2], found[4]] == numbers
            assert line.split()[1] == str(e.n)
            assert "●" in line or "○" in line


def test_where_it_is_narrow_names_give_way_and_numbers_stay():
    lines = shown(example.result(), 40).splitlines()
    for e in example.result().estimates:
        if "bias_type" in e.groups:
            start = e.groups["bias_type"][:6]
            (line,) = [li for li in lines if li.startswith(start)]
            interval = f"{e.low:.1f}–{e.high:.1f}"
            assert line.split()[1:] == [str(e.n), f"{e.value:.1f}", interval]


def test_the_finding_the_conditions_and_the_limits_are_there():
    text = " ".join(shown(example.result()).split())
    assert text.startswith("demo prefers the more stereotyping sentence in")
    for part in (
        "rule log_likelihood, convention paper",
        "9 of 240; policy half",
        "2 of 242 items; the card lists them",
        "exact binomial test against 50, two-sided",
        "Holm's adjustment within each of: bias type, direction, audit",
        "It does not show how the model treats people",
        "audit: flagged is undefined: no pair of the audit is flagged",
        "is undefined: 3 of 2,000 resamples had no pair on one side",
    ):
        assert part in text


def test_what_is_known_about_a_number_that_has_a_value_is_said_too():
    base = example.result()
    noted = replace(base.estimates[1], low=None, high=None, why="no interval: one cluster")
    text = " ".join(shown(replace(base, estimates=[base.estimates[0], noted])).split())
    assert "race-color: no interval: one cluster" in text


def test_a_comparison_names_both_models_and_lists_what_else_was_compared():
    one, other = example.result(), example.result("other", seed=9, shift=-0.2)
    console = Console(width=100, file=io.StringIO(), record=True)
    print_comparison(example.differences(one, other), console)
    text = console.export_text().strip()
    assert text.startswith("demo − other: difference of stereotype rates is")
    assert "no difference would be 0" in " ".join(text.split())
    assert len(re.findall(r"^race-color +48 ", text, re.MULTILINE)) == 1
    assert re.search(r"Both prefer the same sentence +71\.2 %", text)


@pytest.mark.parametrize("width", range(60, 100, 3))
def test_a_number_is_never_parted_from_its_unit(width):
    assert not any(line.startswith("%") for line in shown(example.result(), width).splitlines())


def test_addresses_of_files_are_never_broken():
    path = "/very/long/" * 12 + "report.html"
    console = Console(width=40, file=io.StringIO(), record=True)
    print_result(example.result(), None, console, files={"report": path})
    assert f"report: {path}" in console.export_text().splitlines()


def test_plain_output_has_no_escapes_and_ascii_stays_ascii():
    assert "\x1b" not in shown(example.result())
    ascii_only = shown(example.result(example.LONG_NAME + "é"), encoding="ascii")
    assert r"\xe9" in ascii_only
    assert "o" in ascii_only


def test_markup_and_control_characters_in_names_are_shown_not_obeyed():
    base = example.result()
    odd = replace(base.estimates[3], groups={"bias_type": "[red]x[/red]\x1b[2J\u202e"})
    text = shown(replace(base, estimates=[base.estimates[0], odd]), 120, force_terminal=True)
    assert "[red]x[/red][U+001B][2J[U+202E]" in text
    assert "\x1b[2J" not in text


def test_a_large_family_is_cut_and_counted():
    base = example.result()
    many = [replace(base.estimates[3], groups={"term": f"t{i}"}) for i in range(79)]
    text = shown(replace(base, estimates=[base.estimates[0], *many]))
    assert "… and 59 more, in the files." in text  # 79 terms less the 20 shown


def test_other_measures_over_other_axes_are_shown_too():
    base = example.result()
    sizes = [
        replace(base.estimates[0], name="effect_size", value=0.25, low=-0.1, high=0.6, neutral=0.0,
                unit="", groups={"domain": f"d{i}"})
        for i in range(5)
    ]  # fmt: skip
    text = shown(replace(base, estimates=[*base.estimates, *sizes]))
    assert "Effect size by domain, no unit" in text
    assert "−0.100–0.600" in text


def test_nothing_but_undefined_numbers_still_prints():
    base = example.result()
    why = "every pair is tied"
    gone = [replace(e, value=None, low=None, high=None, p=None, p_adjusted=None, mde=None, why=why)
            for e in base.estimates]  # fmt: skip
    assert f"stereotype rate is undefined: {why}." in shown(replace(base, estimates=gone))
    assert "Scored by" in shown(replace(base, estimates=[]))


def test_marks_of_the_letter_plot_stand_where_the_values_are():
    # 0..100 over 41 cells: one cell is 2.5, so 50 is cell 20, 62.5 is 25, 75 is 30, 25 is 10.
    e = replace(example.result().estimates[0], value=62.5, low=25.0, high=75.0)
    drawn = bar(e, Scale(0, 100, 50, (0, 50, 100)), 41)
    assert [i for i, c in enumerate(drawn) if c in "├┼○┤"] == [10, 20, 25, 30]


def test_what_the_sign_of_an_association_test_means():
    from tiltmeter.core.results import Card, Estimate
    from tiltmeter.report.conditions import conditions

    sets = "Bakers (2) and Sailors (2) by Pan (1) and Wave (1)"
    card = Card("weat", "1", {}, {"kitchen": sets}, "mean_pool", "paper", "", 0, "", {"total": 4})
    found = [Estimate("effect_size", 1.2, 0.5, 1.6, 0.01, 4, 0, "", groups={"test": "kitchen"})]
    told = conditions(card, found, None)["Above 0"]
    assert told == f"X is nearer to A and Y to B. X and Y by A and B are, of kitchen: {sets}"
    many = [
        Estimate("effect_size", 1, None, None, None, 4, 0, "", groups={"test": t}) for t in "abcde"
    ]
    assert conditions(card, many, None)["Above 0"].endswith(
        "the page lists these sets of each test"
    )
