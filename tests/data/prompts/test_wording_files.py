"""Tests of files of wordings."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.prompts.wording_files import packaged_wordings, read_wordings

FILE = """\
[en]
standard = "Is {text} rude?"
brief = "{text}: rude?"
[de]
standard = "Ist {text} unhöflich?"
brief = "{text}: unhöflich?"
"""


@pytest.fixture
def known(tmp_path):
    path = tmp_path / "wordings.toml"
    path.write_text(FILE, "utf-8")
    return packaged_wordings(path)


def test_the_wordings_of_a_study_are_read_by_kind(known):
    assert known.names == ("standard", "brief")
    assert known.put("de", "brief", {"text": "Hallo"}) == "Hallo: unhöflich?"


def test_those_of_a_user_are_read_by_name_and_checked(known, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[wordings]\n"a b" = "{text}?"', "utf-8")
    assert read_wordings(path, known) == {"a b": "{text}?"}
    path.write_text('[wordings]\na = "text?"', "utf-8")
    with pytest.raises(BadInput, match=r"mine\.toml: the wording 'a' has no \{text\}"):
        read_wordings(path, known)


@pytest.mark.parametrize(
    "text", ["", "[wordings]", "[wordings]\na = 1", "[other]\na = 'b'", '[wordings]\na = ""']
)
def test_what_has_no_wordings_is_refused(known, tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadItems, match=r"mine\.toml"):
        read_wordings(path, known)
