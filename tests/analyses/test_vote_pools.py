"""active pools: sizes, disagreement and distributions of a table that a person can count."""

import json

import pytest

import tiltmeter as tm


def table(path):
    """Ten items: eight with the votes no, no; two with yes, no, yes."""
    votes = [(n, "no") for n in range(8) for _ in range(2)]
    votes += [(n, label) for n in (8, 9) for label in ("yes", "no", "yes")]
    lines = [f"i{n},text {n},,{label}" for n, label in votes]
    path.write_text("\n".join(["item,text,annotator,label", *lines]), "utf-8")
    return path


def test_numbers_of_a_small_pool(tmp_path):
    made = tm.analyse.vote_pools(table(tmp_path / "small.csv"))
    by_name = {}
    for e in made.estimates:
        by_name.setdefault(e.name, []).append(e)
    single = {name: some[0].value for name, some in by_name.items()}
    assert (single["pools"], single["items"], single["votes_per_item"]) == (1, 10, 2.2)
    assert single["disagreement"] == pytest.approx((2 * 2 / 3) / 10)
    shares = {e.groups["label"]: e.value for e in by_name["label_share"]}
    assert shares == {"no": 100 * 18 / 22, "yes": 100 * 4 / 22}
    assert {e.groups["votes_on_item"]: e.value for e in by_name["item_share"]} == {"2": 80, "3": 20}
    assert made.card.finding[0].text == (
        "small: 10 items with 2.20 votes each on average; two votes on an item differ with probability 0.13."
    )


def test_items_and_votes_that_count_can_be_chosen(tmp_path):
    path = table(tmp_path / "small.csv")
    capped = tm.analyse.vote_pools(path, pool_votes=2)
    assert next(e.value for e in capped.estimates if e.name == "votes_per_item") == 2.0
    assert {note.text for note in capped.card.notes} >= {"At most 2 votes on an item are counted."}
    assert capped.card.settings == {"pool_votes": "2"}
    lines = path.read_text("utf-8").splitlines()
    more = [f"j{n},other {n},,{label}" for n in range(10) for label in ("yes", "no", "no")]
    path.write_text("\n".join([*lines, *more]), "utf-8")
    three = tm.analyse.vote_pools(path, min_votes=3)
    assert {e.groups["votes_on_item"] for e in three.estimates if e.name == "item_share"} == {"3"}
    assert "Only the 12 of 20 items with at least 3 votes are used." in three.card.notes[0].text


def test_without_a_name_all_registered_pools_are_listed(tilt):
    code, shown, _ = tilt("active", "pools")
    assert code == 0 and "39,565" in shown and "wikipedia_talk_toxicity" in shown
    code, shown, _ = tilt("active", "pools", "--json")
    (sample,) = (p for p in json.loads(shown)["pools"] if p["name"] == "sample")
    assert (sample["items"], sample["votes"], sample["status"]) == (240, 1440, "built in")


def test_the_command_shows_sets_beside_each_other(tmp_path, tilt):
    table(tmp_path / "one.csv")
    table(tmp_path / "two.csv")
    code, shown, _ = tilt(
        "active", "pools", tmp_path / "one.csv", tmp_path / "two.csv", "--out", tmp_path / "out"
    )
    assert code == 0 and shown.count("2.20") >= 2
    (folder,) = (tmp_path / "out").iterdir()
    assert (folder / "pools.csv").is_file()
    assert "labels-2" in tilt("figure", folder)[1]
    code, shown, _ = tilt(
        "table", folder, "--measure", "items", "--rows", "data", "--format", "csv"
    )
    assert code == 0 and "one," in shown and "two," in shown
