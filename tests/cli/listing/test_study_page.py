"""One study is explained, in the order in which somebody new to it reads."""

import json


def flat(text):
    return " ".join(text.split())


def test_everything_that_can_be_chosen_is_explained(tilt):
    code, out, _ = tilt("ls", "group_traits")
    assert code == 0
    for words in ("prior=mask", "ilps_star", "cao2022_code", "One of: mask, noun"):
        assert words in flat(out)
    _, out, _ = tilt("ls", "winobias")
    assert "by table --published nangia2020_bias Share of pairs" in flat(out)


def test_the_sections_come_in_the_order_of_a_first_reading(tilt):
    _, out, _ = tilt("ls", "crows_pairs")
    sections = (
        "CrowS-Pairs: stereotypes", "How often the model", "It does not show", "run it",
        "tiltmeter run crows_pairs MODEL", "data, by --data", "rules, by --rule",
        "settings, by --set", "conventions, by --convention", "construct validity", "\ncite\n",
    )  # fmt: skip
    places = [out.index(words) for words in sections]
    assert places == sorted(places)


def test_data_are_described_with_how_to_get_them(tilt):
    _, out, _ = tilt("ls", "crows_pairs")
    assert "Licence CC BY-SA 4.0; get it: tiltmeter data get crows_pairs." in flat(out)
    _, out, _ = tilt("ls", "starter_pairs")
    assert "on this computer" in out
    _, out, _ = tilt("ls", "pairs")
    assert "tiltmeter run pairs MODEL --data FILE" in out
    assert "Has to be given: --data FILE" in flat(out)


def test_json_has_it_all(tilt):
    _, out, _ = tilt("ls", "group_traits", "--json")
    entry = json.loads(out)
    margin = next(setting for setting in entry["settings"] if setting["name"] == "margin")
    assert margin["default"] == "1"
    assert (entry["group"], entry["data_state"]) == ("people", "here")
    _, out, _ = tilt("ls", "crows_pairs", "--json")
    entry = json.loads(out)
    assert (entry["items"], entry["requests"], entry["data_state"]) == (1508, 3014, "get")
    crows, *_ = entry["data_sets"]
    assert (crows["get"], crows["state"]) == ("tiltmeter data get crows_pairs", "")
    assert crows["citation"].startswith("@")
