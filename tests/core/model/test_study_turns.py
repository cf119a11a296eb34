"""When the next study begins, and that one study computes at a time."""

from threading import Thread

from tiltmeter.core.model.study_turns import StudyTurns


def test_the_next_study_begins_once_those_before_it_have_asked_and_leave_little_to_do():
    turns = StudyTurns(places=2, ahead=3)
    assert turns.has_room
    first = turns.next()
    assert not turns.has_room  # it is being prepared
    first.asks(9)
    assert not turns.has_room  # 2 under way and 3 for each place: fewer than 8
    first.unanswered = 7
    assert turns.has_room
    second = turns.next()
    second.asks(1)
    assert not turns.has_room
    turns.running.remove(first)
    assert turns.has_room
    assert [first.number, second.number, turns.next().number] == [0, 1, 2]


def test_one_study_computes_and_another_while_it_awaits_answers():
    turns, seen = StudyTurns(places=1, ahead=0), []
    first, second = turns.next(), turns.next()

    def compute():
        with second.computing:
            seen.append("second")

    with first.computing:
        thread = Thread(target=compute)
        thread.start()
        seen.append("first")
        with first.awaiting():
            thread.join(20)
        seen.append("first again")
    assert seen == ["first", "second", "first again"]


def test_all_that_run_are_halted():
    turns = StudyTurns(places=1, ahead=0)
    running = [turns.next(), turns.next()]
    turns.halt()
    assert all(turn.is_halted for turn in running)


def test_within_a_wait_another_wait_changes_nothing():
    turn = StudyTurns(places=1, ahead=0).next()
    with turn.computing:
        with turn.awaiting(), turn.awaiting():
            assert not turn.computing.locked()
        assert turn.computing.locked()
