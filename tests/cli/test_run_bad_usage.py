"""What a wrong word, file or model gets: one clear message, exit code 2, no traceback."""

import json

import pytest

from faults.bad_files import BAD_FILES

GOOD = b"id,sent_more,sent_less\n1,he was late,she was late\n2,he is here,she is here\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.csv"
    path.write_bytes(GOOD)
    return path


@pytest.mark.parametrize("case", BAD_FILES, ids=lambda c: c.name)
def test_bad_files(tilt, tmp_path, case):
    path = case.write(tmp_path)
    code, out, err = tilt("run", "pairs", "fake", "--data", path)
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    said = " ".join(err.split())
    for words in case.says:
        assert " ".join(words.split()) in said


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (
            ("run", "crow_pairs", "fake"),
            ["No study named 'crow_pairs'", "Did you mean 'crows_pairs'"],
        ),
        (("run", "pairs", "fake", "--rule", "pll_share"), ["No rule named", "'pll_shared'"]),
        (("run", "pairs", "fake", "--convention", "nangia"), ["No convention", "'nangia2020'"]),
        (("run", "pairs", "fake", "--ties", "halves"), ["policy for ties", "'half'"]),
        (
            ("run", "pairs", "fake", "--rule", "aul", "--convention", "nangia2020"),
            ["does not define the rule 'aul'", "pll_shared"],
        ),
        (
            ("run", "pairs", "fake:masked", "--rule", "log_likelihood"),
            ["fake:masked cannot be scored by 'log_likelihood'", "Rules it can answer: pll_shared"],
        ),
        (
            ("run", "pairs", "fake:causal", "--convention", "kaneko2022"),
            ["fake:causal cannot be scored by", "log_likelihood"],
        ),
        (("run", "pairs", "fake:maskd"), ["No fake model named 'maskd'", "'masked'"]),
        (("run", "pairs", "maskd:x"), ["maskd", "'masked'"]),
        (("run", "pairs", "./no/such/folder"), ["no/such/folder"]),
        (("run", "pairs"), ["no model is named"]),
        (("run", "pairs", "fake", "--seed", "-1"), ["--seed"]),
        (("run", "pairs", "fake", "--batch-tokens", "0"), ["--batch-tokens"]),
        (("run", "pairs", "fake", "--no-such-option"), ["No such option"]),
        (
            ("run", "pairs", "fake:masked", "--start-token", "<s>"),
            ["of kind fake, for which no start token is chosen", "leave out --start-token"],
        ),
        (("compare", "runs"), ["runs"]),
        (("report", "nowhere"), ["nowhere", "no such folder"]),
        (("data", "get", "crowspairs"), ["No data set named", "'crows_pairs'"]),
        (("models", "get", "dmo"), ["dmo", "'demo'"]),
        (("frobnicate",), ["No such command"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_words(tilt, good, args, says):
    if args[:2] == ("run", "pairs") and len(args) > 2:
        args = (*args, "--data", good)
    code, out, err = tilt(*args)
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    said = " ".join(err.split())
    for words in says:
        assert words in said


def test_pairs_needs_data(tilt):
    code, _, err = tilt("run", "pairs", "fake")
    assert code == 2
    assert "--data" in err


def test_a_file_where_the_folder_should_be(tilt, good, tmp_path):
    (tmp_path / "taken").write_text("mine")
    code, _, err = tilt("run", "pairs", "fake", "--data", good, "--out", "taken")
    assert code == 2
    assert "this is a file, not a folder" in " ".join(err.split())
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_sentence_longer_than_the_model(tilt, tmp_path):
    path = tmp_path / "long.csv"
    long = "word " * 700
    path.write_text(
        f"id,sent_more,sent_less\nok,he was late,she was late\nlong,he {long},she {long}\n"
    )
    code, _, err = tilt("run", "pairs", "fake", "--data", path)
    assert code == 2
    assert "long.csv:3" in err
    assert "exceed the model's limit of 512" in " ".join(err.split())
    code, out, _ = tilt("run", "pairs", "fake", "--data", path, "--skip-invalid", "--json")
    assert code == 0
    card = json.loads(out)["card"]
    assert card["counts"]["invalid"] == 1
    assert card["counts"]["scored"] == 1
    assert "long.csv:3" in card["invalid"][0]


def test_skip_invalid_counts_and_lists(tilt, tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("id,sent_more,sent_less\na,he was late,she was late\nb,,she\nc,he,he\n")
    code, out, err = tilt("run", "pairs", "fake", "--data", path, "--skip-invalid", "--json")
    assert code == 0
    assert "some.csv:3" in err and "some.csv:4" in err
    card = json.loads(out)["card"]
    assert card["counts"]["total"] == 3
    assert card["counts"]["invalid"] == 2


def test_nothing_left_is_an_error_not_a_number(tilt, tmp_path):
    path = tmp_path / "none.csv"
    path.write_text("id,sent_more,sent_less\nb,,she\nc,he,he\n")
    code, out, err = tilt("run", "pairs", "fake", "--data", path, "--skip-invalid", "--json")
    assert code == 2
    assert out == ""
    assert "none.csv" in err


def test_a_name_too_long_for_a_file_is_cut_and_explained(tilt):
    code, out, err = tilt("run", "starter_pairs", "a" * 5_000)
    assert (code, out) == (2, "")
    assert "is longer than the name of a file may be; shorten it" in " ".join(err.split())
    assert len(err) < 200
