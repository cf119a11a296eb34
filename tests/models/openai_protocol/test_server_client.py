"""Trouble with a server ends in another attempt or in one clear error, and never in an answer."""

import re
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from servers.chat_server import Trouble, serving
from tiltmeter.models.openai_protocol import server_client
from tiltmeter.models.openai_protocol.request_threads import Stopped
from tiltmeter.models.openai_protocol.server_address import server_address
from tiltmeter.models.openai_protocol.server_client import (
    NoAnswer,
    RequestRefused,
    ServerClient,
    seconds_to_wait,
)

KEY = "sk-" + "veryverysecret"
HTML = b"<html><body>Bad gateway</body></html>"


@pytest.fixture
def server():
    with serving() as one:
        yield one


@pytest.fixture
def pauses(monkeypatch):
    """Pauses between attempts are noted instead of waited for."""
    noted = []

    def wait(_, seconds, stop):
        if stop.is_set():
            raise Stopped
        if seconds > 0:
            noted.append(seconds)

    monkeypatch.setattr(ServerClient, "_wait", wait)
    return noted


def client(server, *, key="", timeout=10.0, tries=4):
    return ServerClient(server_address(server.url), key, timeout=timeout, tries=tries)


def ask(server, **how):
    body = {"model": "tiny", "prompt": "Well?"}
    read = how.pop("read", lambda told: told["choices"][0]["text"])
    return client(server, **how).post("completions", body, read, threading.Event())


PASSING = {
    "request timeout": Trouble(status=408),
    "too many": Trouble(status=429, body=b'{"error": {"message": "slow down"}}'),
    "server error": Trouble(status=500, body=HTML, kind="text/html"),
    "gateway": Trouble(status=502, body=HTML, kind="text/html"),
    "unavailable": Trouble(status=503),
    "gateway timeout": Trouble(status=504),
    "web server down": Trouble(status=521),
    "html": Trouble(body=HTML, kind="text/html"),
    "no type": Trouble(kind=""),
    "empty": Trouble(body=b""),
    "blank": Trouble(body=b" \n"),
    "cut within the promised length": Trouble(cut=40),
    "cut before anything": Trouble(cut=0),
    "cut json": Trouble(body=b'{"choices": [{"text": "y'),
    "not utf-8": Trouble(body=b'{"choices": "\xff"}'),
    "reset": Trouble(reset=True),
    "error without a status": Trouble(body=b'{"error": {"message": "overloaded"}}'),
    "error with a passing status": Trouble(body=b'{"error": {"code": 429, "message": "slow"}}'),
    "error as text": Trouble(body=b'{"error": "overloaded"}'),
}


@pytest.mark.parametrize("trouble", PASSING.values(), ids=PASSING)
def test_trouble_that_passes_is_tried_again(server, pauses, trouble):
    trouble.times = 2
    server.troubles = [trouble]
    assert ask(server).startswith(" reply ")
    assert len(server.asked) == 3
    assert len(pauses) == 2


@pytest.mark.parametrize("trouble", PASSING.values(), ids=PASSING)
@pytest.mark.usefixtures("pauses")
def test_trouble_that_stays_is_one_clear_error(server, trouble):
    trouble.times = 10**9
    server.troubles = [trouble]
    with pytest.raises(
        NoAnswer,
        match=r"^http://127\.0\.0\.1:\d+/v1/completions: .+ \(4 attempts\)(; check that .+)?$",
    ):
        ask(server)
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (400, b'{"error": {"message": "bad\\u001b[31m temperature"}}', r"400 Bad Request \(bad\[U\+001B\]"),
        (401, b'{"error": {"message": "wrong key"}}', "401 Unauthorized .wrong key.; set TILTMETER_API_KEY"),
        (403, b'{"detail": "not yours"}', r"403 Forbidden \(not yours\); check what the key"),
        (404, HTML, "404 Not Found; check the address and the name of the model"),
        (431, b"", "431 Request Header Fields Too Large; check that TILTMETER_API_KEY holds a key"),
        (422, b'{"detail": [{"loc": ["body"]}]}', r"422 Unprocessable \w+ \(\{.detail"),
        (413, b"x" * 5000, r"413 [\w ]+ \(x{300} …\)$"),
        (418, b"", "418 I'm a Teapot$"),
        (501, b"no", r"501 Not Implemented \(no\)"),
        (307, b"", "307 Temporary Redirect"),
        (200, b'{"error": {"code": 401, "message": "wrong"}}', r"401 Unauthorized \(wrong\)"),
        (429, b'{"error": {"code": "insufficient_quota", "message": "pay"}}', r"429 .*\(pay\)"),
    ],
)  # fmt: skip
def test_what_another_attempt_would_not_change_is_an_error_at_once(server, status, body, message):
    server.troubles = [Trouble(status=status, body=body)]
    with pytest.raises(RequestRefused, match=message) as error:
        ask(server)
    assert len(server.asked) == 1
    assert len(str(error.value)) < 500


def test_redirects_are_not_followed(server):
    server.troubles = [Trouble(status=308, headers={"Location": "https://other.example/v1"})]
    with pytest.raises(RequestRefused, match=r"points to: https://other\.example/v1"):
        ask(server, key=KEY)
    assert len(server.asked) == 1


@pytest.mark.usefixtures("pauses")
def test_a_key_is_sent_and_never_shown(server):
    assert ask(server, key=KEY)
    assert server.asked[0].authorization == f"Bearer {KEY}"
    for status, shown in ((401, KEY), (500, KEY), (401, KEY.upper()), (401, KEY[1:9])):
        told = f'{{"error": {{"message": "no such key: {shown}"}}}}'.encode()
        trouble = Trouble(status=status, body=told)
        server.troubles = [trouble]
        with pytest.raises((RequestRefused, NoAnswer), match=r"no such key: \[key\]") as error:
            ask(server, key=KEY)
        assert shown not in str(error.value) + repr(error.value)
    made = client(server, key=KEY)
    assert KEY not in repr(made) + str(vars(made)["_http"].headers)


@pytest.mark.usefixtures("pauses")
def test_slow_answers_are_given_up(server):
    server.troubles = [Trouble(wait=0.5, times=2)]
    with pytest.raises(
        NoAnswer,
        match=r"no answer within 0\.1 s \(2 attempts\); allow more time with --timeout, or",
    ):
        ask(server, timeout=0.1, tries=2)
    server.troubles = [Trouble(drip=0.03)]
    with pytest.raises(
        NoAnswer, match=r"not complete after 0\.3 s \(one attempt\); allow more time"
    ):
        ask(server, timeout=0.3, tries=1)


def test_an_endless_answer_is_refused(server, monkeypatch):
    monkeypatch.setattr(server_client, "LARGEST", 1000)
    server.troubles = [Trouble(body=b" " * 5000)]
    with pytest.raises(
        RequestRefused, match="longer than 16 MiB; check that this is the address of the API"
    ):
        ask(server)


@pytest.mark.usefixtures("pauses")
def test_nobody_there():
    with serving() as gone:
        pass
    with pytest.raises(
        NoAnswer, match=r"cannot be reached \(\w[^\[]*[Rr]efused\); is the server running\? \(4"
    ):
        ask(gone)


@pytest.mark.usefixtures("pauses")
def test_what_the_reader_refuses_is_an_error_and_what_it_misses_is_tried_again(server):
    def read(_):
        read.seen += 1
        if read.seen < 3:
            raise server_client.TryAgain("the answer has no reply")
        raise ValueError("two replies")

    read.seen = 0
    with pytest.raises(RequestRefused, match=r"/v1/completions: two replies$"):
        ask(server, read=read)
    assert len(server.asked) == read.seen == 3


def test_pauses_grow_and_differ(server, pauses):
    server.troubles = [Trouble(status=500)]
    for _ in range(2):
        with pytest.raises(NoAnswer):
            ask(server, tries=9)
    one, other = pauses[:8], pauses[8:]
    assert all(2**n / 2 <= pause <= 2**n for n, pause in enumerate(one[:6]))
    assert all(30 <= pause <= 60 for pause in one[6:])
    assert one != other


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_the_server_says_how_long_to_wait_and_all_threads_do(server, pauses, form):
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=31), usegmt=True)
    said = "30" if form == "seconds" else until
    server.troubles = [Trouble(status=429, headers={"Retry-After": said}, times=1)]
    body, made = {"model": "tiny", "prompt": "Well?"}, client(server)
    made.post("completions", body, lambda told: told, threading.Event())
    assert 25 < pauses[0] < 32
    other = len(pauses)
    made.post("completions", body, lambda told: told, threading.Event())
    assert 25 < pauses[other] < 31


def test_a_wait_of_hours_is_left_to_the_user(server):
    server.troubles = [Trouble(status=429, headers={"Retry-After": "86400"}, body=b"{}")]
    with pytest.raises(
        RequestRefused, match=r"429 Too Many Requests \(\{\}\) and asks to wait 1,440 minutes"
    ):
        ask(server)


def test_a_short_wait_is_really_waited_for(server):
    server.troubles = [Trouble(status=429, headers={"Retry-After": "0.3"}, times=1)]
    begun = time.monotonic()
    ask(server)
    assert 0.3 <= time.monotonic() - begun < 10


def test_waiting_ends_where_the_run_ends(server):
    server.troubles = [Trouble(status=503, headers={"Retry-After": "500"})]
    stop = threading.Event()

    def once_asked():
        while not server.asked:
            time.sleep(0.01)
        stop.set()

    threading.Thread(target=once_asked, daemon=True).start()
    with pytest.raises(Stopped):
        client(server).post("completions", {"model": "m", "prompt": "x"}, lambda told: told, stop)
    assert len(server.asked) == 1


@pytest.mark.parametrize("said", ["", "soon", "-3", "1e3", "Wed, 99 Oct 2015 07:28:00 GMT"])
def test_an_unreadable_wait_is_none(said):
    assert seconds_to_wait({"Retry-After": said}) is None


def test_the_list_of_models(server):
    told = client(server).get("models", tries=1)
    assert re.search("tiny", str(told))
