"""import says what it can read where nothing is recognised, and takes inputs of one kind."""

import lzma

from tiltmeter.run.imports.recognising import input_kinds

PAIRS = "id,sent_more,sent_less,sent_more_score,sent_less_score\n" + "".join(
    f"p{n},The old man {n} sang.,The young man {n} sang.,-{n % 3},-1\n" for n in range(12)
)


def test_what_is_not_recognised_says_what_can_be_read(tilt, tmp_path):
    (tmp_path / "ids.csv").write_text("id,score_more,score_less\na,-1,-2\n")
    code, out, err = tilt("import", "ids.csv")
    said = " ".join(err.split())
    assert (code, out) == (2, "")
    assert "ids.csv: it is not recognised (columns: 'id', 'score_more', 'score_less')" in said
    assert (
        "name its study: tiltmeter import ids.csv --study STUDY. Scores and predictions are" in said
    )
    assert "crows_pairs" in said and "replies and outcomes by bbq" in said
    for kind in input_kinds():
        assert kind.noun in said
    assert not (tmp_path / "runs").exists()
    assert "there is no such file or folder" in tilt("import", "nowhere.csv")[2]


def test_inputs_of_two_kinds_are_refused(tilt, tmp_path):
    (tmp_path / "a.csv").write_text(PAIRS)
    assert tilt("run", "starter_pairs", "fake", "--out", "made")[0] == 0
    (run,) = (tmp_path / "made").iterdir()
    code, _, err = tilt("import", run, "a.csv")
    assert code == 2 and "import them in two commands" in err


def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path, tilt):
    (tmp_path / "scores.csv").write_bytes(lzma.compress(b"id,score\n1,2\n"))
    code, _, err = tilt("import", "scores.csv")
    assert code == 2
    assert "scores.csv: it is not recognised (is xz-compressed)" in " ".join(err.split())
