"""Requests without an end are cut off; a real server keeps answering everybody else."""

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import httpx2

from support.survey.forms import a_form, a_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import LARGEST_HEAD, served


def connected(address):
    at = urlsplit(address)
    return socket.create_connection((at.hostname, at.port), timeout=20)


def replies_to(address, begin, *, chunks):
    """What the server says to this beginning and so many chunks before it closes the connection."""
    with connected(address) as connection:
        try:
            connection.sendall(begin)
            for _ in range(chunks):
                connection.sendall(b"x" * LARGEST_HEAD)
            return b"".join(iter(lambda: connection.recv(1000), b""))
        except ConnectionError:  # it was closed while we were sending
            return b""


def test_a_head_without_end_is_cut_off(store):
    app = survey_app(store, a_study(store, a_form()))
    with served(app) as address, httpx2.Client(base_url=address) as client:
        for begin in (
            b"GET / HTTP/1.1\r\nX: ",
            b"GET /",
            b"GET / HTTP/1.1\r\nHost: a\r\nCookie: a=",
        ):
            assert replies_to(address, begin, chunks=20)[:12] in {b"", b"HTTP/1.1 400"}
        chunked = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        for behind in (b"0\r\nX: ", b"1;a="):  # a trailer; an extension of a chunk
            reply = replies_to(address, chunked + behind, chunks=20)
            assert reply == b"" or b"HTTP/1.1 400" in reply
        usual = {"x-long": "y" * (LARGEST_HEAD // 8)}
        assert client.get("/static/survey.css", headers=usual).status_code == 200
        for _ in range(20):  # on one connection: each request is counted for itself
            assert client.get("/static/survey.css", headers=usual).status_code == 200


GET = b"GET /static/survey.css HTTP/1.1\r\nHost: a\r\n"
POST = b"POST /consent HTTP/1.1\r\nHost: a\r\n"
SLOW = {
    "nothing": (b"", b""),
    "line ends": (b"", b"\r\n"),
    "header": (GET + b"X: ", b"y"),
    "line ends behind a request": (GET + b"\r\n", b"\r\n"),
    "second request": (GET + b"\r\n" + GET + b"X: ", b"y"),
    "body": (POST + b"Content-Length: 9999\r\n\r\n", b"y"),
    "trailer": (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"y"),
}
"""What a client begins with, and what it sends now and then."""


def is_cut_off(address, begin, more):
    """Whether the server closes the connection within 20 seconds."""
    with connected(address) as connection:
        connection.sendall(begin)
        connection.settimeout(0.1)
        for _ in range(200):
            try:
                connection.sendall(more)
                if not (reply := connection.recv(1 << 20)):
                    return True
                assert not reply.startswith(b"HTTP/1.1 400")  # slow, but right
            except TimeoutError:
                pass
            except ConnectionError:
                return True
    return False


def test_requests_that_come_too_slowly_are_cut_off(store, monkeypatch):
    for name in ("HEAD_SECONDS", "BODY_SECONDS"):
        monkeypatch.setattr(f"tiltmeter.survey.web.serving.{name}", 0.5)
    with (
        served(survey_app(store, a_study(store, a_form()))) as address,
        closing(HTTPConnection(urlsplit(address).netloc)) as idle,
        ThreadPoolExecutor(len(SLOW)) as clients,
    ):
        idle.request("GET", "/static/survey.css")
        assert idle.getresponse().read()
        ended = {name: clients.submit(is_cut_off, address, *sent) for name, sent in SLOW.items()}
        assert {name for name, end in ended.items() if not end.result()} == set()
        idle.auto_open = 0
        idle.request(
            "GET", "/static/survey.css"
        )  # on the same connection: no request was under way
        assert idle.getresponse().status == 200
