"""Models on a plane: marks stand where the scores are, lines where the third measure is what they say."""

from report.plots.drawn import SVG, of_class, parsed
from report.plots.plane_examples import PLAIN, place, spot
from tiltmeter.report.plots.plane import plane


def test_a_model_and_its_intervals_stand_where_the_scores_are():
    root = parsed(plane([spot()], name="s", layout=PLAIN))
    (point,) = of_class(root, "point")
    assert place(point, "cx", "cy") == (140, 70)  # 20 + 2 · 60, 150 − 80
    across, up = of_class(root, "interval")
    assert place(across, "x1", "y1", "x2", "y2") == (136, 70, 144, 70)
    assert place(up, "x1", "y1", "x2", "y2") == (140, 72, 140, 68)
    assert place(of_class(root, "neutral")[0], "x1", "y1", "x2", "y2") == (120, 50, 120, 150)


def test_the_ideal_and_the_random_model_are_marked():
    root = parsed(plane([spot()], name="s", layout=PLAIN))
    ideal, random = of_class(root, "known")
    assert ideal.get("points") == "113,50 120,43 127,50 120,57"  # around ss 50, lms 100
    assert place(random, "x", "y", "width", "height") == (115, 95, 10, 10)  # around 50, 50
    words = [e.text for e in root.iter(f"{SVG}text")]
    assert {"ideal", "picking at random"} <= set(words)
