"""A paper's file: those that come with the package are sound, and what is wrong with one's own is said."""

import pytest

from support.citations import identifiers_of
from tiltmeter.core.errors import BadItems, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.data.citations.references import cited_in
from tiltmeter.papers.paper_file import papers, read_paper
from tiltmeter.papers.sources import made_options
from tiltmeter.run.sweeps.sweep import Entry, check_rule, run_options_of

FILE = """
title = "Mine"
source = "me"
[models.bert]
called = "bert-base-uncased"
reference = "google-bert/bert-base-uncased"
[runs.sos]
study = "sos"
[[item]]
name = "T1"
title = "SOS"
of = ["sos"]
rows = ["attribute"]
"""


LATER = """[analyses.a]
analysis = "seeds"
of = ["b"]
[analyses.b]
analysis = "seeds"
of = ["sos"]
[[item]]"""
"""An analysis that takes a later one, which is not there when it is computed."""


@pytest.mark.parametrize("name", papers())
def test_what_the_papers_name_exists(name):
    paper = read_paper(name)
    for run in paper.runs:
        study = find("studies", run.study, "STUDY")
        check_rule(study, run_options_of(Entry(run.study, run.options)))
    for source in paper.analyses:
        made_options(source, {})
    assert {name for item in paper.items for name in item.of} <= {
        source.name for source in (*paper.runs, *paper.analyses)
    }
    assert all(model.reference or model.why for model in paper.models)


def write(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return str(path)


def test_a_file_of_ones_own(tmp_path):
    paper = read_paper(write(tmp_path, FILE))
    assert (paper.name, paper.runs[0].study, paper.items[0].rows) == ("mine", "sos", ("attribute",))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('of = ["sos"]', 'of = ["sso"]', "'T1': of names 'sso', which is none"),
        ('rows = ["attribute"]', "", "has no content"),
        ('rows = ["attribute"]', 'rows = ["a"]\npublished = ["nangia"]', "No published table named"),
        ('study = "sos"', 'study = "sos"\nmodels = ["gpt"]', "runs.sos: models names 'gpt'"),
        ('study = "sos"', 'study = "sos"\nruel = "x"', "unknown key 'ruel'"),
        ("[[item]]", LATER, "analyses.a: of names 'b'"),
    ],
)  # fmt: skip
def test_mistakes_are_all_named(tmp_path, old, new, message):
    with pytest.raises(BadItems) as error:
        read_paper(write(tmp_path, FILE.replace(old, new)))
    assert message in str(error.value)


def test_an_unknown_paper_is_refused():
    with pytest.raises(UnknownName, match="nangia2020"):
        read_paper("nangia202")


@pytest.mark.parametrize("name", papers())
def test_the_source_of_a_paper_has_its_references(name):
    source = read_paper(name).source
    assert cited_in(source)
    for identifier in identifiers_of(source):
        assert cited_in(identifier), f"{identifier} is not in references.bib"
