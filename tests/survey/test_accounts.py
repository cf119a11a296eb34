"""Accounts as operations on the database, and the log of what was done."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import pytest

from support.survey.accounts import an_account
from support.survey.browsing import rows
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.survey.accounts import (
    account_named,
    accounts,
    audit_log,
    change_password,
    change_role,
    create_account,
    remove_account,
)
from tiltmeter.survey.schema import BoardTable, Submission
from tiltmeter.survey.store import SurveyStore


def test_accounts_are_made_changed_and_removed_and_all_of_it_is_noted(store):
    root, ann = an_account(store, "root", "admin"), an_account(store, "Ann", "annotator")
    assert (
        [account.name for account in store.read(accounts)]
        == ["ann", "root"]
        == [ann.name, root.name]
    )
    with pytest.raises(BadInput, match="there is an account 'ann' already"):
        an_account(store, "ANN", "admin")
    with pytest.raises(BadInput, match="cannot be the name"):
        an_account(store, "<script>", "admin")
    store.save(partial(change_role, account=ann.id, role="researcher", actor="root"))
    store.save(partial(change_password, account=ann.id, password="$hash", actor="ann"))
    store.save(partial(remove_account, account=ann.id, actor="root"))
    with pytest.raises(UnknownName, match="No account named 'ann'"):
        store.read(partial(account_named, name="ann"))
    entries = store.read(audit_log)
    assert [(line.actor, line.action, line.detail) for line in reversed(entries)] == [
        ("test", "create account", "root (admin)"),
        ("test", "create account", "ann (annotator)"),
        ("root", "change role", "ann (researcher)"),
        ("ann", "change password", "ann"),
        ("root", "remove account", "ann"),
    ]
    (first,) = store.read(partial(audit_log, before=entries[-2].id))
    assert first.id == entries[-1].id


def test_one_administrator_stays(store):
    root = an_account(store, "root", "admin")
    for change in (
        partial(remove_account, actor="x"),
        partial(change_role, role="annotator", actor="x"),
    ):
        with pytest.raises(BadInput, match="'root' is the only administrator"):
            store.save(partial(change, account=root.id))
    an_account(store, "second", "admin")
    store.save(partial(remove_account, account=root.id, actor="x"))


def test_of_two_administrators_who_go_at_the_same_moment_one_stays(store, url):
    goes = [an_account(store, name, "admin") for name in ("root", "second")]
    removed, may_end = Event(), Event()

    def slowly(session):
        remove_account(session, goes[0].id, actor="x")
        session.flush()
        removed.set()
        assert may_end.wait(30)

    with SurveyStore(url) as other, ThreadPoolExecutor() as threads:
        first = threads.submit(store.save, slowly)
        assert removed.wait(30)
        remove = partial(remove_account, account=goes[1].id, actor="x")
        second = threads.submit(other.save, remove)
        time.sleep(0.3)  # so that the second one waits for the first
        may_end.set()
        first.result()
        with pytest.raises(BadInput, match="'second' is the only administrator"):
            second.result()
    assert [account.id for account in store.read(accounts)] == [goes[1].id]


def test_submissions_outlive_their_account(store):
    ann = an_account(store, "ann", "annotator")

    def submitted(session):
        session.add(
            BoardTable(
                name="b",
                settings={},
                labels_sha256="",
                contexts="",
                baselines={},
                development="",
                key=b"",
                opened=1,
            )
        )
        session.flush()
        session.add(Submission(
            board_id=1, user_id=ann.id, name="n", model="m", sha256="", state="scored", until=0, terms=[],
            moved=False, why="", receipt="", time=1,
        ))  # fmt: skip

    store.save(submitted)
    store.save(partial(remove_account, account=ann.id, actor="x"))
    assert [row.user_id for row in rows(store, Submission)] == [None]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("\u0430dm", "mixes CYRILLIC and LATIN letters"),
        ("\u0430\u0441\u0435", "'ace' already, which looks alike"),
    ],
)
def test_names_that_look_like_others_are_refused(store, name, says):
    make = partial(create_account, password="x", role="annotator", actor="test")
    store.save(partial(make, name="ace"))
    with pytest.raises(BadInput, match=says):
        store.save(partial(make, name=name))
    store.save(partial(make, name="\u0438\u0432\u0430\u043d"))  # a name in another script is fine
