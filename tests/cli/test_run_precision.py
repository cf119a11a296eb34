"""--precision, as a user would type it."""

import csv
import json

import polars as pl
import pytest

pytest.importorskip("torch", reason="the extra [hf] is not installed")

from architectures import TEXTS, build
from tiltmeter.models.speed.instructions import Quick
from tiltmeter.run import model_openers


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return build("bert", tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture
def fast(monkeypatch):
    """A machine that is fast in bfloat16, whatever this one is."""
    monkeypatch.setattr(model_openers, "quick", lambda _: Quick("bfloat16"))


@pytest.fixture
def pairs(tmp_path):
    words = sorted({word.strip(".;").lower() for text in TEXTS for word in text.split()})
    path = tmp_path / "pairs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", "sent_more", "sent_less", "bias_type"))
        for i in range(100):
            end = f"was {words[(7 * i) % 31]}"
            more, less = f"{words[i % 30]} {end}", f"{words[(i + 5) % 30]} {end}"
            rows.writerow((f"p{i}", more, less, "age" if i % 2 else "gender"))
    return path


def one_folder(tmp_path, *, besides=()):
    (found,) = {*(tmp_path / "runs").iterdir()} - {*besides}
    return found


@pytest.mark.usefixtures("fast")
def test_auto_says_what_it_did_everywhere(tilt, pairs, bert, tmp_path):
    code, out, err = tilt("run", "pairs", bert, "--data", pairs, "--precision", "auto", "--jsonl")
    assert code == 0, err
    folder = one_folder(tmp_path)
    card = json.loads((folder / "card.json").read_text())
    how, again = card["model"]["screening"], card["model"]["screening"]["scored again in float32"]
    assert card["model"]["precision"] == "auto"
    assert how["sample"] == 64 <= again < 100
    assert how["band"] == pytest.approx(2 * how["largest error measured"], rel=1e-4)
    assert 0 < how["expected differences at most"] < 0.1
    said = f"bfloat16, and float32 for the {again} of 100 items"
    assert said in " ".join(out.split())
    assert f"scored again in float32: {again}" in (folder / "report.html").read_text()
    records = pl.read_parquet(folder / "records.parquet")
    counted = dict(records["precision"].value_counts().iter_rows())
    assert counted == {"float32": again, "bfloat16": 100 - again}
    code, shown, _ = tilt("report", folder)
    assert code == 0
    assert said in " ".join(shown.split())
    assert f"Precision: {said}" in " ".join((folder / "report.html").read_text().split())

    # float32 afterwards decides alike, asks only for the rest, and is no other name for the same
    code, _, err = tilt("run", "pairs", bert, "--data", pairs)
    assert code == 0, err
    plain = one_folder(tmp_path, besides=[folder])
    exact = json.loads((plain / "card.json").read_text())
    assert exact["run"]["recalled"] > 0
    assert exact["run"]["asked"] < exact["run"]["recalled"]
    assert exact["model"]["fingerprint"] == how["fingerprints"]["float32"]
    assert exact["counts"] == card["counts"]
    rates = [
        [e for e in json.loads((f / "estimates.json").read_text()) if e["unit"] == "%"]
        for f in (folder, plain)
    ]
    assert rates[0] == rates[1]
    code, out, _ = tilt("compare", folder, plain, "--json")
    assert code == 0
    difference = json.loads(out)["estimates"][-2]  # the last counts those that are significant
    assert difference["model"] == "bert (auto) − bert (float32)"
    told = [e["why"] for e in json.loads(out)["estimates"] if "−" in e["model"]]
    assert any("in different precisions, auto and float32" in why for why in told)


@pytest.mark.usefixtures("fast")
def test_a_second_run_asks_nothing_and_gives_the_same_files(tilt, pairs, bert, tmp_path):
    words = ("run", "pairs", bert, "--data", pairs, "--precision", "auto")
    assert tilt(*words)[0] == 0
    folder = one_folder(tmp_path)
    before = {f.name: f.read_bytes() for f in folder.iterdir() if f.name != "card.json"}
    assert tilt(*words)[0] == 0
    assert one_folder(tmp_path) == folder
    assert {f.name: f.read_bytes() for f in folder.iterdir() if f.name != "card.json"} == before
    assert json.loads((folder / "card.json").read_text())["run"]["asked"] == 0


def test_a_machine_that_is_not_faster_uses_float32_and_says_so(tilt, pairs, bert, monkeypatch):
    monkeypatch.setattr(model_openers, "quick", lambda _: Quick("", "this CPU is an abacus"))
    code, out, err = tilt("run", "pairs", bert, "--data", pairs, "--precision", "auto", "--json")
    assert code == 0, err
    card = json.loads(out)["card"]
    assert {"kind": "precision", "text": "float32 for all items: this CPU is an abacus."} in card[
        "notes"
    ]
    assert card["model"]["precision"] == "float32"
    assert "screening" not in card["model"]
    code, out, _ = tilt("run", "pairs", bert, "--data", pairs, "--precision", "auto")
    assert "Precision float32 for all items: this CPU is an abacus" in " ".join(out.split())


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("model", ["fake:masked", "fake:level"])
def test_where_precision_means_nothing_auto_is_as_usual(tilt, pairs, model):
    words = ("run", "pairs", model, "--data", pairs, "--json")
    _, usual, _ = tilt(*words)
    code, out, _ = tilt(*words, "--precision", "auto")
    assert code == 0
    found, plain = (json.loads(text) for text in (out, usual))
    assert found["estimates"] == plain["estimates"]
    assert found["card"]["model"] == plain["card"]["model"]
    assert found["card"]["notes"] == plain["card"]["notes"]


@pytest.mark.usefixtures("fast")
def test_ensembles_are_scored_in_float32(tilt, tmp_path):
    rows = [
        "id,task,target,bias_type,context,stereotype,anti_stereotype,unrelated",
        *(f"{i},intersentence,nurse,job,A nurse {i}.,It is kind.,It is rude.,It is a door."
          for i in range(4)),
    ]  # fmt: skip
    path = tmp_path / "triples.csv"
    path.write_text("\n".join(rows) + "\n")
    code, out, err = tilt(
        "run", "stereoset", "ensemble:fake:masked=0.5+fake:masked=0.5", "--data", path,
        "--precision", "auto", "--json",
    )  # fmt: skip
    assert code == 0, err
    assert any(
        "an ensemble adds up scores" in note["text"] for note in json.loads(out)["card"]["notes"]
    )


def test_reduced_precision_is_said_beside_the_numbers(tilt, pairs, bert):
    code, out, err = tilt("run", "pairs", bert, "--data", pairs, "--precision", "bfloat16")
    assert code == 0, err
    assert "bfloat16; near ties may be decided differently" in " ".join(out.split())
    code, out, _ = tilt("run", "pairs", bert, "--data", pairs)
    assert "near ties" not in out
    code, _, err = tilt("run", "pairs", bert, "--data", pairs, "--precision", "float8")
    assert code == 2
    assert "No precision named 'float8'" in err
    assert "auto" in err
    code, _, err = tilt("run", "pairs", bert, "--data", pairs, "--dtype", "float32")
    assert code == 2
