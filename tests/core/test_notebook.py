"""Single numbers and cards in a notebook and in a console."""

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.notebook import facts_html
from tiltmeter.core.results import Card

RATE = Estimate("rate", 57.3333, 51.04, 63.42, 0.03, 1508, 50.0, "%", groups={"age": "old"})


def test_an_estimate_reads_as_one_line():
    assert repr(RATE) == "<rate of age old: 57.33 % (51.04 to 63.42), p 0.03, n 1,508>"
    open_end = Estimate(
        "ratio", 1.3, 1.1, None, None, 20, 1.0, "", p_adjusted=0.2, adjustment="Holm"
    )
    assert repr(open_end) == "<ratio: 1.3 (1.1 or more), p (Holm) 0.2, n 20>"
    gap = Estimate("gap", None, None, None, None, 0, 0.0, "", why="nothing to compare")
    assert repr(gap) == "<gap: undefined, nothing to compare, n 0>"


def test_a_card_reads_as_one_line_without_what_a_terminal_would_obey():
    card = Card(
        "mine", "1", {"name": "\x1b[31mm"}, {"name": "d"}, rule="pll", settings={"a": "b", "c": ""}
    )
    assert repr(card) == "<mine: model [U+001B][31mm, rule pll, data d, settings a=b, seed 0>"


def test_what_a_notebook_shows_is_escaped_and_has_a_line_for_each_fact():
    shown = facts_html(
        "<b>", {"data": {"name": "<i>", "items": 1508, "note": ""}, "notes": ["x", "y"]}
    )
    assert "<b>&lt;b&gt;</b>" in shown
    assert "name: &lt;i&gt;<br>items: 1,508</td>" in shown
    assert "x<br>y" in shown
