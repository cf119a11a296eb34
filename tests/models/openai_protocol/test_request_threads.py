"""Work in threads: each answer as it arrives, nothing lost at an error or Ctrl-C, nothing left running."""

import sys
import time
from threading import Barrier, Event, Thread

import pytest

from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.models.openai_protocol import request_threads
from tiltmeter.models.openai_protocol.request_threads import RequestQueue, Stopped


def crew():
    """The threads that ask."""
    return [thread for thread, frame in sys._current_frames().items() if begun_by(frame) == "_work"]


def begun_by(frame):
    while frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_name


def wait_until(is_so):
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_every_piece_is_answered_once_and_that_many_at_a_time():
    together = Barrier(3)  # passes only where three are under way

    def ask(number):
        together.wait(20)
        return number * 10

    found = list(RequestQueue(3).answered(ask, range(9), stop=Event()))
    assert sorted(found) == [(number, number * 10) for number in range(9)]
    wait_until(lambda: not crew())


def test_no_more_threads_than_work():
    seen = set()
    list(RequestQueue(50).answered(lambda _: seen.add(len(crew())), [1], stop=Event()))
    assert seen == {1}
    assert list(RequestQueue(4).answered(len, [], stop=Event())) == []


def test_an_answer_is_passed_on_while_others_are_awaited():
    slow = Event()

    def ask(name):
        assert name == "quick" or slow.wait(20)
        return name

    answers = RequestQueue(2).answered(ask, ["slow", "quick"], stop=Event())
    assert next(answers) == (1, "quick")
    slow.set()
    assert list(answers) == [(0, "slow")]


def test_after_an_error_what_is_under_way_is_answered_and_nothing_else_asked():
    good_is_under_way, asked, kept, stop = Event(), [], [], Event()

    def ask(name):
        asked.append(name)
        if name == "bad":
            assert good_is_under_way.wait(20)
            raise ValueError("broken")
        good_is_under_way.set()
        wait_until(stop.is_set)
        return name

    answers = RequestQueue(2).answered(ask, ["good", "bad", *"abcdef"], stop=stop)
    with pytest.raises(ValueError, match="broken"):
        kept.extend(answers)  # what comes before the error is kept
    assert kept == [(0, "good")]
    assert sorted(asked) == ["bad", "good"]


def test_of_two_errors_the_first_counts_and_waiting_ends():
    def ask(name):
        if name == "bad":
            raise ValueError("broken")
        assert stop.wait(20)
        raise Stopped

    stop = Event()
    with pytest.raises(ValueError, match="broken"):
        list(RequestQueue(2).answered(ask, ["waits", "bad", "never"], stop=stop))


class Interrupted(request_threads.SimpleQueue):
    """Ctrl-C comes once, as soon as the second request is under way."""

    def get(self, timeout=None):
        if Interrupted.comes:
            wait_until(lambda: len(Interrupted.under_way) == 2)
            Interrupted.comes = False
            raise KeyboardInterrupt
        return super().get(timeout=timeout)


@pytest.fixture
def interrupted(monkeypatch):
    monkeypatch.setattr(request_threads, "SimpleQueue", Interrupted)
    Interrupted.under_way, Interrupted.comes = [], True


@pytest.mark.usefixtures("interrupted")
def test_after_ctrl_c_what_is_under_way_is_still_stored():
    def ask(number):
        Interrupted.under_way.append(number)
        wait_until(stop.is_set)
        return number

    stop, kept = Event(), []
    answers = RequestQueue(2).answered(ask, range(10), stop=stop)
    with pytest.raises(KeyboardInterrupt):
        kept.extend(answers)
    assert sorted(kept) == [(0, 0), (1, 1)]


@pytest.mark.usefixtures("interrupted")
def test_after_ctrl_c_a_slow_server_is_not_awaited_for_long(monkeypatch):
    monkeypatch.setattr(request_threads, "GRACE", 0.05)
    slow = Event()

    def ask(number):
        Interrupted.under_way.append(number)
        assert slow.wait(20)
        return number

    with pytest.raises(KeyboardInterrupt):
        list(RequestQueue(2).answered(ask, range(2), stop=Event()))
    assert len(crew()) == 2  # abandoned
    slow.set()
    wait_until(lambda: not crew())


def test_who_stops_listening_stops_the_work():
    stop, asked = Event(), []

    def ask(number):
        asked.append(number)
        assert number == 0 or stop.wait(20)
        return number

    answers = RequestQueue(2).answered(ask, range(9), stop=stop)
    next(answers)
    answers.close()
    wait_until(lambda: not crew())
    assert stop.is_set()
    assert len(asked) <= 4


def test_studies_share_the_threads_and_the_earlier_one_goes_first():
    release, begun = Event(), []

    def ask(name):
        begun.append(name)
        assert release.wait(20)
        return name

    queue, answers = RequestQueue(2), {}

    def study(number, names):
        found = queue.answered(ask, names, stop=Event(), turn=StudyTurn(number))
        answers[number] = sorted(answer for _, answer in found)

    later = Thread(target=study, args=(1, ["a", "b", "c"]))
    later.start()
    wait_until(lambda: len(begun) == 2)
    earlier = Thread(target=study, args=(0, ["A", "B"]))
    earlier.start()
    wait_until(lambda: len(queue._wanted) == 2)
    assert len(crew()) == 2
    release.set()
    for thread in (earlier, later):
        thread.join(20)
    assert sorted(begun[:2]) == ["a", "b"] and sorted(begun[2:4]) == ["A", "B"] and begun[4] == "c"
    assert answers == {0: ["A", "B"], 1: ["a", "b", "c"]}


def test_a_study_that_is_halted_passes_on_what_is_under_way():
    turn, release, begun, kept = StudyTurn(), Event(), [], []

    def ask(number):
        begun.append(number)
        assert release.wait(20)
        return number

    def study():
        with pytest.raises(KeyboardInterrupt):
            kept.extend(RequestQueue(2).answered(ask, range(9), stop=Event(), turn=turn))

    thread = Thread(target=study)
    thread.start()
    wait_until(lambda: len(begun) == 2 and turn.unanswered == 9)
    turn.is_halted = True
    time.sleep(2 * request_threads.AWAKE)
    release.set()
    thread.join(20)
    assert sorted(kept) == [(0, 0), (1, 1)] and turn.unanswered == 0
