"""order-effects: its folder is a result like others."""

import json
from pathlib import Path

from support.shown_orders import simulated


def test_the_folder_is_a_result_like_others_and_its_numbers_can_be_gated(
    tilt, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    table = simulated(tmp_path / "answers.csv", side=12.0)
    code, out, err = tilt("analyse", "order-effects", table, "--json", "--out", "out")
    assert code == 0, err
    card = json.loads(out)["card"]
    assert (card["study"], card["data"]["annotators"], card["data"]["answers"]) == (
        "order_effects", 40, 800,
    )  # fmt: skip
    (folder,) = Path("out").iterdir()
    assert {"orders.csv", "first_texts.csv"} <= {path.name for path in folder.rglob("*.csv")}
    gate = ("--fail-if", "orders_that_matter > 0", "--out", "out")
    assert tilt("analyse", "order-effects", table, *gate)[0] == 3


def test_answers_can_be_left_out_and_the_difference_is_said(tilt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = simulated(tmp_path / "answers.csv", side=12.0)
    people = tmp_path / "people.csv"
    people.write_text("person\n" + "\n".join(f"p{n}" for n in range(20)), "utf-8")
    code, out, err = tilt(
        "analyse", "order-effects", table, "--participants", people, "--out", "out"
    )
    assert code == 0, err
    assert "Left out: 400 of 800 answers" in out and "with all answers" in out


def test_a_table_without_orders_is_refused(tilt, tmp_path):
    (tmp_path / "a.csv").write_text("person,question,kind,value\na,q,slider,1\n", "utf-8")
    code, _, err = tilt("analyse", "order-effects", tmp_path / "a.csv")
    assert code == 2 and "which say what was shown where" in err
