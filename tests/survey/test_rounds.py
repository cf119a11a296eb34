"""Of an operation that fails nothing is left, whether or not others share its round."""

from concurrent.futures import Future

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.rounds import JOINED, Work, groups_of, results_of, single
from tiltmeter.survey.schema import StudyRow

INSERT = text("INSERT INTO audit (time, actor, action, detail) VALUES (1, 'a', 'b', 'half')")


def refused(session):
    session.execute(INSERT)
    raise BadInput("no", "try again")


def broken(session):
    session.execute(INSERT)
    session.add(StudyRow(name="it lacks everything else"))


def audited(session):
    return list(session.scalars(text("SELECT detail FROM audit")))


def work(operation, run=single):
    return Work(run, operation, Future(), 0.0)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(("operation", "kind"), [(refused, BadInput), (broken, StorageError)])
def test_nothing_is_left_of_an_operation_that_fails(store, operation, kind, alone):
    with pytest.raises(kind):
        store.save(operation)
    assert store.read(audited) == []
    with Session(store._writer) as session:
        ((_, _, problem),) = results_of(session, [work(operation)], alone=alone)
        assert isinstance(problem, kind)
        assert audited(session) == []
        ((_, rows, problem),) = results_of(session, [work(audited)], alone=alone)
        assert (rows, problem) == ([], None)


def test_items_are_grouped_by_operation_and_a_group_is_not_too_large():
    def other(_, items):
        return items

    works = [work(number, run=other if number % 2 else single) for number in range(2 * JOINED + 4)]
    groups = groups_of(works)
    assert [len(group) for group in groups] == [JOINED, 2, JOINED, 2]
    assert all(len({one.run for one in group}) == 1 for group in groups)
    assert [one.item for group in groups[:2] for one in group] == [*range(0, 2 * JOINED + 4, 2)]


def test_what_is_read_is_of_one_moment(store):
    def twice(session):
        before = audited(session)
        store.save(lambda writing: writing.execute(INSERT).rowcount)
        return before, audited(session)

    assert store.read(twice) == ([], [])
    assert store.read(audited) == ["half"]
