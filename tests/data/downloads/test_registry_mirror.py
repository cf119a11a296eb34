"""Registered data sets from a mirror that TILTMETER_MIRROR names: whole, cut and changed."""

import hashlib

import pytest

from servers.hub_fixtures import hub
from tiltmeter.core.errors import Unavailable
from tiltmeter.data.downloads import fetch
from tiltmeter.data.downloads.registry import DataSet, File, known_sets, locate

SETS = known_sets()

__all__ = ["hub"]

CONTENT = b"sent_more,sent_less\n" + b"He is late.,She is late.\n" * 100_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
PATH = "toys/of mine.csv"


@pytest.fixture(autouse=True)
def cache(hub, monkeypatch, tmp_path):
    """A registered set whose authors are out of reach, and a mirror that has it; gives the cache."""
    file = File(PATH, "http://127.0.0.1:9/gone.csv", SHA256, len(CONTENT))
    toy = DataSet("toy", "Toy", "1", (file,), "CC0", "@misc{toy}", "https://example.org", "None.")
    monkeypatch.setitem(SETS, "toy", toy)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.setenv("TILTMETER_MIRROR", f"{hub.endpoint}/mirror/")
    monkeypatch.setattr(fetch.time, "sleep", lambda _: None)
    hub.plain[f"/mirror/{PATH}"] = CONTENT
    return tmp_path / "cache"


def files(folder):
    return [file for file in folder.rglob("*") if file.is_file()]


def test_a_mirror_stands_in_for_the_authors(cache):
    located = locate("toy")
    assert located.file == cache / "data" / PATH
    assert located.file.read_bytes() == CONTENT
    assert located.sha256 == SHA256


def test_without_one_the_authors_are_asked(monkeypatch):
    monkeypatch.delenv("TILTMETER_MIRROR")
    with pytest.raises(Unavailable, match=r"http://127\.0\.0\.1:9/gone\.csv: cannot be downloaded"):
        locate("toy")


def test_the_password_of_a_mirror_is_not_shown(monkeypatch):
    monkeypatch.setenv("TILTMETER_MIRROR", "http://me:secret@127.0.0.1:9")
    with pytest.raises(Unavailable, match=r"^http://127\.0\.0\.1:9/toys") as caught:
        locate("toy")
    assert "secret" not in str(caught.value)


def test_a_changed_file_is_refused_and_not_kept(hub, cache):
    changed = CONTENT.replace(b"He", b"It", 1)
    hub.plain[f"/mirror/{PATH}"] = changed
    found = hashlib.sha256(changed).hexdigest()
    with pytest.raises(
        Unavailable, match=f"/mirror/toys.*expected SHA-256 {SHA256}, found SHA-256 {found}"
    ):
        locate("toy")
    assert not files(cache)


def test_a_connection_that_ends_too_early_goes_on_where_it_stopped(hub):
    hub.trouble("GET /mirror", times=1, cut=2_000_000)
    assert locate("toy").sha256 == SHA256
    first, second = [asked.range for asked in hub.asked]
    assert (first, second[:6]) == ("", "bytes=")
    assert int(second[6:-1]) > 0


def test_what_was_cut_for_good_goes_on_with_the_next_command(hub, cache):
    hub.trouble("GET /mirror", cut=1_500_000, times=1)
    hub.trouble("GET /mirror", status=503)
    with pytest.raises(
        Unavailable, match=r"503 Service Unavailable.*tiltmeter data import toy PATH"
    ):
        locate("toy")
    (part,) = files(cache)
    kept = part.stat().st_size
    assert 0 < kept <= 1_500_000
    hub.calm()
    assert locate("toy").sha256 == SHA256
    assert [asked.range for asked in hub.asked] == [f"bytes={kept}-"]
    assert [file.name for file in files(cache)] == ["of mine.csv"]
