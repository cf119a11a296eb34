"""The file of reasons holds each number once, whatever a stop left in it."""

import json
import resource

import pytest

from tiltmeter.active.live_plan import ASKED, ReasonFile
from tiltmeter.active.run_files import AskReason
from tiltmeter.core.errors import StorageError


def kept(folder):
    """(Number, item, reason) of each line."""
    lines = map(json.loads, (folder / ASKED).read_text().splitlines())
    return [(line["assignment"], line["item"], line["reason"]) for line in lines]


def test_a_number_that_was_never_committed_is_replaced_when_it_is_given_again(tmp_path):
    before = ReasonFile(tmp_path)
    for number, item in ((1, "a"), (2, "b")):
        before.add(number, item, AskReason("start"))
    after = ReasonFile(tmp_path)  # killed before 2 was committed
    after.add(2, "c", AskReason("entropy", 0.25))
    after.add(3, "d", AskReason("start"))
    assert kept(tmp_path) == [(1, "a", "start"), (2, "c", "entropy"), (3, "d", "start")]
    assert ReasonFile(tmp_path).found == after.found


@pytest.mark.parametrize("left", ['{"assignment": 2, "it', '{"assignment": 2}', "\u2028"])
def test_a_line_that_was_cut_off_is_replaced(tmp_path, left):
    ReasonFile(tmp_path).add(1, "a", AskReason("start"))
    with (tmp_path / ASKED).open("a") as file:
        file.write(left)
    after = ReasonFile(tmp_path)
    assert [*after.found] == [1]
    after.add(2, "b", AskReason("start"))
    assert kept(tmp_path) == [(1, "a", "start"), (2, "b", "start")]


def test_a_line_that_could_not_be_written_is_no_part_of_the_next_one(tmp_path):
    reasons = ReasonFile(tmp_path)
    reasons.add(1, "a", AskReason("start"))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / ASKED).stat().st_size + 10, limits[1]))
    try:
        with pytest.raises(StorageError, match="cannot be written"):
            reasons.add(2, "b", AskReason("start"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    reasons.add(3, "c", AskReason("start"))
    assert {(1, "a", "start"), (3, "c", "start")} <= {*kept(tmp_path)}
