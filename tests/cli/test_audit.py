"""tiltmeter audit, as a user would type it."""

import json
import signal
import time
import xml.etree.ElementTree as ET

import pytest

from support import audits
from tiltmeter.models import fake
from tiltmeter.run.asking import model_openers

GATES = """
[[threshold]]
study = "starter_pairs"
fail_if = "stereotype_rate > 100"
title = "Never above 100"

[[threshold]]
study = "starter_pairs"
fail_if = "stereotype_rate >= 0"
level = "warning"
"""


@pytest.fixture
def profile(tmp_path):
    return audits.profile(tmp_path)


@pytest.fixture
def loaded(monkeypatch):
    """The models that were loaded."""
    names = []

    def noting(where, options, *, name="", **_):
        names.append(where.reference)
        return fake.load(where.location, options, name=name)

    monkeypatch.setattr(model_openers, "open_model", noting)
    return names


def test_one_command_writes_the_page_and_prints_the_summary(tilt, profile, tmp_path):
    code, out, err = tilt("audit", "fake:masked", "--profile", profile)
    assert code == 0, err
    assert out.startswith("fake:masked: no significant lean in any of 2 studies")
    folder = tmp_path / "runs" / "audit-small-fake-masked"
    assert f"page: {folder.relative_to(tmp_path) / 'report.html'}" in out
    html = (folder / "report.html").read_text("utf-8")
    assert "<h1>Audit of fake:masked " in html
    assert "tiltmeter audit fake:masked --profile PATH/TO/small.toml" in html


def test_json_is_the_result_and_csv_is_the_first_table(tilt, profile, tmp_path):
    args = ("audit", "fake:masked", "--profile", profile, "--out", "here")
    _, out, _ = tilt(*args, "--json")
    assert json.loads(out)["card"]["study"] == "audit"
    assert [e["study"] for e in json.loads(out)["estimates"]] == [
        e["study"] for e in json.loads((tmp_path / "here" / "estimates.json").read_text("utf-8"))
    ]
    _, out, _ = tilt(*args, "--format", "csv")
    assert out.startswith("study,verdict,value,measure,")


TWO_MODELS = """
[[study]]
name = "weat"
data = "starter_words"

[[model]]
name = "fake:masked"

[[model]]
name = "fake:causal"
"""


def test_a_file_of_studies_and_models_makes_a_report_for_each_model(tilt, tmp_path, loaded):
    file = audits.profile(tmp_path, TWO_MODELS)
    code, out, err = tilt("audit", file)
    assert code == 0, err
    assert loaded == ["fake:masked", "fake:causal"]
    for model in ("masked", "causal"):
        assert f"fake:{model}: " in out
        page = tmp_path / "runs" / f"audit-small-fake-{model}" / "report.html"
        assert "tiltmeter audit PATH/TO/small.toml" in page.read_text("utf-8")
    code, out, err = tilt(
        "audit", file, "--json", "--out", "here", "--fail-if", "weat/significant_tests >= 0"
    )
    assert code == 3, err
    cards = json.loads(out)["card"]["cards"]
    assert [card["model"]["name"] for card in cards] == ["fake:masked", "fake:causal"]
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "fake-causal",
        "fake-masked",
    ]


def test_what_a_file_of_models_says_is_not_said_beside_it(tilt, tmp_path):
    file = audits.profile(tmp_path, TWO_MODELS)
    for words, said in (
        (("--profile", "chat"), "--profile has no effect beside"),
        (("--junit", "x.xml"), "audit one model: tiltmeter audit MODEL --profile"),
    ):
        assert said in tilt("audit", file, *words)[2]
    assert tilt("audit", "fake:masked", "--profile", file)[0] == 0  # its studies, and another model
    assert "lists no model" in tilt("audit", audits.profile(tmp_path))[2]


def test_commands_for_results_take_the_folder(tilt, profile):
    tilt("audit", "fake:masked", "--profile", profile, "--out", "here")
    code, out, _ = tilt("report", "here", "--to", "page.html")
    assert code == 0
    assert out.startswith("fake:masked: no significant lean in any of 2 studies")
    for words, said in (
        (("table", "here"), "Studies with a significant lean"),
        (("ls", "."), "here"),
        (("export", "here", "numbers.csv", "--what", "estimates"), "numbers.csv"),
        (("figure", "here", "--kind", "s2-bias_type", "--to", "one.svg"), "one.svg"),
    ):
        code, out, err = tilt(*words)
        assert (code, said in out + err) == (0, True), err


def test_thresholds_are_judged_written_and_fail_the_command(tilt, profile, tmp_path):
    (tmp_path / "gates.toml").write_text(GATES)
    args = (
        "audit", "fake:masked", "--profile", profile, "--thresholds", "gates.toml",
        "--junit", "out/j.xml", "--sarif", "out/s.json",
    )  # fmt: skip
    code, out, err = tilt(*args)
    assert code == 0
    assert "passed: Never above 100 (starter_pairs/stereotype_rate > 100): fake:masked has" in err
    assert "warning: starter_pairs/stereotype_rate >= 0: fake:masked has" in err
    assert "Never above 100" in (
        tmp_path / "runs" / "audit-small-fake-masked" / "thresholds.csv"
    ).read_text("utf-8")
    root = ET.parse(tmp_path / "out" / "j.xml").getroot()
    assert (root.get("tests"), root.get("failures")) == ("6", "0")
    (run,) = json.loads((tmp_path / "out" / "s.json").read_text("utf-8"))["runs"]
    assert [one["level"] for one in run["results"]] == ["none", "warning", "none"]
    page = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert page == "runs/audit-small-fake-masked/report.html"
    assert "Thresholds" in out
    code, _, err = tilt(*args, "--fail-if", "starter_pairs/stereotype_rate >= 0")
    assert code == 3
    assert "failed: --fail-if 'starter_pairs/stereotype_rate >= 0'" in err
    code, _, err = tilt(*args, "--fail-if", "significant_studies > 0")
    assert (code, "passed: --fail-if 'significant_studies > 0'" in err) == (0, True)
    assert tilt(*args, "--fail-if", "significant_studies <= 0")[0] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--fail-if", "starter_pairs/stereotyp_rate > 1"), "Did you mean 'stereotype_rate'"),
        (("--fail-if", "significant_study > 1"), "Did you mean 'significant_studies'"),
        (("--fail-if", "stereotype_rate > 1e999"), "1e999 is too large"),
        (("--fail-if", "starter/stereotype_rate > 1"), "Did you mean 'starter_pairs'"),
        (("--fail-if", "stereotype_rate:bias_type=agee > 1"), "Did you mean 'age'"),
        (("--fail-if", "weat/effect_size > 1"), "not reported over all items"),
        (("--thresholds", "missing.toml"), "no such file"),
        (("--max-time", "soon"), "is not a time"),
        (("--against", "fake:masked"), "is the model itself"),
        (("--against", "nosuch:model"), "nosuch"),
    ],
)
def test_mistakes_are_refused_before_a_model_is_loaded(tilt, profile, loaded, options, message):
    code, out, err = tilt("audit", "fake:masked", "--profile", profile, *options)
    assert message in " ".join(err.split())
    assert (code, out, loaded) == (2, "", [])


def test_a_second_time_nothing_is_loaded(tilt, profile, loaded):
    args = ("audit", "fake:masked", "--profile", profile)
    code, first, err = tilt(*args)
    assert code == 0, err
    assert loaded == ["fake:masked"]
    _, second, _ = tilt(*args)
    assert (loaded, second) == (["fake:masked"], first)


def test_a_study_that_fails_ends_with_1_after_the_page_is_written(
    tilt, profile, monkeypatch, tmp_path
):
    from tiltmeter.run.sweeps import sweep_jobs

    def fail(job, _):
        raise ZeroDivisionError(job.study.name)

    monkeypatch.setattr(sweep_jobs, "score", fail)
    code, out, _ = tilt("audit", "fake:masked", "--profile", profile, "--out", "here")
    assert code == 1
    assert "no study of this audit could be measured" in out
    assert (tmp_path / "here" / "report.html").is_file()


@pytest.mark.slow
def test_after_a_kill_the_same_command_goes_on(start, tilt, profile, tmp_path):
    args = ("audit", "fake:masked", "--profile", profile, "--out", "here")
    run = start(*args)
    until = time.monotonic() + 60
    while not list((tmp_path / "here").glob("*/card.json")) and time.monotonic() < until:
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    sealed = {f: f.read_bytes() for f in (tmp_path / "here").glob("*/card.json")}
    assert sealed
    code, out, err = tilt(*args, "--json")
    assert code == 0, err
    assert len(json.loads(out)["card"]["sources"]) == 2
    assert all(file.read_bytes() == content for file, content in sealed.items())


def test_files_for_machines_are_refused_before_anything_is_asked(tilt, profile, loaded):
    for option in ("--junit", "--sarif"):
        code, out, err = tilt("audit", "fake:masked", "--profile", profile, option, "/dev/null")
        assert (code, out) == (2, "") and "not a regular file" in err
    assert not loaded
