"""Errors of every kind keep their message and as much of their kind as can be sent."""

import pickle
from threading import Lock

import pytest

from tiltmeter.core.errors import BadInput, Unavailable, portable


class Needy(Unavailable):
    """Cannot be made from its message alone."""

    def __init__(self, *, status):
        super().__init__(f"the server says {status}")


class NeedyKey(KeyError):
    def __init__(self, *, key):
        super().__init__(key)


def with_lock(error):
    error.lock = Lock()
    return error


def local(kind, *args):
    return type("Local", (kind,), {})(*args)


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (BadInput("it is empty", "fill it in", file="a.csv"), BadInput, "a.csv: it is empty; fill"),
        (with_lock(BadInput("it is empty", "fill it in")), BadInput, "it is empty; fill it in"),
        (local(BadInput, "it is empty", "fill it in"), BadInput, "it is empty; fill it in"),
        (Needy(status=500), Needy, "the server says 500"),
        (with_lock(Needy(status=500)), Needy, "the server says 500"),
        (local(PermissionError, 13, "denied", "a"), PermissionError, "[Errno 13] denied: 'a'"),
        (local(UnicodeDecodeError, "ascii", b"\xff", 0, 1, "no"), UnicodeError, "decode byte"),
        (NeedyKey(key="a"), LookupError, "'a'"),
        (local(Exception, Lock()), Exception, "lock object"),
        (local(BaseException, "a panic"), BaseException, "a panic"),
    ],
)
def test_an_error_arrives_with_its_message(error, kind, says):
    arrived = pickle.loads(pickle.dumps(portable(error)))
    assert type(arrived) is kind
    assert says in str(arrived) and str(arrived) == str(error)


def test_an_error_that_can_be_sent_is_itself():
    error = BadInput("it is empty", "fill it in")
    assert portable(error) is error
