"""Two measures of the same points."""

import re

from tiltmeter.report.plots.scatter import Dot, scatter


def test_dots_stand_where_their_values_are():
    dots = [Dot(1, "low", 0.0, 10.0), Dot(2, "high", 1.0, 20.0, (0.5, 1.5), (18.0, 22.0))]
    picture = scatter(dots, name="s", across="one", up="two")
    spots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture)
    (x1, y1), (x2, y2) = (tuple(map(float, spot)) for spot in spots)
    assert x1 < x2 and y1 > y2  # up is less
    assert picture.count('class="leader"') == 2
    assert all(name in picture for name in ("low", "high", "one →", "↑ two"))


def test_points_have_names_then_numbers_then_nothing():
    def labels(n):
        dots = [Dot(i + 1, f"model {i}", float(i), float(i * i)) for i in range(n)]
        return re.findall(
            r'class="label"[^>]*>([^<]+)<', scatter(dots, name="s", across="a", up="b")
        )

    assert labels(3) == ["model 0", "model 1", "model 2"]
    assert labels(9) == [str(i + 1) for i in range(9)]
    assert labels(61) == []
