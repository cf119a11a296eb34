"""What is reported of a table of outcomes."""

import pytest

import tiltmeter as tm


def values(run, name):
    """By the labels of each estimate."""
    return {tuple(e.groups.values()): e for e in run.estimates if e.name == name}


@pytest.fixture
def table(tmp_path):
    """40 of 80 men and 20 of 80 women, three people of whom one thing is not known, one decision missing."""
    rows = [("M", "a", 1)] * 40 + [("M", "b", 0)] * 40 + [("F", "a", 1)] * 20 + [("F", "b", 0)] * 60
    rows += [("", "a", 1)] * 3 + [("F", "b", "")]
    path = tmp_path / "outcomes.csv"
    path.write_text("sex,site,selected\n" + "".join(f"{s},{a},{c}\n" for s, a, c in rows), "utf-8")
    return path


def test_a_table_of_outcomes_needs_no_model(table):
    run = tm.run("decisions", data=str(table), settings={"groups": "sex"})
    rates = {key: e.value for key, e in values(run, "selection_rate").items()}
    assert rates == {("M",): 50, ("F",): 25, ("unknown (left out)",): 100}
    ratio = values(run, "impact_ratio")["F",]
    assert ratio.value == 0.5 and ratio.p < 0.01 and ratio.low < 0.5 < ratio.high < 1
    assert (
        run.headline.n == 160
    )  # neither the three of no known group nor the one without a decision
    assert values(run, "lowest_impact_ratio")["F",].value == pytest.approx(20 / 81 / 0.5)
    assert values(run, "highest_impact_ratio")["F",].value == pytest.approx(21 / 81 / 0.5)
    assert run.card.rule == "stored" and run.card.command.startswith(
        "tiltmeter.run('decisions', None"
    )


def test_every_attribute_has_its_ratio_and_is_adjusted_for(table):
    run = tm.run("decisions", data=str(table))
    both = {key: e for key, e in values(run, "min_max_ratio").items() if key}
    assert set(both) == {("sex",), ("site",)} and both["site",].value == 0
    assert both["sex",].p_adjusted == pytest.approx(max(2 * both["site",].p, both["sex",].p))
    assert run.estimate("min_max_ratio").groups == {}
