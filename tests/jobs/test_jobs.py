"""Twelve jobs carried through to the end: each page runs as it stands, and its numbers are right."""

import csv
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from collections import Counter

import numpy as np
import pytest
from benchmarks._postgres import free_port

from jobs.job_pages import DOCS
from servers import chat_server
from support import published
from support.architectures import build
from tiltmeter.run.files.folder import read

PAGES = sorted(p.stem for p in (DOCS / "jobs").glob("*.md") if p.stem != "index")
LINES = 120


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_short_and_listed(page):
    text = (DOCS / "jobs" / f"{page}.md").read_text("utf-8")
    assert len(text.splitlines()) <= LINES
    assert f"]({page}.md)" in (DOCS / "jobs" / "index.md").read_text("utf-8")


def test_the_panel_says_at_once_what_it_waits_for():
    script = DOCS / "jobs" / "files" / "paid-panel" / "panel.py"
    address = f"http://127.0.0.1:{free_port()}"
    with subprocess.Popen(
        [sys.executable, script, address], stderr=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stderr is not None
        line = waiting.stderr.readline()
        waiting.kill()
    assert line == f"waiting for the survey at {address}, for at most a minute\n"


def results(done, pattern="*"):
    """Finished results in a job's folder of runs."""
    return [
        read(p) for p in sorted((done.folder / "runs").glob(pattern)) if (p / "card.json").exists()
    ]


def only(done, pattern):
    (found,) = results(done, pattern)
    return found


def table(done, name):
    """The rows of a CSV file in a job's folder."""
    return list(csv.DictReader((done.folder / name).read_text("utf-8").splitlines()))


def estimate(result, name, **groups):
    return next(e for e in result.estimates if e.name == name and dict(e.groups) == groups)


def test_a_table_for_a_paper(job):
    done = job("paper-table")
    runs = results(done, "starter_pairs-*")
    assert len(runs) == 3
    latex = (done.folder / "table.tex").read_text()
    for run in runs:
        wins = [r.scores["more"] > r.scores["less"] for r in run.records]
        ties = [r.scores["more"] == r.scores["less"] for r in run.records]
        rate = 100 * (sum(wins) + sum(ties) / 2) / len(wins)
        row = next(
            line for line in latex.splitlines() if line.startswith(f"{run.card.model_name} &")
        )
        assert f"{rate:.1f}" in row
    assert "\\begin{table}" in latex and latex.count("\\begin{table}") == 1
    if shutil.which("pdflatex"):  # what is in the table is asserted above, with and without LaTeX
        paper = r"\documentclass{article}\usepackage{booktabs}\begin{document}\input{table}\end{document}"
        (done.folder / "paper.tex").write_text(paper, "utf-8")
        made = subprocess.run(
            ["pdflatex", "-halt-on-error", "paper.tex"],
            cwd=done.folder,
            check=True,
            capture_output=True,
        )
        assert b"Overfull" not in made.stdout
    bib = (done.folder / "references.bib").read_text()
    keys = re.findall(r"^@\w+\{([^,]+),", bib, re.MULTILINE)
    assert {"nangia-etal-2020-crows", "elsafoury-2023-systematic", "may-etal-2019-measuring",
            "salazar-etal-2020-masked", "tiltmeter"} <= {*keys}  # fmt: skip
    assert (done.folder / "rates.svg").read_text().startswith("<svg")


def test_who_gets_chosen(job):
    done = job("who-gets-chosen")
    rows = table(done, "hired.csv")
    run = only(done, "decisions-*")
    for axis in ("sex", "race"):
        applied = Counter(row[axis] for row in rows)
        chosen = Counter(row[axis] for row in rows if row["selected"] == "1")
        rates = {group: chosen[group] / n for group, n in applied.items()}
        for group, rate in rates.items():
            ratio = estimate(run, "impact_ratio", **{axis: group})
            assert ratio.value == pytest.approx(rate / max(rates.values()))
            assert ratio.low <= ratio.value <= ratio.high
            assert estimate(run, "selection_rate", **{axis: group}).n == applied[group]


def test_is_it_the_names_or_is_it_noise(job):
    done = job("noise-or-bias")
    rows = table(done, "scores.csv")
    means = {}
    for row in rows:
        means.setdefault((row["text"], row["edit"]), []).append(int(row["score"]))
    texts = {text for text, _ in means}
    changes = {
        (text, edit): abs(np.mean(scores) - np.mean(means[text, "baseline"]))
        for (text, edit), scores in means.items()
    }
    size = {
        axis: np.mean([change for (_, edit), change in changes.items() if edit.startswith(axis)])
        for axis in ("name", "parental-leave", "placebo")
    }
    run = results(done, "placebo-*")[0]
    for axis in ("name", "parental-leave"):
        less = estimate(run, "effect_less_placebo", axis=axis)
        assert less.value == pytest.approx(size[axis] - size["placebo"])
        assert less.n == len(texts) * {"name": 4, "parental-leave": 2}[axis]


def test_annotations_that_you_already_have(job):
    done = job("annotations")
    rows = table(done, "tone.csv")
    given = [row for row in rows if row["tone"] != "NA"]
    by_item = {}
    for row in given:
        by_item.setdefault(row["item"], {})[row["annotator"]] = int(row["tone"])
    own, others = [], []
    for ratings in by_item.values():
        if "gus" in ratings and len(ratings) > 1:
            own.append(ratings["gus"])
            others.append(np.mean([v for who, v in ratings.items() if who != "gus"]))
    assert (
        f"{np.corrcoef(own, others)[0, 1]:.2f}".replace("-", "−")
        in done.said[next(iter(done.said))]
    )
    run = only(done, "agreement-*")
    assert len(rows) - len(given) == 2
    # Without the rows of missing words, nothing changes.
    with (done.folder / "blank.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(given)
    done.command("tiltmeter analyse agreement blank.csv --question tone --out blank")
    (folder,) = (done.folder / "blank").iterdir()
    again = {(e.name, *e.groups.values()): e.value for e in read(folder).estimates}
    assert {(e.name, *e.groups.values()): e.value for e in run.estimates} == again


def test_two_logs_of_another_harness(job):
    done = job("two-logs")
    scores = {}
    for version in ("old", "new"):
        (file,) = (done.folder / version).glob("samples_*.jsonl")
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        scores[version] = {row["doc_id"]: row["acc"] for row in rows if row["acc"] is not None}
    common = scores["old"].keys() & scores["new"].keys()
    assert (len(scores["old"]), len(scores["new"]), len(common)) == (60, 56, 56)
    difference = np.mean([scores["old"][i] - scores["new"][i] for i in common])
    compared = estimate(only(done, "compare-*"), "accuracy_difference")
    assert compared.n == 56
    assert compared.value == pytest.approx(100 * difference)
    assert compared.low <= compared.value <= compared.high


def test_your_own_benchmark(job):
    done = job("own-benchmark")
    run = only(done, "left_handed-fake-masked-*")
    wins = [r.scores["more"] > r.scores["less"] for r in run.records]
    assert len(wins) == 10
    assert run.headline.value == pytest.approx(100 * np.mean(wins))
    assert run.card.study_file["path"] == "left_handed.py"


def test_a_paper_again_with_your_model(job, monkeypatch):
    published.need("crows_pairs/crows_pairs_anonymized.csv")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    done = job("paper-again")
    page = (done.folder / "nangia" / "report.html").read_text("utf-8")
    assert "fake:masked" in page


@pytest.mark.slow
def test_did_the_mitigation_work(job, tmp_path):
    build("bert", tmp_path / "models" / "base")
    done = job("mitigation")
    made = only(done, "before_after-*")
    before, after = (
        estimate(only(done, f"starter_pairs-{name}-*"), "stereotype_rate")
        for name in ("base", "mitigated-gender")
    )
    change = estimate(made, "stereotype_rate_difference")
    assert change.value == pytest.approx(after.value - before.value)
    assert change.low <= change.value <= change.high
    assert change.n == before.n == after.n == 270


@pytest.mark.slow
def test_bias_during_training(job, tmp_path):
    build("bert", tmp_path / "models" / "base")
    done = job("during-training")
    (saved,) = results(done)
    said = done.said["python train.py"]
    assert f"step 4: {saved.headline.value:.1f} %" in said
    assert saved.headline.n == 40


@pytest.mark.slow
def test_five_hundred_paid_people(job):
    done = job("paid-panel", **{"8000": str(free_port())})
    with (done.folder / "lists" / "prolific-approve.txt").open(encoding="utf-8") as approved:
        assert sorted(int(line[-3:]) for line in approved) == [1, 2, 3, 4, 5, 6, 7]
    people = {row["id"]: row for row in table(done, "people.csv")}
    assert len(people) == 12
    assert sum(float(row["amount"]) for row in people.values()) == pytest.approx(11.0)
    answers = table(done, "answers/answers.csv")
    # how fast they were depends on the machine: they may have other marks, too
    marked = ["attention" in row["marks"] for row in answers if row["question"] == "fair"]
    assert Counter(marked) == {False: 20, True: 8}
    assert not {row["person"] for row in answers} & {*people}


@pytest.mark.slow
def test_judgments_of_people(job):
    done = job("ask-people")
    ratings = table(done, "answers/ratings.csv")
    assert len(ratings) == 8 * 4 * 6
    made = only(done, "compare_people-*")
    assert made.card.study == "compare_people"


class Assistant(chat_server.Handler):
    """Two versions of one model: the second thinks, puts its answer in a sentence, and refuses half."""

    def answer(self, body):
        answer = super().answer(body)
        number = zlib.crc32(body["messages"][-1]["content"].encode())
        refuses = body["model"] == "assistant-2" and number % 2
        text = ("Yes.", "No.")[number % 3 // 2]
        message = {"role": "assistant", "content": text}
        if body["model"] == "assistant-2":
            said = f"Based on the details, my answer is: **{text}**"
            message["content"] = "I'm sorry, but I can't help with that." if refuses else said
            message["reasoning_content"] = "Yes or no? The rules name an income and no person."
            answer["usage"]["completion_tokens"] = 24
        answer["choices"][0]["message"] = message
        return answer


def test_may_this_model_be_released(job):
    with chat_server.serving(chat_server.ChatServer(Assistant)) as server:
        server.tops = None
        (known,) = server.models
        server.models = [{**known, "id": f"assistant-{n}"} for n in (1, 2)]
        done = job("release-audit", **{"http://localhost:8000": server.url})
    cases = {c.get("name"): c for c in ET.parse(done.folder / "audit.xml").iter("testcase")}
    assert cases["decisions"].find("failure").get("type") == "unanswered"
    audit = read(done.folder / "audits" / "2")
    refused = next(
        e for e in audit.estimates if e.name == "refused_share" and e.study == "decisions"
    )
    (run,) = (r for r in audit.runs.values() if r.card.study == "decisions")
    said = [record.said for record in run.records]
    assert refused.value == pytest.approx(100 * np.mean([s.startswith("I'm sorry") for s in said]))
    assert refused.value > 20
