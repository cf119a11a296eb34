"""Which page of how many: numbers that never go back, whatever is answered."""

from hypothesis import given, settings
from hypothesis import strategies as st

from support.survey.forms import STAGES, a_form
from tiltmeter.survey.flow import FIRST, REPEAT, TRAINING, Assigned, screens
from tiltmeter.survey.form_file import form_of, read_form
from tiltmeter.survey.page_count import page_count, pages_to_come


def test_everything_that_may_come_is_counted_before_it_is_given_out():
    form = form_of(STAGES)
    assert pages_to_come(form) == {
        "start": 2, "training": 2, "familiar": 0, "items": 5, "repeat": 0, "end": 1,
    }  # fmt: skip
    nothing = screens(form, [])
    first, last = (page_count(form, nothing, screen) for screen in (nothing[0], nothing[-1]))
    assert (first.page, first.pages, first.share) == (1, 10, 0)
    assert (last.page, last.pages) == (10, 10)


def test_pages_keep_their_numbers_once_items_are_given():
    form = form_of(STAGES)
    a, b = form.items[1:3]
    given_items = [Assigned(1, form.items[0], TRAINING), Assigned(2, b), Assigned(3, a)]
    every = screens(form, given_items)
    assert [page_count(form, every, screen).page for screen in every] == [*range(1, 11)]


def test_repeated_items_are_counted_before_they_come():
    form = read_form("group_traits")
    each, (four) = form.sampling.each, form.items[:4]
    given_items = [Assigned(number, item) for number, item in enumerate(four)]
    before = screens(form, given_items)
    again = screens(form, [*given_items, Assigned(9, four[0], REPEAT)])
    assert each == 4 and len(again) == len(before) + 1
    for screen in before:
        assert page_count(form, before, screen) == page_count(form, again, screen)
    assert page_count(form, again, again[0]).pages == len(again)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_progress_never_goes_down_and_ends_with_the_survey(data):
    """However many items there are places for, and whatever was skipped on the way."""
    each, repeat = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 2))
    rest = f"[repeat]\nitems = {repeat}" if repeat else ""
    form = a_form(6, sampling=f"each = {each}", rest=rest)
    found = data.draw(st.integers(1, each or 6))
    chosen = data.draw(st.permutations(form.items))[:found]
    items = [Assigned(number, item, FIRST) for number, item in enumerate(chosen)]
    shares = []
    for known in range(found + 1):  # one after the other, as an order gives them out
        every = screens(form, items[:known])
        shares += [page_count(form, every, screen).share for screen in every[max(known - 1, 0) :]]
    again = [Assigned(90 + n, item, REPEAT) for n, item in enumerate(chosen[:repeat])]
    every = screens(form, [*items, *again])
    shares += [page_count(form, every, screen).share for screen in every[found:]]
    assert shares == sorted(shares) and all(0 <= share < 1 for share in shares)
