"""How results are cited, whatever they are of."""

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache

import pytest

from report import contexts
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.finder import find, known
from tiltmeter.core.results import Card, Result
from tiltmeter.data.citations.references import cited_in
from tiltmeter.data.memory.samples import drawn_from, sampled
from tiltmeter.derived.run_tables.run_table import run_table
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.report import citation as citations
from tiltmeter.report.documents.run_tables.run_table_notes import table_facts
from tiltmeter.report.text import title
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}


def result(model="ours", rule="pll_shared", **card):
    """A result of CrowS-Pairs."""
    rate = Estimate("stereotype_rate", 60.0, 55.0, 65.0, 0.01, 400, 50, "%", interval="Wilson",
                    test="sign test", meaning=Meaning("Stereotype rate", counts="pairs"))  # fmt: skip
    of_age = replace(rate, groups={"bias_type": "age"}, p_adjusted=0.02, adjustment="Holm")
    data = {"name": "crows_pairs", "version": "8aaac11", "sha256": "ab" * 32, "licence": "CC BY-SA 4.0",
            "source": "CrowS-Pairs; doi:10.18653/v1/2020.emnlp-main.154"}  # fmt: skip
    about = {"model": {"name": model, "kind": "masked", "libraries": "torch 2.13.0, ours 1"},
             "data": data, "rule": rule, "convention": "paper", "ties": "half",
             "counts": {"scored": 400}, "versions": {"tiltmeter": "9.8.7", "numpy": "2.4.6"}}  # fmt: skip
    return Result(Card("crows_pairs", "2", **(about | card)), [], [rate, of_age])


def citation(results, **options):
    """The paragraphs and the BibTeX as one text."""
    return str(citations.citation(results, **options))


def entries(text):
    """The keys of a .bib file as BibTeX reads it: an @ begins an entry, whose braces are balanced."""
    keys, place = [], 0
    while (place := text.find("@", place)) >= 0:
        start = re.compile(r"@\w+\{([^,\s]+),").match(text, place)
        assert start, text[place : place + 40]
        keys.append(start[1])
        depth, place = 1, start.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
    assert len(keys) == len(set(keys))
    return keys


def test_the_facts_are_those_of_the_card():
    text = " ".join(citation([result()]).split())
    assert "“Stereotype rate” with CrowS-Pairs" in text
    assert "CrowS-Pairs (Nangia et al. 2020) on 400 pairs of crows_pairs (version 8aaac11, " in text
    assert "SHA-256 abababababab…, licence CC BY-SA 4.0)" in text
    assert "The model was ours (masked)." in text
    assert "by rule pll_shared (Nangia et al. 2020)" in text
    assert "Ties count one half." in text
    assert "Wilson, 95 % (Wilson 1927)" in text
    assert "adjusted by Holm’s method (Holm 1979)" in text
    assert "Tiltmeter 9.8.7 (The Tiltmeter authors 2026), with numpy 2.4.6 (Harris" in text
    assert "torch 2.13.0 (Paszke et al. 2019)" in text
    assert "note = {Version 9.8.7}" in text


def test_models_that_were_measured_alike_share_a_paragraph():
    text = " ".join(citation([result("a"), result("b"), result("c", ties="loss")]).split())
    assert "The models were a (masked) and b (masked)." in text
    assert text.count("We measured") == 2


def test_models_that_were_scored_by_different_rules_are_told_apart():
    text = " ".join(citation([result("a"), result("b"), result("c", rule="aul")]).split())
    assert text.count("We measured") == 1
    assert "Scores of a and b were computed by rule pll_shared (Nangia et al. 2020)." in text
    assert "Scores of c were computed by rule aul (Kaneko and Bollegala 2022)." in text


def test_all_that_is_cited_is_listed_once():
    text = citation([result("a"), result("b", rule="aul")])
    assert entries(text) == sorted(entries(text))
    assert {"nangia-etal-2020-crows", "kaneko-bollegala-2022-unmasking", "tiltmeter",
            "wilson-1927-probable", "holm-1979-simple", "paszke-etal-2019-pytorch",
            "harris-etal-2020-array"} == {*entries(text)}  # fmt: skip


def test_in_latex_every_reference_is_a_citation_of_a_listed_key():
    text = citation([result("a_b")], latex=True)
    keys = {key for keys in re.findall(r"\\citep\{([^}]+)\}", text) for key in keys.split(",")}
    assert keys == {*entries(text)}
    assert r"a\_b" in text
    assert "“" not in text


@pytest.mark.parametrize("latex", [False, True])
def test_foreign_names_are_no_entries_and_no_commands(latex):
    name = "@misc{evil, \\input{x}} \x1b[31m"
    text = citation([result(name)], latex=latex)
    assert "tiltmeter" in entries(text)
    assert "evil" not in entries(text)
    assert "\x1b" not in text
    assert not (latex and "\\input" in text)


def test_a_convention_that_departs_from_the_paper_is_named():
    text = " ".join(citation([result(convention="nangia2020")]).split())
    assert "We followed the convention “nangia2020” (Nangia et al. 2020)." in text
    assert "convention “paper”: each rule as its paper defines it." in " ".join(
        citation([result()]).split()
    )


def test_measures_that_are_read_together_are_all_named():
    text = " ".join(citation([contexts.result("a")]).split())
    assert "(lms)”, “Stereotype score (ss)” and “Idealized CAT score (icat)” with StereoSet" in text


def test_data_of_another_source_than_the_study_are_cited():
    elsewhere = {**result().card.data, "source": "StereoSet; doi:10.18653/v1/2021.acl-long.416"}
    text = " ".join(citation([result(data=elsewhere)]).split())
    assert "of crows_pairs (Nadeem et al. 2021) (version 8aaac11" in text


@pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("bibtex")), reason="no LaTeX here"
)
def test_paragraphs_and_references_compile_with_natbib(tmp_path):
    text = citation([result("a_b"), result("b", rule="aul")], latex=True)
    paragraphs = text[: text.index("\n@")]
    (tmp_path / "references.bib").write_text(text, "utf-8")
    (tmp_path / "a.tex").write_text(
        r"\documentclass{article}\usepackage{natbib}\begin{document}" + paragraphs
        + r"\bibliographystyle{plainnat}\bibliography{references}\end{document}", "utf-8",
    )  # fmt: skip
    for command in (["pdflatex"], ["bibtex"], ["pdflatex"], ["pdflatex"]):
        options = ["-halt-on-error"] if command == ["pdflatex"] else []
        subprocess.run([*command, *options, "a"], cwd=tmp_path, check=True, capture_output=True)
    log = (tmp_path / "a.log").read_text("latin-1")
    assert "undefined" not in log


@cache
def measured(name):
    """A study of all but one of its made-up items, by a made-up model."""
    study, where = STUDIES[name], resolve("fake", Options())
    model = open_model(where, Options())
    chosen = choose(study, where.answers, model=model.name)
    items = study.sample()
    return measure(study, model, sampled(items, len(items.items) - 1), chosen=chosen)


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_every_study_is_cited_with_its_rule(name):
    study, made = STUDIES[name], measured(name)
    text = citation([made])
    wanted = {r.key for r in cited_in(study.source)}
    rules = [rule for rule in study.rules if rule.name in made.card.rule.split("+")]
    wanted |= {r.key for rule in rules for r in cited_in(rule.source)}
    assert wanted | {"tiltmeter"} <= {*entries(text)}


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_the_paragraph_and_the_table_say_the_same(name):
    """Measures, amounts, data and methods of intervals: of the numbers in the table, and of no others."""
    made, other = measured(name), result("other")
    other = other if name != "crows_pairs" else measured("winobias")
    table = run_table([made, other], rows=["model"], columns=["study"])
    cells = [p for p in table.cells.values() if p.card is made.card]
    facts = table_facts(table, "below", {"study": {name: name}}, [])
    first, *_ = citation([made], tables=[table]).split("\n\n")
    paragraph = " ".join(first.split())
    assert cells
    assert re.findall("“([^”]+)”", paragraph.partition(" with ")[0]) == list(
        dict.fromkeys(title(p.estimate) for p in cells)
    )
    assert all(title(p.estimate) in facts[name] + facts.get("Measure", "") for p in cells)
    amount = facts[name].rpartition("; ")[2]
    drawn = drawn_from(made.card.data)
    assert f"{drawn.drawn:,} of {drawn.whole:,} " in amount
    assert drawn.name in amount
    assert f" on {amount}" in paragraph
    for p in cells:
        method = p.estimate.interval if p.estimate.low is not None else "Intervals: none"
        assert method in paragraph
        assert p.estimate.low is None or method in facts["In brackets"]


def test_methods_of_several_measures_are_said_for_each():
    """StereoSet: the lms has an interval of its own; a number without an interval has its reason."""
    of = contexts.result("a")
    ways = {"ss": "Wilson", "lms": "bootstrap", "icat": ""}

    def changed(e):
        none = {} if ways[e.name] else {"low": None, "high": None, "why": "no interval: too few"}
        return replace(
            e, interval=ways[e.name], test=ways[e.name] and f"{ways[e.name]} test", **none
        )

    made = replace(of, estimates=[changed(e) for e in of.estimates if e.name in ways])
    text = " ".join(citation([made]).split())
    assert "(lms): bootstrap, 95 %; Stereotype score (ss): Wilson, 95 %; Idealized CAT" in text
    assert "(icat): none, because too few (" in text
    assert "(lms): bootstrap test; Stereotype score (ss): Wilson test." in text


def test_a_setting_that_is_a_most_is_said_to_be_one():
    """80 sentences, where 500 were asked for and fewer are there."""
    study = STUDIES["perplexity"]
    data = study.load("starter_text", settings={"sentences": "500"})
    where = resolve("fake", Options())
    model = open_model(where, Options())
    chosen = choose(study, where.answers, model=model.name)
    text = " ".join(citation([measure(study, model, data, chosen=chosen)]).split())
    assert f"on {len(data.items)} sentences of starter_text" in text
    assert "sentences = at most 500, shortest = 5" in text
