"""Lists of profanity: a word a line, or the adjectives of the data."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.groups.offensive import OffensiveFile
from tiltmeter.studies.sos_static.profanity_lists import profanity, read_list

GOOD = """
templates = ["You are a {adjective} {identity}"]
article = "agree"
[identities.trade]
marginalised = ["miner", "artist"]
non-marginalised = ["lawyer"]
[adjectives]
offensive = ["awful", "dull"]
pleasant = ["nice", "able"]
"""


@pytest.fixture
def write(tmp_path):
    def written(text, name="mine.toml"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return written


def test_without_a_list_the_adjectives_serve(write):
    words, about, warning = profanity("", OffensiveFile.read(write(GOOD)))
    assert words == ("awful", "dull")
    assert about == "the 2 offensive adjectives of mine"
    assert warning == ""


def test_a_list_has_a_word_a_line_each_once(write):
    words, about, _ = profanity(
        str(write("dull\n\n  a  bore \nDull\n", "list.txt")), OffensiveFile.named()
    )
    assert words == ("dull", "a bore")
    assert about.startswith("list.txt, 2 words, SHA-256 ")


@pytest.mark.parametrize(
    ("named", "said"),
    [("crows_pairs", "is not a profanity list"), ("nope", "no profanity list and no file named 'nope'"),
     ("nope.txt", "no such file")],
)  # fmt: skip
def test_lists_that_are_none(named, said):
    with pytest.raises(BadInput, match=said):
        profanity(named, OffensiveFile.named())


def test_lists_that_cannot_be_used(write):
    with pytest.raises(BadInput, match="empty"):
        read_list(write("", "list.txt"))
    with pytest.raises(BadInput, match="contains no words"):
        read_list(write("\n \n", "list.txt"))
    with pytest.raises(BadItems, match=r"list\.txt:2: is not a word"):
        read_list(write("dull\nbo\x07re\n", "list.txt"))
