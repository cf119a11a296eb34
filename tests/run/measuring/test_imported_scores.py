"""Scores made elsewhere, in every layout, as a user would hand them in."""

import json

import pytest

from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]

PAIRS = "id,sent_more,sent_less,stereo_antistereo,bias_type\n" + "".join(
    f"p{i},the old man {i} sang,the young man {i} sang,{way},{kind}\n"
    for i, (way, kind) in enumerate(
        [("stereo", "age"), ("stereo", "age"), ("antistereo", "gender"), ("stereo", "gender")]
    )
)
SCORES = [(-10.0, -12.0), (-10.0, -10.0), (-9.0, -8.0), (-7.0, -7.0004)]
# more wins, tie, less wins, more wins by less than .0005


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def layouts(folder):
    rows = [line.split(",") for line in PAIRS.splitlines()[1:]]
    whole = "id,sent_more,sent_less,stereo_antistereo,bias_type,sent_more_score,sent_less_score\n"
    whole += "".join(f"{','.join(r)},{m},{n}\n" for r, (m, n) in zip(rows, SCORES, strict=True))
    by_id = "id,score_more,score_less\n"
    by_id += "".join(f"{r[0]},{m},{n}\n" for r, (m, n) in zip(rows, SCORES, strict=True))
    sides = "".join(
        json.dumps({"id": r[0], "side": side, "score": score}) + "\n"
        for r, both in zip(rows, SCORES, strict=True)
        for side, score in zip(("more", "less"), both, strict=True)
    )
    texts = "sentence\tscore\n" + "".join(
        f"{text}\t{score}\n"
        for r, both in zip(rows, SCORES, strict=True)
        for text, score in zip(r[1:3], both, strict=True)
    )
    for name, content in (
        ("whole.csv", whole),
        ("by_id.csv", by_id),
        ("sides.jsonl", sides),
        ("texts.tsv", texts),
    ):
        (folder / name).write_text(content)


@pytest.mark.parametrize("name", ["whole.csv", "by_id.csv", "sides.jsonl", "texts.tsv"])
def test_every_layout_gives_the_same_numbers(tilt, tmp_path, pairs, name):
    layouts(tmp_path)
    code, out, err = tilt("import", "--study", "crows_pairs", name, "--data", pairs, "--json")
    assert code == 0, err
    told = json.loads(out)
    values = {(e["name"], *e["groups"].values()): e["value"] for e in told["estimates"]}
    assert values["stereotype_rate",] == 62.5  # 2 wins and half a tie of 4
    assert values["stereotype_rate", "age"] == 75
    assert values["stereotype_rate", "antistereo"] == 0
    assert told["card"]["rule"] == "stored"
    assert told["card"]["model"]["name"] == name.partition(".")[0]


@pytest.mark.parametrize(
    ("options", "overall", "stereo"),
    [
        (("--ties", "half"), 62.5, 250 / 3),
        (("--ties", "loss"), 50, 200 / 3),
        (("--ties", "neutral"), 50, 100),  # the tie leaves the subset, not the whole
        # rounding to 3 decimals makes the last pair a tie as well
        (("--convention", "nangia2020", "--rule", "pll_shared"), 25, 100),
    ],
)
def test_the_same_options_as_run(tilt, tmp_path, options, overall, stereo):
    layouts(tmp_path)
    code, out, err = tilt("import", "--study", "crows_pairs", "whole.csv", *options, "--json")
    assert code == 0, err
    told = json.loads(out)
    values = {(e["name"], *e["groups"].values()): e["value"] for e in told["estimates"]}
    assert values["stereotype_rate",] == pytest.approx(overall)
    assert values["stereotype_rate", "stereo"] == pytest.approx(stereo)


def test_two_files_are_compared(tilt, tmp_path, pairs):
    layouts(tmp_path)
    (tmp_path / "other.csv").write_text("id,more,less\np0,1,2\np1,1,2\np2,2,1\np3,2,1\n")
    code, out, err = tilt(
        "import", "--study", "crows_pairs", "by_id.csv", "other.csv", "--data", pairs,
        "--name", "A", "--name", "B", "--json",
    )  # fmt: skip
    assert code == 0, err
    told = json.loads(out)
    difference = next(e for e in told["estimates"] if e["name"] == "stereotype_rate_difference")
    assert difference["model"] == "A − B"
    assert difference["value"] == 62.5 - 50
    code, _, err = tilt(
        "import",
        "--study",
        "crows_pairs",
        "by_id.csv",
        "--data",
        pairs,
        "--name",
        "A",
        "--name",
        "B",
    )
    assert code == 2
    assert "files: 1, names: 2; give one --name a file" in err


def test_bad_scores_are_all_named(tilt, tmp_path, pairs):
    path = tmp_path / "bad.csv"
    path.write_text("id,more,less\np0,nan,1\np1,,1\np2,x,1\nnobody,1,2\n")
    code, out, err = tilt("import", "--study", "crows_pairs", path, "--data", pairs)
    assert code == 2
    assert out == ""
    for line in (2, 3, 4, 5):
        assert f"bad.csv:{line}" in err
    assert "Traceback" not in err


def test_settings_are_refused_where_nothing_reads_them(tilt, tmp_path, pairs):
    layouts(tmp_path)
    code, _, err = tilt("import", "--study", "crows_pairs", "whole.csv", "--set", "spaces=kept")
    assert code == 2
    assert "whole.csv: --set is about the study's own pairs" in err
    by_id = (
        "import",
        "--study",
        "crows_pairs",
        "by_id.csv",
        "--data",
        pairs,
        "--set",
        "spaces=kept",
    )
    assert tilt(*by_id)[0] == 0


def test_a_convention_needs_the_rule_of_the_scores(tilt, tmp_path, pairs):
    layouts(tmp_path)
    code, _, err = tilt(
        "import", "--study", "crows_pairs", "whole.csv", "--convention", "nangia2020"
    )
    assert code == 2
    assert "--rule" in err
    assert pairs.exists()


def told_whole(tilt, *options):
    return tilt("import", "--study", "crows_pairs", "whole.csv", *options)


def test_losses_are_refused_under_a_rule_whose_scores_are_logarithms(tilt, tmp_path):
    layouts(tmp_path)
    lost = (tmp_path / "whole.csv").read_text().replace(",-", ",")
    (tmp_path / "whole.csv").write_text(lost)
    code, out, err = told_whole(tilt, "--rule", "log_likelihood")
    assert (code, out) == (2, "")
    assert "whole.csv: 8 of 8 scores are above 0, which log_likelihood never gives" in err
    assert "--lower-is-better" in err
    code, out, err = told_whole(tilt, "--rule", "log_likelihood", "--lower-is-better", "--json")
    assert code == 0, err
    told = json.loads(out)
    values = {(e["name"], *e["groups"].values()): e["value"] for e in told["estimates"]}
    assert values["stereotype_rate",] == 62.5  # as the log-likelihoods give it
    assert values["stereotype_rate", "age"] == 75
    code, out, _ = told_whole(tilt, "--json")  # without a rule nothing is known of the scores
    turned = {(e["name"], *e["groups"].values()): e["value"] for e in json.loads(out)["estimates"]}
    assert code == 0 and turned["stereotype_rate",] == 37.5
    code, out, _ = told_whole(tilt)
    assert "All scores are above 0" in " ".join(out.split())
    assert "--lower-is-better" in out


def test_lower_is_better_of_log_probabilities_is_refused(tilt, tmp_path):
    layouts(tmp_path)
    code, _, err = told_whole(tilt, "--rule", "log_likelihood", "--lower-is-better")
    assert code == 2
    assert "leave out --lower-is-better" in err


def test_what_looks_exchanged_is_said_in_the_terminal(tilt, tmp_path, pairs):
    layouts(tmp_path)
    text = (tmp_path / "whole.csv").read_text().splitlines()
    rows = [f"{line},{won}" for line, won in zip(text, ["score", "0", "0", "1", "0"], strict=True)]
    (tmp_path / "whole.csv").write_text("\n".join(rows) + "\n")
    code, out, _ = told_whole(tilt)
    assert code == 0
    assert "In 3 rows the column `score` says the other sentence won" in " ".join(out.split())
    head, *rest = text
    swapped = [head.replace("sent_more,sent_less", "sent_less,sent_more"), *rest]
    (tmp_path / "whole.csv").write_text("\n".join(swapped) + "\n")
    code, out, _ = told_whole(tilt, "--data", pairs)
    assert code == 0
    said = " ".join(out.split())
    assert "4 of 4 pairs are in pairs.csv with sent_more and sent_less exchanged" in said


def test_pairs_that_lose_their_writers_are_told_where_those_are(tilt, tmp_path, pairs):
    layouts(tmp_path)
    _, out, _ = told_whole(tilt)
    said = " ".join(out.split())
    assert "all count as independent" in said
    assert "--data crows_pairs adds" in said
    _, out, _ = told_whole(tilt, "--data", pairs)
    assert "all count as independent" not in " ".join(out.split())


def test_a_duplicate_pair_is_said_once(tilt, tmp_path, pairs):
    text = pairs.read_text()
    pairs.write_text(text + text.splitlines()[-1].replace("p3", "p4") + "\n")
    (tmp_path / "ids.csv").write_text(
        "id,score_more,score_less\n" + "".join(f"p{i},-1,-{i + 2}\n" for i in range(5))
    )
    code, out, err = tilt("import", "--study", "crows_pairs", "ids.csv", "--data", pairs, "--json")
    assert code == 0, err
    notes = [note["text"] for note in json.loads(out)["card"]["notes"]]
    assert sum("listed more than once" in note for note in notes) == 1


def test_the_picture_of_confidences_counts_the_ties_of_a_convention_that_rounds(tilt, tmp_path):
    layouts(tmp_path)
    rounded = ("--convention", "nangia2020", "--rule", "pll_shared")
    code, out, _ = told_whole(tilt, *rounded, "--json")
    told = json.loads(out)
    counts = {e["name"]: e["n"] for e in told["estimates"] if not e["groups"]}
    assert (told["card"]["counts"]["tied"], code) == (2, 0)
    assert counts["median_confidence_more"] == 1  # the pair that wins by less than .0005 is a tie
    assert counts["median_confidence_less"] == 1
    assert (counts["confidence_gap"], counts["stereotype_rate"]) == (2, 4)
    (page,) = (tmp_path / "runs").glob("*/report.html")
    drawn = page.read_text()
    assert "1 pair, median 16.7" in drawn and "1 pair, median 11.1" in drawn
    assert "2 tied" in drawn


def test_whole_clusters_are_flipped_only_where_the_data_have_some(tilt, tmp_path, pairs):
    layouts(tmp_path)
    head, *rows = pairs.read_text().splitlines()
    for writers, drawn in ((None, "pairs"), ("aabb", "whole clusters")):
        if writers:
            rows = [f"{row},{w}" for row, w in zip(rows, writers, strict=True)]
            pairs.write_text("\n".join([f"{head},cluster", *rows]) + "\n")
        code, out, err = tilt(
            "import", "--study", "crows_pairs", "by_id.csv", "--data", pairs, "--json"
        )
        assert code == 0, err
        found = {e["name"]: e for e in json.loads(out)["estimates"] if not e["groups"]}
        assert found["stereotype_rate_macro"]["test"] == f"sign-flip test of {drawn} against 50"
