"""Matrices as files for papers: what is drawn agrees with the estimates; equal results, equal files."""

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from tiltmeter.report.grid import is_told
from tiltmeter.report.matrix_figures import LEFT, RIGHT, matrix_figures

from report import cells, example
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.report.figures import save_figures


def test_each_cell_has_its_colour_and_its_size():
    result = cells.result()
    axes = matrix_figures(result)["matrix"].axes[0]
    squares = [p for p in axes.patches if isinstance(p, Rectangle)]
    known = [e for e in result.estimates if e.name == "association" and e.value is not None]
    assert len(squares) == len(known) == 29
    assert len(axes.lines) == 1  # the cross of the cell without a value
    for side, colour in ((1, RIGHT), (-1, LEFT)):
        told = sum(is_told(e) for e in known if side * e.value > 0)
        large = [s for s in squares if to_hex(s.get_facecolor()) == colour and s.get_width() > 0.6]
        assert len(large) == told
    deepest = max(squares, key=lambda s: s.get_alpha())
    assert deepest.get_alpha() == pytest.approx(0.1 + 0.9 * 0.8284256667545453 / 1.0, abs=0.01)


def test_a_chart_of_a_group_has_a_bar_a_pair():
    result = cells.result()
    axes = matrix_figures(result, ["bakers"])["group-bakers"].axes[0]
    bars = sorted(bar.get_width() for bar in axes.patches)
    own = sorted(
        e.value for e in result.estimates
        if e.name == "association" and e.groups.get("group") == "bakers"
    )  # fmt: skip
    assert bars == pytest.approx(own)
    left = [text.get_text() for text in axes.get_yticklabels()]
    assert set(left) == {"slow", "early", "gloomy", "quiet", "calm"}


@pytest.mark.parametrize("kind", ["pdf", "png", "svg"])
def test_equal_results_give_equal_files(tmp_path, kind):
    made = [
        save_figures([cells.result()], tmp_path / name, format=kind, groups=["chess players"])
        for name in "ab"
    ]
    assert [p.name for p in made[0]] == [f"matrix.{kind}", f"group-chess-players.{kind}"]
    for one, other in zip(*made, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_hostile_names_and_pairs_without_values_are_drawn(tmp_path):
    result = cells.result(names={"anglers": cells.HOSTILE + "$x_1$"})
    files = save_figures([result], tmp_path, format="svg", groups=[cells.HOSTILE + "$x_1$"])
    assert all("<script" not in file.read_text("utf-8") for file in files)


def test_unknown_groups_and_other_studies_are_told(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'bakers'"):
        save_figures([cells.result()], tmp_path, groups=["baker"])
    with pytest.raises(BadInput, match="no run of groups and traits"):
        save_figures([example.result()], tmp_path, groups=["bakers"])
    assert not list(tmp_path.iterdir())
