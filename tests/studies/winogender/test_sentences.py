"""Tables of the authors' shape: made-up ones, and the published ones where they are."""

from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.studies.winogender import sentences as winogender

PUBLISHED = published.needs("winogender")
REBUILT = published.needs("winogender_constructions")


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


CLAUSE = "The pilot, who was tired, said {} left."


def rebuilt(folder):
    """Tables of an original and two constructions, beside tables of other kinds."""
    plain = both("nurse", 0, "A nurse said {} left.") + both("pilot", 1, "The pilot said {} left.")
    gender_files(folder, plain)
    for name, text in {"clause": CLAUSE, "synonyms": "A pilot said {} went."}.items():
        table = both("nurse", 0, "A nurse said {} went.") + both("pilot", 1, text)
        (folder / f"{name}.tsv").write_text("sentid\tsentence\n" + table)
    (folder / "adjectives.tsv").write_text(
        "sentid\tsentence\nkind.nurse.guest.0.male.txt\tHe left.\n"
    )
    (folder / "templates.tsv").write_text("occupation\tsentence\n")
    return folder


def loaded(path, construction=""):
    return winogender.load(path, settings={"construction": construction})


def test_the_original_is_read_where_no_construction_is_named(tmp_path):
    data = loaded(rebuilt(tmp_path))
    assert [pair.more for pair in data.items] == [
        "A nurse said she left.",
        "The pilot said he left.",
    ]
    assert all("construction" not in pair.groups for pair in data.items)


def test_one_construction_has_the_ids_of_the_original(tmp_path):
    folder = rebuilt(tmp_path)
    data = loaded(folder, "clause")
    assert [pair.id for pair in data.items] == [pair.id for pair in loaded(folder).items]
    assert data.items[1].less == "The pilot, who was tired, said she left."
    assert data.about["constructions"] == "clause"


def test_all_constructions_have_the_same_pairs_in_the_same_clusters(tmp_path):
    data = loaded(rebuilt(tmp_path), "all")
    assert [pair.id for pair in data.items] == [
        "nurse.guest.0", "pilot.guest.1", "nurse.guest.0@clause", "pilot.guest.1@clause",
        "nurse.guest.0@synonyms", "pilot.guest.1@synonyms",
    ]  # fmt: skip
    assert counts(data, "construction") == {"original": 2, "clause": 2, "synonyms": 2}
    assert {pair.cluster for pair in data.items} == {"nurse.0", "pilot.1"}
    assert [p.id for p in loaded(tmp_path, "clause, original").items] == [
        "nurse.guest.0", "pilot.guest.1", "nurse.guest.0@clause", "pilot.guest.1@clause",
    ]  # fmt: skip


def test_a_single_table_is_read_with_the_shares_beside_it(tmp_path):
    table = rebuilt(tmp_path) / "clause.tsv"
    assert winogender.reads(table, "")
    assert loaded(table).items[1].more == "The pilot, who was tired, said he left."


def test_a_construction_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UnknownName, match=r"'clauses'.*clause"):
        loaded(rebuilt(tmp_path), "clauses")


def test_a_construction_says_nothing_about_a_file_of_pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sent_more,sent_less\nHe left.,She left.\n")
    with pytest.raises(BadInput, match="the file has pairs"):
        loaded(path, "clause")


def test_a_folder_without_sentences(tmp_path):
    (tmp_path / winogender.STATISTICS).write_text(STATISTICS)
    with pytest.raises(BadInput, match="no table with the columns sentid and sentence"):
        loaded(tmp_path, "all")


@PUBLISHED
@REBUILT
def test_the_rebuilt_tables():
    data = loaded(published.need("winogender_constructions"), "all")
    assert set(counts(data, "construction").values()) == {240}
    assert len(counts(data, "construction")) == 10
    (one,) = [pair for pair in data.items if pair.id == "technician.customer.1@synonymized"]
    assert one.more.endswith("could pay with card.")
