"""The tables of a set: every part of the page, and the marks of bounds."""

from report.test_html import Outline


def test_the_page_has_every_part_and_escapes_names(result):
    page = result.page()
    Outline(page)
    for title in ("Votes to the target", "Learning curves", "Mean loss", "Claims and verdicts"):
        assert title in page
    assert "noise floor" in page and "all votes" in page
    assert "Simulations buy votes that were given before: nobody is asked anew" in page
    assert "live round" not in page
    assert "&lt;i&gt;101" in page and "<i>101" not in page
    assert "loud<b>" not in page
    pictures = 5  # two losses, macro-F1 and two shares, a panel for each set
    assert page.count('class="wide"') == page.count('class="narrow"') == pictures


def test_the_terminal_marks_bounds_and_is_no_wider_than_it_may_be(runs, tilt, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, shown, errors = tilt("active", "report", runs, "--all")
    assert code == 0 and "reading calm" in errors
    assert "> 1,000" in shown and "saves" in shown and "costs" in shown
    assert max(map(len, shown.partition("\npage:")[0].splitlines())) <= 80
    latex = tilt("active", "report", runs, "--format", "latex")[1]
    assert r"$\leq$" in latex and r"\begin{table}" in latex
