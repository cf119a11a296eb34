"""Each study of pairs reads its own files: made-up ones here, the published ones where they are."""

import json
from collections import Counter
from pathlib import Path

import pytest

import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.finder import find
from tiltmeter.studies import (
    crows_pairs,
    pairs,
    starter_pairs,
    stereoset_pairs,
    winobias,
    winogender,
)

REAL = published.FOLDER or Path()
NAMES = ("crows_pairs", "winobias", "winogender", "stereoset_pairs", "starter_pairs", "pairs")


@pytest.fixture
def real():
    """The published files, where somebody put them."""
    published.need("crows_pairs")


def counts(data, axis):
    return dict(Counter(pair.groups[axis] for pair in data.items if axis in pair.groups))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_the_users_fits_every_study(name, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("sent_more,sent_less\nShe sang.,He sang.\n")
    for source in (path, str(path)):
        data = find("studies", name, "STUDY").load(source)
        assert [(p.more, p.less) for p in data.items] == [("She sang.", "He sang.")]
        assert data.name == "mine.csv"
    path.write_text("sent_more,sent_less\nShe sang.,\nA b.,C d.\n")
    with pytest.raises(BadItems, match=r"mine.csv:2: sent_less is empty"):
        find("studies", name, "STUDY").load(path)
    assert len(find("studies", name, "STUDY").load(path, skip_invalid=True).items) == 1


@pytest.mark.parametrize("name", NAMES)
def test_samples_have_the_shape_of_the_study(name):
    study = find("studies", name, "STUDY")
    data = study.sample()
    assert len(data.items) == 12
    assert len({pair.id for pair in data.items}) == 12
    assert all(pair.more != pair.less for pair in data.items)
    assert counts(data, "check").keys() <= {"passed", "flagged"}
    assert len({pair.cluster for pair in data.items}) > 1 or not data.clusters


def test_own_pairs_need_a_file():
    with pytest.raises(BadInput, match="name your file with --data PATH"):
        pairs.load()


def test_starter_pairs_come_with_the_package():
    data = starter_pairs.load()
    assert len(data.items) >= 200
    assert len(counts(data, "bias_type")) == 9
    assert set(counts(data, "direction")) == {"stereo", "antistereo"}
    assert data.clusters == "template"
    assert all(pair.cluster for pair in data.items)
    assert not data.invalid
    assert [p.id for p in starter_pairs.load("starter_pairs").items] == [p.id for p in data.items]


# ── CrowS-Pairs ──────────────────────────────────────────────────────────────────────────────────

CATEGORIES = {
    "race-color": 516,
    "gender": 262,
    "socioeconomic": 172,
    "nationality": 159,
    "religion": 105,
    "age": 87,
    "sexual-orientation": 84,
    "physical-appearance": 63,
    "disability": 60,
}
ANTISTEREO = {
    "race-color": 43,
    "gender": 103,
    "socioeconomic": 15,
    "nationality": 11,
    "religion": 6,
    "age": 14,
    "sexual-orientation": 12,
    "physical-appearance": 11,
    "disability": 3,
}


@pytest.mark.usefixtures("real")
def test_crows_pairs():
    data = crows_pairs.load()
    assert len(data.items) == 1508
    assert counts(data, "direction") == {"stereo": 1290, "antistereo": 218}
    assert counts(data, "bias_type") == CATEGORIES
    anti = [p.groups["bias_type"] for p in data.items if p.groups["direction"] == "antistereo"]
    assert dict(Counter(anti)) == ANTISTEREO
    assert len({pair.cluster for pair in data.items}) == 77
    assert data.clusters == "writer"
    assert data.sha256 == "dfb36986ce0502abbaf7055b9176da3d08d48e07df1251991b5dfbcbceab9d0c"
    assert any("1 pair is listed more than once" in note.text for note in data.notes)
    assert not data.invalid
    assert [pair.id for pair in data.items] == [str(i) for i in range(1508)]


@pytest.mark.usefixtures("real")
def test_lines_are_physical_lines():
    """Sentence 1293 holds a line break, so that all later pairs stand one line further down."""
    data = crows_pairs.load()
    text = (REAL / "crows_pairs" / "crows_pairs_anonymized.csv").read_text(encoding="utf-8")
    lines = text.split("\n")
    for pair in data.items:
        at = int(pair.where.rpartition(":")[2]) - 1
        assert lines[at].startswith(f"{pair.id},")


@pytest.mark.parametrize(
    ("name", "items", "directions", "some"),
    [
        ("crows_pairs_revised_en", 1677, (1466, 211), {"race-color": 508, "gender": 320, "autre": 11}),
        ("crows_pairs_fr", 1673, (1462, 211), {"gender": 321, "disability": 66, "autre": 13}),
        ("crows_pairs_nl", 1463, (1249, 214), {"race-color": 475, "age": 82}),
        ("crows_pairs_ja", 262, (159, 103), {"gender": 262}),
        ("crows_pairs_ru", 262, (159, 103), {"gender": 262}),
        ("crows_pairs_it", 250, (148, 102), {"gender": 250}),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("real")
def test_other_languages(name, items, directions, some):
    data = crows_pairs.load(name)
    assert data.name == name
    assert len(data.items) == items
    assert counts(data, "direction") == dict(zip(("stereo", "antistereo"), directions, strict=True))
    found = counts(data, "bias_type")
    assert {label: found[label] for label in some} == some
    assert len({pair.id for pair in data.items}) == items


@pytest.mark.usefixtures("real")
def test_the_french_sentence_among_the_english_is_kept_and_said():
    data = crows_pairs.load("crows_pairs_revised_en")
    (pair,) = [pair for pair in data.items if pair.id == "1310"]
    assert pair.less.startswith("Quelques élèves")
    assert any("pair 1310 is in French" in note.text for note in data.notes)
    assert any("separated by tabs, not commas" in note.text for note in data.notes)


@pytest.mark.usefixtures("real")
def test_french_rows_without_a_score_do_not_stop_the_run():
    data = crows_pairs.load("crows_pairs_fr")
    reasons = {problem.item: problem.reason for problem in data.invalid}
    assert reasons.keys() == {"59", "129", "379", "388"}
    assert reasons["129"] == "sent_less is empty"
    assert all("identical" in reasons[item] for item in ("59", "379", "388"))
    assert any(note.text.startswith("4 rows left out") for note in data.notes)


@pytest.mark.usefixtures("real")
def test_the_same_french_file_as_a_file_of_the_users_does_stop():
    path = next((REAL / "french_crows_pairs").glob("*_FR_*"))
    with pytest.raises(BadItems, match=r":60: sent_more and sent_less are identical"):
        crows_pairs.load(path)
    assert len(crows_pairs.load(path, skip_invalid=True).items) == 1673


@pytest.mark.usefixtures("real")
def test_dutch_letters():
    data = crows_pairs.load("crows_pairs_nl")
    assert any("ë" in pair.more for pair in data.items)
    with pytest.raises(BadInput, match="--encoding mac_roman"):
        crows_pairs.load(REAL / "multilingual_crows_pairs" / "crows_dutch.csv")


@pytest.mark.usefixtures("real")
def test_japanese_and_english_agree_on_which_sentence_stereotypes():
    english = [p for p in crows_pairs.load().items if p.groups["bias_type"] == "gender"]
    japanese = crows_pairs.load("crows_pairs_ja").items
    assert len(english) == len(japanese)
    assert [p.groups["direction"] for p in english] == [p.groups["direction"] for p in japanese]
    assert ("he would" in english[0].more, "彼が" in japanese[0].more) == (True, True)


# ── WinoBias ─────────────────────────────────────────────────────────────────────────────────────


def wino(folder, pro, anti, name="type1.txt.dev"):
    (folder / f"pro_stereotyped_{name}").write_text(pro)
    (folder / f"anti_stereotyped_{name}").write_text(anti)
    return folder


def test_winobias_made_up(tmp_path):
    data = winobias.load(
        wino(
            tmp_path,
            "1 [The cook] fed the nurse because [she] was kind.\n2 The cook fed [a nurse].\n",
            "1 [The cook] fed the nurse because [he] was kind.\n2 The cook fed [the nurse] twice.\n",
            "type2.txt.test",
        )
    )
    first, second = data.items
    assert (first.id, first.cluster, second.cluster) == ("type2.test.1",) + ("type2.test.1",) * 2
    assert first.more == "The cook fed the nurse because she was kind."
    assert first.less == "The cook fed the nurse because he was kind."
    assert {**first.groups, "check": ""} == {
        "bias_type": "gender",
        "type": "syntax",
        "split": "test",
        "occupation": "cook",
        "gender": "female",
        "check": "",
    }
    assert second.groups["occupation"] == "nurse"
    assert "gender" not in second.groups
    assert "Type 2 test: 1 of 2 pairs do not differ in exactly one word (numbers 2); they are kept." in [
        note.text for note in data.notes
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pro", "anti", "says"),
    [
        ("1 [A b] saw [him].\n", "2 [A b] saw [her].\n", "not numbered as those of pro_"),
        ("1 [A b] saw [him].\n", "", "the file is empty"),
        ("A b saw him.\n", "1 A b saw her.\n", r"dev:1: is not a number and a sentence"),
        ("1 [The cook] saw [him].\n", "1 A [guard] left.\n", r"dev:1: is not the same sentence"),
    ],
)
def test_winobias_files_that_do_not_fit(pro, anti, says, tmp_path):
    with pytest.raises(BadInput, match=says):
        winobias.load(wino(tmp_path, pro, anti))


def test_winobias_lines_that_cannot_be_scored(tmp_path):
    good, same = "1 [The cook] saw [{}].\n", "2 [The cook] saw [him].\n"
    folder = wino(tmp_path, good.format("him") + same, good.format("her") + same)
    with pytest.raises(BadItems, match=r"dev:2: the pro and the anti sentence are identical"):
        winobias.load(folder)
    data = winobias.load(folder, skip_invalid=True)
    assert [pair.id for pair in data.items] == ["type1.dev.1"]
    assert [problem.item for problem in data.invalid] == ["type1.dev.2"]


def test_winobias_half_of_a_set(tmp_path):
    wino(tmp_path, "1 a [him] b\n", "1 a [her] b\n")
    (tmp_path / "anti_stereotyped_type1.txt.dev").unlink()
    with pytest.raises(BadInput, match=r"anti_stereotyped_type1\.txt\.dev is missing"):
        winobias.load(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="the folder has no data files"):
        winobias.load(empty)


@pytest.mark.usefixtures("real")
def test_winobias():
    data = winobias.load()
    kinds = Counter((p.groups["type"], p.groups["split"]) for p in data.items)
    assert set(kinds.values()) == {396}
    assert len(kinds) == 4
    uneven = Counter(
        (p.groups["type"], p.groups["split"]) for p in data.items if winobias.differing(p) != 1
    )
    assert uneven == {
        ("knowledge", "dev"): 11,
        ("knowledge", "test"): 27,
        ("syntax", "dev"): 14,
        ("syntax", "test"): 10,
    }
    assert Counter(Counter(p.cluster for p in data.items).values()) == {2: 792}
    assert not any(c in p.more + p.less for p in data.items for c in "[]")
    assert sum("do not differ in exactly one word" in note.text for note in data.notes) == 4


# ── Winogender ───────────────────────────────────────────────────────────────────────────────────

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


def test_winogender_made_up(tmp_path):
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


def test_winogender_exactly_half_is_listed(tmp_path):
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
def test_winogender_bad_tables(sentences, error, says, tmp_path):
    if "empty" in says:
        sentences = sentences.replace("female.txt\t ", "female.txt\tShe left.")
    with pytest.raises(error, match=says):
        winogender.load(gender_files(tmp_path, sentences))


@pytest.mark.parametrize("share", ["many", "nan", "101", "-1", "8_9"])
def test_winogender_bad_share(tmp_path, share):
    stats = f"occupation\tbls_pct_female\nnurse\t{share}\n"
    folder = gender_files(tmp_path, both("nurse", 0, "So {} left."), stats)
    with pytest.raises(BadInput, match=f"stats.tsv:2: bls_pct_female '{share}' is not a number"):
        winogender.load(folder)


@pytest.mark.usefixtures("real")
def test_winogender():
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


# ── StereoSet ────────────────────────────────────────────────────────────────────────────────────


def cluster(name, **sentences):
    labels = {"stereo": "stereotype", "anti": "anti-stereotype", "other": "unrelated"}
    return {
        "id": name,
        "target": "nurse",
        "bias_type": "profession",
        "context": "The nurse is BLANK.",
        "sentences": [
            {"sentence": text, "gold_label": labels[key], "labels": []}
            for key, text in sentences.items()
        ],
    }


def stereo_file(folder, *clusters):
    path = folder / "dev.json"
    path.write_text(json.dumps({"data": {"intrasentence": clusters, "intersentence": []}}))
    return path


def test_stereoset_made_up(tmp_path):
    found = cluster(
        "x", other="The nurse is tea.", anti="The nurse is rude.", stereo="She is kind."
    )
    (pair,) = stereoset_pairs.load(stereo_file(tmp_path, found)).items
    assert (pair.id, pair.more, pair.less) == ("x", "She is kind.", "The nurse is rude.")
    assert {**pair.groups, "check": ""} == {
        "bias_type": "profession",
        "target": "nurse",
        "check": "",
    }
    assert pair.cluster == "nurse"


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (cluster("x", stereo="A b."), "intrasentence 2: the anti-stereotype sentence is missing"),
        (cluster("x", anti="A b."), "the stereotype sentence is missing"),
        (cluster("x", stereo="A b.", anti=""), "the anti-stereotype sentence is empty"),
        (cluster("x", stereo="A b.", anti="A  b."), "are identical"),
        ({"id": "x", "sentences": []}, "is not a cluster"),
        ("x", "is not a cluster"),
    ],
)
def test_stereoset_bad_clusters(found, says, tmp_path):
    good = cluster("good", stereo="She is kind.", anti="She is rude.")
    path = stereo_file(tmp_path, good, found)
    with pytest.raises(BadItems, match=says):
        stereoset_pairs.load(path)
    data = stereoset_pairs.load(path, skip_invalid=True)
    assert [pair.id for pair in data.items] == ["good"]
    assert len(data.invalid) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"data": {"intrasentence": [', "broken JSON"),
        ('{"data": []}', "has no list `intrasentence`"),
        ('{"data": {"intersentence": []}}', "no list at data.intrasentence"),
    ],
)
def test_stereoset_files_of_another_shape(text, says, tmp_path):
    path = tmp_path / "dev.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=says):
        stereoset_pairs.load(path)


@pytest.mark.usefixtures("real")
def test_stereoset():
    data = stereoset_pairs.load()
    assert len(data.items) == 2106
    assert counts(data, "bias_type") == {
        "gender": 255,
        "profession": 810,
        "race": 962,
        "religion": 79,
    }
    assert len(counts(data, "target")) == 79
    assert data.clusters == "target term"
    assert data.name in {"stereoset", "stereoset_rebuilt"}
