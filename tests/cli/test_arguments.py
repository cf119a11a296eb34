"""Files of the hub wherever a command reads a file of data."""

import json
from pathlib import Path

import pytest

from servers.hub_fixtures import client, hub
from tiltmeter.cli.arguments import data_file
from tiltmeter.studies.sos_static.profanity_lists import profanity

__all__ = ["client", "hub"]
pytestmark = pytest.mark.usefixtures("client", "files")
SCORES = "sent_more,sent_less,sent_more_score,sent_less_score\nHe ran.,She ran.,-3,-4\n"
POINTS = "model,a,b\nx,1,2\ny,2,3\nz,4,1\nw,5,2\n"
FILES = {
    "scores.csv": SCORES,
    "points.csv": POINTS,
    "words.txt": "damn\nhell\n",
    "reference.csv": "word,count\nthe,9\n",
}
NOPE = "hf:org/some/nope.csv"
FIT = ("inlp", "m", "--attribute", "gender")
TAKES = (
    ("mitigate", "fit", *FIT, "--corpus", NOPE),
    ("mitigate", "fit", *FIT, "--corpus", "x", "--words", NOPE),
    ("mitigate", "train", "cda", "m", "--corpus", NOPE),
    ("mitigate", "train", "cda", "m", "--corpus", "x", "--words", NOPE),
    ("train", "next-sentence", "m", "--corpus", NOPE),
    ("analyse", "correlate", "--table", NOPE),
    ("analyse", "intersections", "run", "--findings", NOPE),
    ("analyse", "compare-people", "run", "--people", NOPE),
    ("data", "describe", "stereoset", "--reference", NOPE),
    ("import", "--study", "pairs", NOPE),
)


@pytest.fixture
def files(hub):
    made = hub.repo("datasets", "org/some")
    made.commit({name: text.encode() for name, text in FILES.items()}, "main", "v1")


def test_a_file_of_the_hub_is_fetched():
    assert data_file("hf:org/some/words.txt@v1").read_text() == FILES["words.txt"]
    assert data_file("here.txt") == Path("here.txt")


@pytest.mark.parametrize("words", TAKES, ids=lambda words: " ".join(words[:2]) + words[-2])
def test_a_missing_file_is_told_in_one_line(tilt, words):
    code, _, err = tilt(*words)
    assert (code, "org/some' has no file 'nope.csv'" in err) == (2, True), err


def test_scores_of_the_hub(tilt):
    code, out, err = tilt("import", "--study", "pairs", "hf:org/some/scores.csv@v1", "--json")
    assert code == 0, err
    card = json.loads(out)["card"]
    assert card["counts"]["scored"] == 1
    assert "hf:org/some/scores.csv@v1" in card["command"]


def test_a_table_of_the_hub_is_correlated(tilt):
    code, _, err = tilt("analyse", "correlate", "--table", "hf:org/some/points.csv")
    assert code == 0, err


def test_settings_that_name_files():
    words, about, _ = profanity("hf:org/some/words.txt", None)
    assert words == ("damn", "hell")
    assert about.startswith("words.txt, 2 words")
