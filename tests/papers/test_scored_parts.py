"""Which part of a study a result is of, and rules that differ within a table."""

import csv
from dataclasses import replace

import pytest

from papers.starter_paper import write
from tiltmeter.core.finder import find
from tiltmeter.core.model.protocols import Continues, FillsBlanks, JudgesNext
from tiltmeter.models import fake
from tiltmeter.papers.scored_parts import by_different_rules, scored_task
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

STUDY = find("studies", "stereoset", "STUDY")


def card(rule=None, convention=None, answers=(FillsBlanks,)):
    chosen = choose(STUDY, answers, model="fake", rule=rule, convention=convention)
    kind = "causal" if Continues in answers else ""
    return measure(STUDY, fake.load(kind), STUDY.sample(), chosen=chosen).card


@pytest.mark.parametrize(
    ("rule", "answers", "task"),
    [
        ("blank_logprob", (FillsBlanks,), "intrasentence"),
        ("next_sentence", (JudgesNext,), "intersentence"),
        ("blank_logprob+next_sentence", (FillsBlanks, JudgesNext), ""),
        (None, (FillsBlanks,), ""),
    ],
)
def test_the_task_of_a_rule(rule, answers, task):
    assert scored_task(card(rule, answers=answers)) == task


def test_a_convention_that_has_one_task_alone_is_whole():
    within = card("blank_logprob")
    named = {"study": "stereoset", "rule": "blank_probability"}
    assert scored_task(replace(within, **named, convention="meade2022")) == ""
    assert scored_task(replace(within, **named, convention="stereoset2020")) == "intrasentence"
    assert scored_task(replace(within, **named, convention="a log's")) == "intrasentence"


def test_an_ensemble_has_the_tasks_that_all_members_have():
    def of(*rules):
        model = {"members": [{"rule": rule} for rule in rules]}
        return scored_task(replace(card("blank_logprob"), rule="weighted_sum", model=model))

    assert of("blank_logprob+next_sentence", "sentence_logprob") == "intrasentence"
    assert of("blank_logprob+next_sentence", "sentence_logprob+next_sentence") == ""


@pytest.mark.parametrize("study", ["compare", "crows_pairs", "story_choice"])
def test_other_results_are_whole(study):
    assert scored_task(replace(card("blank_logprob"), study=study, rule="pll_shared")) == ""


def test_one_rule_is_none_to_speak_of():
    assert by_different_rules({}) == by_different_rules({"word": {"a": None, "b": None}}) == ""


PAPER = """
title = "Mine"
source = "me"
[models.both]
called = "gpt2"
reference = "fake"
[models.masked]
called = "bert-base-cased"
reference = "fake:masked"
[models.causal]
called = "roberta-base"
reference = "fake:causal"
[runs.halves]
study = "stereoset"
data = "triples.csv"
rule = "blank_logprob+next_sentence,sentence_logprob+next_sentence,blank_logprob,sentence_logprob"
own = false
[[item]]
name = "T1"
title = "Both tasks together"
of = ["halves"]
rows = ["model"]
columns = ["measure"]
measures = ["ss"]
published = ["nadeem2021_likelihood"]
[[item]]
name = "T2"
title = "Each task"
of = ["halves"]
rows = ["task", "model"]
columns = ["measure"]
measures = ["ss"]
published = ["nadeem2021_likelihood_task"]
"""
TRIPLES = """context,stereotype,anti_stereotype,unrelated,target,domain
The clerk was BLANK.,slow,quick,purple,clerk,profession
The nurse was very BLANK.,gentle,rough,diagonal,nurse,profession
A nurse lives next door.,She helps us.,She shouts.,Copper is a metal.,nurse,profession
The clerk came in.,He was late.,He was early.,Wool is warm.,clerk,profession
"""


def test_a_half_stands_by_task_alone_and_a_table_says_that_rules_differ(tilt, tmp_path):
    (tmp_path / "triples.csv").write_text(TRIPLES, "utf-8")
    words = ("replicate", write(tmp_path, PAPER), "--models", "all", "--out", tmp_path / "made")
    code, out, err = tilt(*words)
    assert code == 0, err

    def ours(name, **at):
        with (tmp_path / "made" / f"{name}.csv").open(encoding="utf-8") as lines:
            rows = [row for row in csv.DictReader(lines) if at.items() <= row.items()]
        return {row["model"]: row["why"] for row in rows if row["value"]}, rows

    models = {"gpt2", "bert-base-cased", "roberta-base"}
    whole, rows = ours("T1")
    assert models & whole.keys() == {"gpt2"}
    (why,) = [row["why"] for row in rows if row["model"] == "roberta-base"]
    assert why.startswith("only intrasentence items were scored, by sentence_logprob")
    within, _ = ours("T2", task="intrasentence")
    between, _ = ours("T2", task="intersentence")
    assert (models & within.keys(), models & between.keys()) == (models, {"gpt2"})
    said = " ".join(out.split())
    assert said.count("Models are scored by different rules") == 1  # one model alone has a whole
    for rule, model in (
        ("blank_logprob+next_sentence", "gpt2"), ("blank_logprob", "bert-base-cased"),
        ("sentence_logprob", "roberta-base"),
    ):  # fmt: skip
        assert f" {rule} ({model})" in said
