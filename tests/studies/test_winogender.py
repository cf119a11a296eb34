"""Tables of the authors' shape: made-up ones, and the published ones where they are."""

from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.studies import winogender

PUBLISHED = published.needs("winogender")


def counts(data, axis):
    return dict(Counter(pair.groups[axis] for pair in data.items if axis in pair.groups))


STATISTICS = "occupation\tbls_pct_female\nnurse\t89.5\npilot\t7.2\nclerk\t50\n"


def gender_files(folder, sentences, statistics=STATISTICS):
    (folder / winogender.SENTENCES).write_text("sentid\tsentence\n" + sentences)
    (folder / winogender.STATISTICS).write_text(statistics)
    return folder


def both(occupation, answer, text):
    words = {"male": "he", "female": "she", "neutral": "they"}
    return "".join(
        f"{occupation}.guest.{answer}.{gender}.txt\t{text.format(word)}\n"
        for gender, word in words.items()
    )


def test_made_up(tmp_path):
    data = winogender.load(
        gender_files(
            tmp_path, both("nurse", 0, "A nurse said {} left.") + both("pilot", 1, "Then {} came.")
        )
    )
    nurse, pilot = data.items
    assert (nurse.more, nurse.less) == ("A nurse said she left.", "A nurse said he left.")
    assert (pilot.more, pilot.less) == ("Then he came.", "Then she came.")
    assert (nurse.groups["answer"], pilot.groups["answer"]) == ("occupation", "participant")
    assert (nurse.groups["gender"], pilot.groups["gender"]) == ("female", "male")
    assert (nurse.id, nurse.cluster) == ("nurse.guest.0", "nurse.0")


def test_exactly_half_is_listed(tmp_path):
    text = both("nurse", 0, "A nurse said {} left.") + both("clerk", 0, "A clerk said {} left.")
    data = winogender.load(gender_files(tmp_path, text))
    assert [pair.id for pair in data.items] == ["nurse.guest.0"]
    (problem,) = data.invalid
    assert (problem.item, problem.line) == ("clerk.guest.0", 5)
    assert "exactly 50 % are women" in problem.reason


@pytest.mark.parametrize(
    ("sentences", "error", "says"),
    [
        ("nurse.guest.0.male\tHe left.\n", BadInput, "sentid 'nurse.guest.0.male' is not"),
        ("king.guest.0.male.txt\tHe left.\n", BadInput, "'king' is not in occupations-stats.tsv"),
        ("nurse.guest.0.male.txt\tHe left.\n", BadItems, ":2: the female sentence is missing"),
        (both("nurse", 0, "Nobody left."), BadItems, ":2: the male and the female .* identical"),
        (both("nurse", 0, "").replace("\t", "\t "), BadItems, ":2: sentence is empty"),
    ],
)
def test_bad_tables(sentences, error, says, tmp_path):
    if "empty" in says:
        sentences = sentences.replace("female.txt\t ", "female.txt\tShe left.")
    with pytest.raises(error, match=says):
        winogender.load(gender_files(tmp_path, sentences))


@pytest.mark.parametrize("share", ["many", "nan", "101", "-1", "8_9"])
def test_bad_share(tmp_path, share):
    stats = f"occupation\tbls_pct_female\nnurse\t{share}\n"
    folder = gender_files(tmp_path, both("nurse", 0, "So {} left."), stats)
    with pytest.raises(BadInput, match=f"stats.tsv:2: bls_pct_female '{share}' is not a number"):
        winogender.load(folder)


@PUBLISHED
def test_the_published_tables():
    data = winogender.load()
    assert len(data.items) == 240
    assert not data.invalid
    assert len(counts(data, "occupation")) == 60
    assert counts(data, "answer") == {"participant": 120, "occupation": 120}
    assert Counter(Counter(p.cluster for p in data.items).values()) == {2: 120}
    by_gender = Counter({p.groups["occupation"]: p.groups["gender"] for p in data.items}.values())
    assert by_gender == {"female": 31, "male": 29}
    (nurse, *_) = [p for p in data.items if p.id == "nurse.patient.0"]
    assert " her " in f" {nurse.more} "
