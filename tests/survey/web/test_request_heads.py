"""Headers without an end are cut off; a real server keeps answering everybody else."""

import socket
from urllib.parse import urlsplit

import httpx2

from survey_forms import a_form, a_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.request_heads import LARGEST_HEAD
from tiltmeter.survey.web.serving import served


def replies_to(address, begin, *, chunks):
    """What the server says to this beginning and so many chunks before it closes the connection."""
    at = urlsplit(address)
    with socket.create_connection((at.hostname, at.port), timeout=20) as connection:
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
