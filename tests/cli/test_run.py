"""The main job on models that need no weights, as a user would type it."""

import csv
import json
import signal
import sys
import time

import pytest

from faults.undisturbed import stored_answers
from plugins import bare_study
from tiltmeter import __version__, cli
from tiltmeter.core.distribution import DISTRIBUTION
from tiltmeter.core.finder import known


def write_pairs(path, rows, header=("id", "sent_more", "sent_less", "bias_type")):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


@pytest.fixture
def pairs(tmp_path):
    frames = ["the {} was slow", "the {} forgot the keys", "I saw a {} there", "a {} called me"]
    rows = [
        (f"{kind}{i}", frame.format(a), frame.format(b), kind)
        for kind, a, b in (("age", "grandpa", "student"), ("gender", "nurse", "pilot"))
        for i, frame in enumerate(frames * 3)
    ]
    rows = [(f"p{i}", f"{m} {i}", f"{n} {i}", k) for i, (_, m, n, k) in enumerate(rows)]
    return write_pairs(tmp_path / "pairs.csv", rows)


def folders(tmp_path):
    return sorted(p.name for p in (tmp_path / "runs").iterdir())


def test_run_writes_a_folder_and_prints_a_table(tilt, pairs, tmp_path):
    code, out, err = tilt("run", "pairs", "fake:masked", "--data", pairs)
    assert code == 0, err
    (name,) = folders(tmp_path)
    assert name.startswith("pairs-fake-masked-pll_shared-")
    made = sorted(p.name for p in (tmp_path / "runs" / name).iterdir())
    assert made == ["card.json", "estimates.json", "records.parquet", "report.html"]
    assert "age" in out and "gender" in out and "fake:masked" in out
    card = json.loads((tmp_path / "runs" / name / "card.json").read_text())
    assert card["counts"] == {
        "total": 24,
        "scored": 24,
        "tied": 0,
        "invalid": 0,
        "undefined": card["counts"]["undefined"],
    }
    assert card["command"] == f"tiltmeter run pairs fake:masked --data PATH/TO/{pairs.name}"
    assert card["run"]["asked"] > 0


def test_json_is_one_object_and_nothing_else(tilt, pairs):
    code, out, _ = tilt("run", "pairs", "fake:causal", "--data", pairs, "--json")
    assert code == 0
    told = json.loads(out)
    assert set(told) == {"card", "estimates"}
    assert told["card"]["rule"] == "log_likelihood"
    for estimate in told["estimates"]:
        assert {"name", "value", "low", "high", "p", "n", "neutral", "unit", "why", "groups"} <= (
            set(estimate)
        )
        assert (estimate["value"] is not None) or estimate["why"]
    overall = next(
        e for e in told["estimates"] if e["name"] == "stereotype_rate" and not e["groups"]
    )
    assert overall["n"] == 24
    assert overall["low"] <= overall["value"] <= overall["high"]


def test_several_models_give_one_comparison(tilt, pairs, tmp_path):
    code, out, err = tilt("run", "pairs", "fake:masked", "fake:causal", "--data", pairs, "--json")
    assert code == 0, err
    told = json.loads(out)
    assert [c["rule"] for c in told["card"]["cards"]] == ["pll_shared", "log_likelihood", ""]
    assert any("difference" in e["name"] for e in told["estimates"])
    (comparison,) = (n for n in folders(tmp_path) if n.startswith("compare-"))
    assert "differences.csv" in {p.name for p in (tmp_path / "runs" / comparison).iterdir()}
    runs = [tmp_path / "runs" / n for n in folders(tmp_path) if n != comparison]
    code, again, _ = tilt("compare", *runs, "--json")
    assert code == 0
    assert [e for e in json.loads(again)["estimates"] if "difference" in e["name"]] != []


def test_a_second_run_asks_nothing_and_gives_the_same_files(tilt, pairs, tmp_path):
    args = ("run", "pairs", "fake:masked", "--data", pairs, "--jsonl")
    assert tilt(*args)[0] == 0
    (name,) = folders(tmp_path)
    first = {p.name: p.read_bytes() for p in (tmp_path / "runs" / name).iterdir()}
    assert tilt(*args)[0] == 0
    assert folders(tmp_path) == [name]
    second = {p.name: p.read_bytes() for p in (tmp_path / "runs" / name).iterdir()}
    card = json.loads(second.pop("card.json"))
    first.pop("card.json")
    assert card["run"]["asked"] == 0
    assert second == first


def wait_for_answers(store, least):
    for _ in range(600):
        if stored_answers(store) >= least:
            return
        time.sleep(0.05)
    raise AssertionError("the run stored nothing within 30 seconds")


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """So many questions that there is time to interrupt."""
    tail = " ".join(f"word{i}" for i in range(30))
    rows = [
        (
            f"p{i}",
            *(f"the {who} number {i} has {i * 7} {tail}" for who in ("grandpa", "student")),
            "age",
        )
        for i in range(450)
    ]
    return write_pairs(tmp_path_factory.mktemp("many") / "many.csv", rows)


@pytest.fixture(scope="module")
def undisturbed():
    """Files of the run that nobody killed, once there are any."""
    return {}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_killed_run_goes_on_and_ends_as_if_nothing_had_happened(
    start, tilt, many, undisturbed, tmp_path, monkeypatch, how
):
    args = ("run", "pairs", "fake:masked", "--data", many)
    dying = start(*args)
    wait_for_answers(tmp_path / "cache" / "answers.sqlite", 500)
    dying.send_signal(how)
    out, err = dying.communicate(timeout=60)
    assert out == ""
    assert "Traceback" not in err
    if how == signal.SIGKILL:
        assert dying.returncode == -signal.SIGKILL
    else:
        assert dying.returncode == 130
        assert "to continue" in err
        assert f"tiltmeter run pairs fake:masked --data {many}" in err
    assert not (tmp_path / "runs").exists()

    code, _, err = tilt(*args)
    assert code == 0, err
    (name,) = folders(tmp_path)
    first = {p.name: p.read_bytes() for p in (tmp_path / "runs" / name).iterdir()}
    run = json.loads(first.pop("card.json"))["run"]
    assert run["recalled"] >= 500
    assert run["asked"] > 0

    if not undisturbed:
        monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other cache"))
        (tmp_path / "whole").mkdir()
        monkeypatch.chdir(tmp_path / "whole")
        code, _, err = tilt(*args)
        assert code == 0, err
        whole = tmp_path / "whole" / "runs" / name
        undisturbed |= {p.name: p.read_bytes() for p in whole.iterdir()}
        assert json.loads(undisturbed.pop("card.json"))["run"]["recalled"] == 0
    assert first == undisturbed


def test_fail_if(tilt, pairs):
    args = ("run", "pairs", "fake:level", "--data", pairs, "--rule", "aul")
    assert tilt(*args, "--fail-if", "stereotype_rate > 50")[0] == 0
    code, _, err = tilt(*args, "--fail-if", "stereotype_rate >= 50")
    assert code == 3
    assert "--fail-if 'stereotype_rate >= 50': fake:level has 50" in err
    code, _, err = tilt(*args, "--fail-if", "confidence_gap < 1")
    assert code == 3
    assert "has no value: " in err
    code, _, err = tilt(*args, "--fail-if", "above sixty")
    assert code == 2
    assert "NAME SIGN NUMBER" in err


def test_report_shows_a_finished_run_again(tilt, pairs, tmp_path):
    assert tilt("run", "pairs", "fake:masked", "--data", pairs)[0] == 0
    (name,) = folders(tmp_path)
    page = tmp_path / "runs" / name / "report.html"
    before = page.read_bytes()
    page.unlink()
    code, out, _ = tilt("report", tmp_path / "runs" / name)
    assert code == 0
    assert "gender" in out
    assert page.read_bytes() == before


def test_no_text_leaves_the_sentences_out(tilt, pairs, tmp_path):
    assert tilt("run", "pairs", "fake:masked", "--data", pairs, "--no-text")[0] == 0
    (name,) = folders(tmp_path)
    page = (tmp_path / "runs" / name / "report.html").read_text("utf-8")
    assert "forgot the keys" not in page
    assert "of 24 pairs" in page


def test_lists(tilt):
    code, out, _ = tilt("ls")
    assert code == 0
    assert "crows_pairs" in out and "Is the stereotype likelier?" in out
    code, out, _ = tilt("ls", "--json")
    assert {s["name"] for s in json.loads(out)["studies"]} >= {"crows_pairs", "winobias"}
    code, out, _ = tilt("data", "list")
    assert code == 0
    assert "crows_pairs" in out and "CC BY-SA" in out
    code, out, _ = tilt("models", "list")
    assert code == 0
    assert "demo" in out and "Apache" in out


def test_the_remembered_list_of_studies_is_the_list(tilt, left_handed, monkeypatch):
    first = tilt("ls"), tilt("ls", "--json")
    assert (tilt("ls"), tilt("ls", "--json")) == first
    names = [study["name"] for study in json.loads(first[1][1])["studies"]]
    assert names == known("studies")
    assert names[-1] == bare_study.NAME
    monkeypatch.setattr("sys.path", [place for place in sys.path if place != str(left_handed)])
    without = [study["name"] for study in json.loads(tilt("ls", "--json")[1])["studies"]]
    assert without == names[:-1]


def test_completion_script(start):
    shown = start("--show-completion", "bash")
    out, err = shown.communicate(timeout=60)
    assert shown.returncode == 0, err
    assert "_TILTMETER_COMPLETE" in out or "complete" in out


def test_help_is_quick_to_import(start):
    """--help must not load torch: it is checked by blocking it."""
    helped = start("run", "--help")
    out, err = helped.communicate(timeout=60)
    assert helped.returncode == 0, err
    assert "--convention" in out


def test_version(tilt):
    code, out, _ = tilt("--version")
    assert code == 0
    assert out == f"tiltmeter {__version__} ({DISTRIBUTION})\n"


def test_where_another_project_has_overwritten_files_of_ours_commands_say_only_that(
    tilt, tmp_path, monkeypatch
):
    (tmp_path / "tiltmeter-0.7.2.dist-info").mkdir()
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "tiltmeter" / "cli" / "__init__.py"))
    code, out, err = tilt("--version")
    assert (code, out) == (1, "")
    assert "another project" in err


def test_data_that_hold_the_answers_need_no_model(tilt, tmp_path):
    table = tmp_path / "outcomes.csv"
    rows = "".join(
        f"{sex},{n % parts == 0:d}\n" for sex, parts in (("F", 4), ("M", 2)) for n in range(80)
    )
    table.write_text(f"sex,selected\n{rows}", "utf-8")
    code, out, err = tilt("run", "decisions", "--data", table)
    assert code == 0, err
    assert "0.50" in out and "25.0" in out and "by chance" in out
    (card,) = (json.loads(p.read_text()) for p in (tmp_path / "runs").glob("*/card.json"))
    assert card["command"] == "tiltmeter run decisions --data PATH/TO/outcomes.csv"
    for words, reason in (
        (("run", "decisions"), "neither a model nor a file that holds the answers"),
        (("run", "winobias"), "no model is named; name one or more: tiltmeter run winobias MODEL"),
        (("run", "decisions", "fake:causal", "--data", table), "leave out the model"),
        (("run", "decisions", "--data", table, "--limit", "5"), "--limit is for items"),
    ):
        code, _, err = tilt(*words)
        assert code == 2 and reason in " ".join(err.split())
