"""view as a user types it: beside the folder, for others, and served."""

import json
import re
import signal
import urllib.error
import urllib.request

import pytest

import tiltmeter as tm


@pytest.fixture
def runs(tmp_path):
    for model in ("fake:masked", "random"):
        tm.run("starter_pairs", model).save(tmp_path / "runs" / model[:4])


@pytest.mark.usefixtures("runs")
def test_the_page_lies_beside_the_folder_with_texts_and_elsewhere_without(tilt, tmp_path):
    code, out, err = tilt("view")
    assert (code, out, err) == (0, f"{tmp_path}/runs-view/index.html\n", "")
    assert list(tmp_path.glob("runs-view/data/texts-*"))
    assert tilt("view", "--publish", "site")[:2] == (0, "site/index.html\n")
    assert list(tmp_path.glob("site/data/items-*"))
    assert not list(tmp_path.glob("site/data/texts-*"))
    assert tilt("view", "--publish", "site", "--text")[0] == 0
    assert list(tmp_path.glob("site/data/texts-*"))


@pytest.mark.usefixtures("runs")
def test_some_runs_come_onto_one_page(tilt, tmp_path):
    tm.run("starter_pairs", "fake:level").save(tmp_path / "runs" / "left")
    tm.run("starter_pairs", "fake:level", seed=1).save(tmp_path / "other" / "fake")
    chosen = ("runs/fake", "runs/rand", "other/fake")
    code, out, err = tilt("view", *chosen, "--out", "page")
    assert (code, out, err) == (0, "page/index.html\n", "")
    results = {file.name.partition("-")[2] for file in tmp_path.glob("page/data/result-*")}
    assert len(results) == 3 and len([name for name in results if name.startswith("fake")]) == 2
    assert "fake:level" in "".join(f.read_text() for f in tmp_path.glob("page/data/index*"))
    assert tilt("view", "runs/left")[:2] == (0, f"{tmp_path}/runs/left-view/index.html\n")
    assert "leave out" in tilt("view", "--out", "page", "--publish", "site")[2]


def test_what_cannot_be_shown_is_refused(tilt, tmp_path):
    (tmp_path / "runs").mkdir()
    assert "it has no finished runs" in tilt("view")[2]
    assert "no such folder" in tilt("view", "nowhere")[2]
    assert "leave one of them out" in tilt("view", "--serve", "--publish", "site")[2]
    for option in ("--out", "--publish"):
        code, _, said = tilt("view", option, "mine.html")
        assert code == 2 and "mine.html would be a folder, not a page" in said


@pytest.mark.usefixtures("runs")
def test_a_server_gives_its_whole_address_and_ends_quietly(start):
    process = start("view", "--serve", "--port", "0")
    try:
        address = re.match(r"http://127.0.0.1:\d+/[\w-]{22}/", process.stderr.readline())[0]
        with urllib.request.urlopen(address) as got:
            assert "Tiltmeter view" in got.read().decode()
        with urllib.request.urlopen(f"{address}data/items-fake.json") as got:
            assert json.loads(got.read())["ids"]
        for path in (
            "../data/items-fake.json",
            "data/items-other.json",
            "../../runs/fake/card.json",
        ):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(address + path)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        assert "Traceback" not in process.communicate()[1]
