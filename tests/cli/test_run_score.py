"""score: sentences on the command line."""

import json

import pytest

import tiltmeter as tm

TWO = ("The nurse said that she was late.", "The nurse said that he was late.")


def test_two_sentences(tilt):
    code, out, err = tilt("score", "fake:masked", *TWO)
    assert code == 0
    assert "fake:masked prefers the first sentence" in " ".join(out.split())
    assert "Token by token" in out
    assert "pll_shared" in out
    assert "loading fake:masked" in err
    rows = [line.split() for line in out.splitlines() if line.startswith("nurse")]
    assert rows[0][0] == rows[0][2] == "nurse"


def test_the_numbers_are_those_of_python(tilt):
    code, out, _ = tilt("score", "fake:causal", *TWO, "--json")
    assert code == 0
    (record,) = tm.score("log_likelihood", "fake:causal", [TWO])
    value = json.loads(out)
    assert [s["score"] for s in value["items"][0]["sentences"]] == [
        record.scores["more"], record.scores["less"],
    ]  # fmt: skip
    for sentence in value["items"][0]["sentences"]:
        assert sum(t["logprob"] for t in sentence["tokens"]) == pytest.approx(sentence["score"])


def test_a_file_of_sentences(tilt, tmp_path):
    file = tmp_path / "some.txt"
    file.write_text("\ufeffHe ran.\n\n She ran. \nThey ran.\n", "utf-8")
    code, out, _ = tilt("score", "fake:masked", "--file", file, "--rule", "pll_word_l2r", "--json")
    assert code == 0
    assert [s["text"] for item in json.loads(out)["items"] for s in item["sentences"]] == [
        "He ran.", "She ran.", "They ran.",
    ]  # fmt: skip


def test_foreign_characters_do_not_act_on_the_terminal(tilt):
    code, out, _ = tilt("score", "fake:masked", "he ran \x1b[31m off", "she ran \x1b[31m off")
    assert code == 0
    assert "\x1b[31m" not in out
    assert "[U+001B]" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "there is no sentence to score"),
        (["he ran", "he ran"], "both sentences are the same"),
        (["he ran", ""], "sentence 2 is empty"),
        (["he ran", "dogs bark"], "share no token"),
        (["he ran", "dogs bark"], "score each by itself: --rule pll_all"),
        (["he ran", "--rule", "aul"], "compares two sentences"),
        (["he ran", "she ran", "--rule", "nothing"], "No rule for sentences named 'nothing'"),
        (["he ran", "--file", "some.txt"], "give one or the other"),
        (["--file", "none.txt"], "no such file"),
        (["some.txt"], "give it with --file"),
        (["he ran", "she ran", "--precision", "float8"], "No precision named 'float8'"),
    ],
)
def test_mistakes_are_explained(tilt, tmp_path, words, message):
    (tmp_path / "some.txt").write_text("he ran\n", "utf-8")
    code, out, err = tilt("score", "fake:masked", *words)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


def test_a_model_that_scores_no_text_is_refused(tilt):
    code, _, err = tilt("score", "fake:vectors", "he ran", "she ran")
    assert code == 2
    assert "pairs cannot measure fake:vectors" in " ".join(err.split())
