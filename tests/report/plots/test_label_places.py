"""Labels keep their order and their distance, and cover as little as they can."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.report.plots.label_places import least_covering, spread_out


@given(st.lists(st.floats(0, 100), min_size=1, max_size=15), st.floats(0.5, 6))
def test_labels_keep_their_order_their_distance_and_the_plot(wanted, apart):
    places = spread_out(wanted, apart, apart / 2, 100)
    ranked = sorted(range(len(wanted)), key=lambda i: wanted[i])
    for before, after in pairwise(ranked):
        assert places[after] - places[before] >= apart - 1e-6
    assert min(places) >= apart / 2 - 1e-6
    assert max(places) <= 100 + 1e-9
    if len(wanted) == 1 and wanted[0] >= apart / 2:
        assert places == wanted


def test_more_labels_than_there_is_room_for_begin_at_the_low_end():
    assert spread_out([1.0, 1.0, 1.0], 10, 0, 15) == [0, 10, 20]


def test_a_label_goes_where_it_covers_least_and_stays_within_the_edge():
    left, right, outside = (0, 0, 4, 4), (6, 0, 10, 4), (20, 0, 24, 4)
    taken = [(1, 1, 3, 3), (9, 3, 12, 12)]
    assert least_covering([left, right, outside], taken) == 2
    assert least_covering([left, right, outside], taken, (0, 0, 10, 10)) == 1
    assert least_covering([left, left], taken) == 0
