"""Named points in columns over the value of the whole column."""

import re
from itertools import pairwise

from tiltmeter.core.estimates import Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.report.plots.strip_plot import NARROW, Strip, StripPoint, strip_plot

SHARE = quantity("share", "Share", unit="%")


def points(*values, shades=()):
    return [
        StripPoint(f"p{v}", SHARE.at(v, n=9), shade)
        for v, shade in zip(values, shades or [None] * len(values), strict=True)
    ]


def drawn(layout=None):
    strips = [
        Strip("left", points(10, 40, shades=(0, 50)), SHARE.at(20, Inference(15, 30))),
        Strip("<right>", points(40, 40, 90, shades=(100, None, 50))),
    ]
    return strip_plot(strips, name="s", title="Share", **({"layout": layout} if layout else {}))


def test_points_stand_by_value_and_names_never_on_each_other():
    picture = drawn()
    spots = [
        tuple(map(float, spot))
        for spot in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="4" class="point clear"', picture)
    ]
    (x, low), (_, high), (right, same), (_, equal), (_, highest) = spots
    assert x < right
    assert high == same == equal
    assert round((low - high) / (high - highest), 2) == 0.6  # 30 points and 50
    names = re.findall(r'y="([\d.]+)" text-anchor="start" class="label" font-size="10"', picture)
    apart = sorted(float(y) for y in names[2:])
    assert min(b - a for a, b in pairwise(apart)) >= 12
    assert "&lt;right&gt;" in picture


def test_shades_are_from_the_lowest_to_the_highest_and_bands_are_of_whole_columns():
    picture = drawn()
    assert re.findall(r'class="point clear" fill-opacity="([\d.]+)"', picture) == [
        "0", "0.5", "1", "0", "0.5",
    ]  # fmt: skip
    assert picture.count('class="beside"') == picture.count('class="median"') == 1
    plain = strip_plot([Strip("a", points(1, 2))], name="s", title="t")
    assert plain.count('fill-opacity="1"') == 2


def test_a_narrow_picture_has_rows_of_columns():
    def size(picture):
        return tuple(map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', picture).groups()))

    three = [Strip(f"c{i}", points(1, 2)) for i in range(3)]
    width, height = size(strip_plot(three, name="s", title="t", layout=NARROW))
    assert width == NARROW.width
    assert height > 2 * NARROW.height
