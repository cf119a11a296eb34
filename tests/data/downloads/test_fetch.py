"""Downloads, against a real server that is cut, lies, redirects and refuses."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tiltmeter.core.errors import StorageError, Unavailable
from tiltmeter.data.downloads import fetch
from tiltmeter.data.downloads.fetch import download, sha256

CONTENT = bytes(i * i % 251 for i in range(700_001))
RIGHT = hashlib.sha256(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Answers with what the server's `answer` does."""

    server: "Server"

    def do_GET(self):
        self.server.ranges.append(self.headers.get("Range", ""))
        self.server.paths.append(self.path)
        self.server.answer(self)

    def log_message(self, *_args):
        """Keeps the test's output clean."""

    def send(self, status: int, body: bytes = b"", *, cut: int | None = None, **headers: str):
        """Promise the whole body; send it up to `cut` and hang up."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut])
        self.close_connection = True

    def send_from_range(self, body: bytes = CONTENT, *, cut: int | None = None):
        asked = self.headers.get("Range", "")
        if not asked:
            return self.send(200, body, cut=cut)
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
        last = len(body) - 1
        where = f"bytes {start}-{last}/{len(body)}"
        return self.send(206, body[start:], cut=cut, Content_Range=where)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: Callable[[Handler], object] = lambda handler: handler.send(200, CONTENT)
        self.ranges: list[str] = []
        self.paths: list[str] = []

    def handle_error(self, request, client_address):
        """A client that hangs up is no error here."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/pairs.csv"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield one
        one.shutdown()
        thread.join()


@pytest.fixture
def to(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "pairs.csv"


def get(url: str, to: Path, **options) -> Path:
    return download(url, to, **({"sha256": RIGHT, "pause": 0.001} | options))


def left_beside(to: Path) -> list[str]:
    return sorted(path.name for path in to.parent.iterdir() if path != to)


def test_the_digest_of_a_large_file_is_remembered_while_the_file_is_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(fetch.remembered_values, "RECENT", 0)
    monkeypatch.setattr(fetch, "LARGE", 3)
    read = []
    monkeypatch.setattr(fetch, "sha256", lambda file: read.append(file.name) or sha256(file))

    def digest(file):
        fetch._digest.cache_clear()  # as in another process
        return fetch.file_digest(file)

    large, small = tmp_path / "large", tmp_path / "small"
    large.write_bytes(b"abc")
    small.write_bytes(b"ab")
    right = hashlib.sha256(b"abc").hexdigest()
    assert [digest(large), digest(large), digest(small), digest(small)][:2] == [right, right]
    assert read == ["large", "small", "small"]
    large.write_bytes(b"abd")
    assert digest(large) == hashlib.sha256(b"abd").hexdigest()
    assert read[3:] == ["large"]


class TestSha256:
    def test_the_published_value(self, tmp_path):
        """FIPS 180-4's example "abc"."""
        (tmp_path / "abc").write_bytes(b"abc")
        expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        assert sha256(tmp_path / "abc") == expected

    @pytest.mark.parametrize("length", [fetch.BLOCK - 1, fetch.BLOCK, 2 * fetch.BLOCK + 7])
    def test_blocks_do_not_show(self, tmp_path, length):
        content = (b"tilt" * length)[:length]
        (tmp_path / "file").write_bytes(content)
        assert sha256(tmp_path / "file") == hashlib.sha256(content).hexdigest()


class TestWhole:
    def test_content_and_name(self, server, to):
        assert get(server.url, to, size=len(CONTENT)) == to
        assert to.read_bytes() == CONTENT
        assert left_beside(to) == []
        assert server.ranges == [""]

    def test_progress_rises_to_the_end(self, server, to):
        seen: list[tuple[int, int | None]] = []
        get(server.url, to, progress=lambda done, total: seen.append((done, total)))
        assert [done for done, _ in seen] == sorted({done for done, _ in seen})
        assert seen[-1] == (len(CONTENT), len(CONTENT))
        assert {total for _, total in seen} == {len(CONTENT)}

    def test_an_older_file_is_replaced(self, server, to):
        to.parent.mkdir()
        to.write_bytes(b"old")
        get(server.url, to)
        assert to.read_bytes() == CONTENT

    def test_redirects_are_followed(self, server, to):
        def answer(handler):
            if handler.path == "/moved.csv":
                handler.send(200, CONTENT)
            else:
                handler.send(302, Location="/moved.csv")

        server.answer = answer
        get(server.url, to)
        assert to.read_bytes() == CONTENT
        assert server.paths == ["/pairs.csv", "/moved.csv"]

    def test_many_at_once(self, server, to):
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(lambda _: get(server.url, to), range(8)))
        assert done == [to] * 8
        assert to.read_bytes() == CONTENT
        assert left_beside(to) == []


class TestResume:
    def test_goes_on_after_a_cut(self, server, to):
        cuts = iter([300_000, 100_000, None])
        server.answer = lambda handler: handler.send_from_range(cut=next(cuts))
        get(server.url, to)
        assert to.read_bytes() == CONTENT
        assert server.ranges == ["", "bytes=300000-", "bytes=400000-"]

    def test_goes_on_in_a_later_call(self, server, to):
        cuts = iter([100_000, 100_000, 100_000, 100_000])
        server.answer = lambda handler: handler.send_from_range(cut=next(cuts))
        with pytest.raises(Unavailable, match="cannot be downloaded"):
            get(server.url, to)
        assert left_beside(to) == ["pairs.csv.part"]
        assert not to.exists()
        server.answer = Handler.send_from_range
        get(server.url, to)
        assert to.read_bytes() == CONTENT
        assert server.ranges[-1] == "bytes=400000-"
        assert left_beside(to) == []

    def test_without_a_checksum_it_starts_again(self, server, to):
        cuts = iter([300_000, None])
        server.answer = lambda handler: handler.send_from_range(cut=next(cuts))
        get(server.url, to, sha256="")
        assert to.read_bytes() == CONTENT
        assert server.ranges == ["", ""]

    def test_without_a_checksum_no_part_is_kept(self, server, to):
        server.answer = lambda handler: handler.send(200, CONTENT, cut=9)
        with pytest.raises(Unavailable):
            get(server.url, to, sha256="")
        assert left_beside(to) == []

    def test_a_server_that_knows_no_ranges(self, server, to):
        cuts = iter([300_000, None])
        server.answer = lambda handler: handler.send(200, CONTENT, cut=next(cuts))
        get(server.url, to)
        assert to.read_bytes() == CONTENT

    @pytest.mark.parametrize("status", [416, 206])
    def test_a_part_that_the_server_cannot_continue(self, server, to, status):
        to.parent.mkdir()
        to.with_name("pairs.csv.part").write_bytes(CONTENT + b"more")

        def answer(handler):
            if handler.headers.get("Range"):
                handler.send(status, CONTENT, Content_Range=f"bytes 0-9/{len(CONTENT)}")
            else:
                handler.send(200, CONTENT)

        server.answer = answer
        get(server.url, to)
        assert to.read_bytes() == CONTENT
        assert server.ranges == [f"bytes={len(CONTENT) + 4}-", ""]

    def test_a_part_of_another_content_is_found_out_and_deleted(self, server, to):
        to.parent.mkdir()
        to.with_name("pairs.csv.part").write_bytes(b"x" * 10)
        server.answer = Handler.send_from_range
        with pytest.raises(Unavailable, match="expected SHA-256"):
            get(server.url, to)
        assert left_beside(to) == []
        get(server.url, to)
        assert to.read_bytes() == CONTENT

    def test_an_interrupt_keeps_the_part(self, server, to):
        def interrupt(done: int, _total: int | None) -> None:
            if done > 200_000:
                raise KeyboardInterrupt

        server.answer = Handler.send_from_range
        with pytest.raises(KeyboardInterrupt):
            get(server.url, to, progress=interrupt)
        kept = to.with_name("pairs.csv.part").read_bytes()
        assert len(kept) > 200_000
        assert CONTENT.startswith(kept)
        get(server.url, to)
        assert server.ranges[-1] == f"bytes={len(kept)}-"

    def test_what_a_killed_process_left_is_taken_over(self, server, to):
        to.parent.mkdir()
        orphan = to.with_name(".pairs.csv.123-abcd.part")
        orphan.write_bytes(CONTENT[:5])
        hour_ago = time.time() - 3600
        os.utime(orphan, (hour_ago, hour_ago))
        server.answer = Handler.send_from_range
        get(server.url, to)
        assert server.ranges == ["bytes=5-"]
        assert left_beside(to) == []

    def test_what_another_process_is_writing_is_left_alone(self, server, to):
        to.parent.mkdir()
        theirs = to.with_name(".pairs.csv.123-abcd.part")
        theirs.write_bytes(CONTENT[:5])
        get(server.url, to)
        assert server.ranges == [""]
        assert theirs.read_bytes() == CONTENT[:5]


class TestRefused:
    def test_a_wrong_checksum_names_both(self, server, to):
        to.parent.mkdir()
        to.write_bytes(b"the old one stays")
        server.answer = lambda handler: handler.send(200, b"abc")
        with pytest.raises(Unavailable) as caught:
            get(server.url, to)
        assert RIGHT in str(caught.value)
        assert hashlib.sha256(b"abc").hexdigest() in str(caught.value)
        assert server.url in str(caught.value)
        assert to.read_bytes() == b"the old one stays"
        assert left_beside(to) == []

    def test_a_wrong_size(self, server, to):
        with pytest.raises(Unavailable, match="expected 700,002 bytes, found 700,001 bytes"):
            get(server.url, to, sha256="", size=len(CONTENT) + 1)
        assert left_beside(to) == []

    def test_an_endless_answer_is_cut_off(self, server, to):
        def answer(handler):
            handler.send_response(200)
            handler.end_headers()
            while not stop.is_set():
                handler.wfile.write(CONTENT)

        stop = threading.Event()
        server.answer = answer
        seen: list[int] = []
        try:
            with pytest.raises(Unavailable, match="expected SHA-256"):
                get(server.url, to, size=1000, progress=lambda done, _: seen.append(done))
        finally:
            stop.set()
        assert len([done for done in seen if done > 1000]) == 1

    @pytest.mark.parametrize("status", [403, 404, 410])
    def test_no_second_try_where_it_would_not_help(self, server, to, status):
        server.answer = lambda handler: handler.send(status)
        with pytest.raises(Unavailable, match=f"pairs.csv: the server answers {status} ") as caught:
            get(server.url, to)
        assert "TILTMETER_DATA" in str(caught.value)
        assert "tiltmeter data import" in str(caught.value)
        assert len(server.paths) == 1
        assert left_beside(to) == []

    def test_a_busy_server_is_asked_again(self, server, to):
        statuses = iter([503, 429, 500])

        def answer(handler):
            handler.send(status) if (status := next(statuses, 0)) else handler.send(200, CONTENT)

        server.answer = answer
        get(server.url, to)
        assert len(server.paths) == 4

    def test_a_server_that_stays_busy(self, server, to):
        server.answer = lambda handler: handler.send(503)
        with pytest.raises(Unavailable, match="503 Service Unavailable"):
            get(server.url, to)
        assert len(server.paths) == fetch.ATTEMPTS

    def test_without_a_network_only_the_first_file_is_waited_for(self, to, monkeypatch):
        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as closed:
            url = f"http://127.0.0.1:{closed.server_port}/pairs.csv"
        waits = []
        monkeypatch.setattr(fetch.time, "sleep", waits.append)
        for _ in range(3):
            with pytest.raises(Unavailable, match="cannot be downloaded"):
                download(url, to, pause=1)
        assert waits == [1, 2, 4]

    def test_a_circle_of_redirects(self, server, to):
        server.answer = lambda handler: handler.send(302, Location="/pairs.csv")
        with pytest.raises(Unavailable, match="redirect"):
            get(server.url, to)

    def test_a_redirect_to_another_kind_of_address(self, server, to, tmp_path):
        (tmp_path / "secret").write_text("not for servers to choose")
        server.answer = lambda handler: handler.send(302, Location=f"file://{tmp_path}/secret")
        with pytest.raises(Unavailable):
            get(server.url, to, sha256="")
        assert not to.exists()

    def test_nobody_there(self, to):
        with Server() as gone:
            url = gone.url
        with pytest.raises(Unavailable, match=r"cannot be downloaded \(.+\); find it yourself"):
            get(url, to, way_out="find it yourself")
        assert left_beside(to) == []

    @pytest.mark.parametrize("url", ["ftp://example.org/a", "pairs.csv", "data:,abc", ""])
    def test_other_kinds_of_addresses(self, to, url):
        with pytest.raises(Unavailable, match=r"not supported \(http, https, file\)"):
            get(url, to)


class TestFileAddresses:
    def test_a_copy(self, to, tmp_path):
        source = tmp_path / "a file & more.csv"
        source.write_bytes(CONTENT)
        get(source.as_uri(), to)
        assert to.read_bytes() == CONTENT

    def test_it_is_absent(self, to, tmp_path):
        with pytest.raises(Unavailable, match="No such file"):
            get((tmp_path / "absent").as_uri(), to)


class TestStorage:
    def test_a_file_where_the_folder_should_be(self, server, to):
        to.parent.write_text("in the way")
        with pytest.raises(StorageError, match="a file where a folder should be"):
            get(server.url, to)

    def test_a_folder_where_the_file_should_be(self, server, to):
        to.mkdir(parents=True)
        with pytest.raises(StorageError, match="cannot be written"):
            get(server.url, to)
        assert left_beside(to) == []

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
    def test_no_room(self, server, to):
        """A process that may write 200 kB a file stands for a disk with that much room."""
        code = (
            "import resource, sys, pathlib\n"
            "from tiltmeter.data.downloads.fetch import download\n"
            "from tiltmeter.core.errors import StorageError\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
            "try: download(sys.argv[1], pathlib.Path(sys.argv[2]), sha256=sys.argv[3])\n"
            "except StorageError as error: print(error)\n"
        )
        command = [sys.executable, "-c", code, server.url, str(to), RIGHT]
        paths = {"PYTHONPATH": str(Path(fetch.__file__).parents[3])}
        ran = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | paths, check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert "free some space, or set TILTMETER_CACHE" in ran.stdout
        assert left_beside(to) == []
