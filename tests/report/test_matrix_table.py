"""Groups and traits in the terminal: short at every size, right in every line."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from report import cells
from tiltmeter.analysis.compare import compare
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report.table import print_comparison, print_result
from tiltmeter.report.wording import number
from tiltmeter.studies.group_traits import STUDY


def shown(result: Result, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), record=True)
    print_result(result, STUDY, console, files={"page": "report.html"})
    return console.export_text()


def compared(a: Result, b: Result, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), record=True)
    print_comparison(compare(a, b), console)
    return console.export_text()


@pytest.mark.parametrize("width", [24, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    base = cells.result(names={"sailors": "people who have sailed around the world twice"})
    text = shown(base, width) + compared(base, cells.result("other", seed=2), width)
    assert max(map(cell_len, text.splitlines())) <= width


def test_every_group_has_a_line_with_its_ends():
    result = cells.result()
    text = shown(result)
    block = text.split("By group, nats")[1].split("\n\n")[0].splitlines()
    strengths = {e.groups["group"]: e for e in result.estimates
                 if e.name == "mean_strength" and tuple(e.groups) == ("group",)}  # fmt: skip
    ranked = sorted(strengths, key=lambda group: -strengths[group].value)
    lines = block[2:]
    assert [next(g for g in ranked if line.startswith(g)) for line in lines] == ranked
    for group, line in zip(ranked, lines, strict=True):
        own = [
            e
            for e in result.estimates
            if e.name == "association" and e.groups.get("group") == group
        ]
        told = sum(e.p_adjusted is not None and e.p_adjusted < 0.05 for e in own)
        assert line.removeprefix(group).split()[:2] == [
            number(strengths[group].value, "nats"), str(told)
        ]  # fmt: skip
        low, high = (end(own, key=lambda e: e.value or 0.0) for end in (min, max))
        for e, way in ((low, 0), (high, 1)):
            if (e.value > 0) == way:
                sure = "" if e.p_adjusted < 0.05 else "?"
                trait = e.groups["pair"].split(" - ")[way]
                assert f"{trait} {number(e.value, 'nats')}{sure}" in line


def test_what_is_undefined_is_said_with_its_reason_and_how_it_was_adjusted():
    text = " ".join(shown(cells.result()).split())
    assert (
        "anglers × calm - restless is undefined: the right trait has no finite score in 1 of 7"
        in text
    )
    assert "p (BH)" in text
    assert "Benjamini–Hochberg's adjustment within each of: group × pair" in text
    assert "Settings words paper, average mean, prior mask" in text
    assert "Holm" not in text
    assert "●" not in text


def test_hundreds_of_groups_make_no_flood():
    base = cells.result()
    more = [
        Estimate("association", i / 1000, 0, 1, 0.5, 9, 0, "nats", model="demo", p_adjusted=0.6,
                 adjustment="Benjamini–Hochberg", groups={"group": f"g{i}", "pair": p})
        for i in range(500) for p in ("slow - quick", "early - late")
    ]  # fmt: skip
    text = shown(replace(base, estimates=[*base.estimates, *more]))
    assert len(text.splitlines()) < 140
    assert "… and 446 groups more, in the files." in text


def test_a_comparison_names_the_cells_that_differ_and_how_alike_orders_are():
    a, b = cells.result(common=1.0), cells.result("other", seed=5, common=1.0, planted={})
    text = compared(a, b)
    assert "demo − other: the orders of their 29 common cells agree" in " ".join(text.split())
    part = text.split("Told apart most surely")[1].split("\n\n")[0]
    groups = {group for group, _ in cells.PLANTED}
    assert {
        next(g for g in groups if line.startswith(g)) for line in part.splitlines()[2:5]
    } == groups
    assert "p (BH)" in part
    assert len(text.splitlines()) < 60


def test_on_other_scales_only_the_order_is_compared():
    text = compared(cells.result(), cells.result(rule="ilps_star"))
    assert "only the order of cells is compared" in " ".join(text.split())
    assert "Told apart" not in text
    assert re.search(r"scored by different rules, set\s+and\s+ilps_star", text)
