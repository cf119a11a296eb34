"""view as a user types it: beside the folder, for others, and served."""

import re
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


def test_what_cannot_be_shown_is_refused(tilt, tmp_path):
    (tmp_path / "runs").mkdir()
    assert "it has no finished runs" in tilt("view")[2]
    assert "no such folder" in tilt("view", "nowhere")[2]
    assert "leave one of them out" in tilt("view", "--serve", "--publish", "site")[2]


@pytest.mark.usefixtures("runs")
def test_a_server_makes_what_is_asked_for_and_answers_to_its_own_name_only(start):
    process = start("view", "--serve", "--port", "0")
    try:
        address = re.match(r"http://127.0.0.1:\d+/", process.stderr.readline())[0]

        def get(path, **headers):
            with urllib.request.urlopen(
                urllib.request.Request(address + path, headers=headers)
            ) as got:
                return got.read().decode()

        assert "Tiltmeter view" in get("")
        assert get("data/items-fake.js").startswith('tiltmeter.take("items-fake",')
        (digest,) = re.findall(r'\\"texts\\":\[\\"(\w+)', get("data/items-rand.js"))
        assert "more" in get(f"data/texts-{digest}.js")
        for path, headers in (("data/items-other.js", {}), ("../runs/fake/card.json", {}),
                              ("", {"Host": "hostile.test"})):  # fmt: skip
            with pytest.raises(urllib.error.HTTPError, match=r"40[34]"):
                get(path, **headers)
    finally:
        process.kill()
        process.communicate()
