"""What was collected of each person: times, training screens."""

from tiltmeter.survey.collected import PageTime, page_times
from tiltmeter.survey.schema import PageEvent


def event(number, kind, time):
    return PageEvent(number=number, person_id="p", screen="s.1", kind=kind, client_time=time,
                     assignment_id=1)  # fmt: skip


def test_times_are_counted_from_the_last_showing_without_other_tabs():
    kinds = ["shown", "hidden", "shown", "hidden", "visible", "submitted"]
    events = [event(i, kind, 1000 * i) for i, kind in enumerate(kinds)]
    assert [*page_times(events)] == [PageTime("p", "s.1", 3.0, 1.0, 1)]
