"""Whatever states a source that has an identifier is in the bibliography."""

import re

import pytest

from support.citations import identifiers_of
from tiltmeter.core.finder import find, known
from tiltmeter.data.citations.references import cited_in, known_by, plain, references
from tiltmeter.data.downloads.registry import known_sets
from tiltmeter.data.downloads.weights import WEIGHTS

STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}
OURS = {"Tiltmeter", "Tiltmeter; the published study counts replies"}
"""Sources that name nobody else."""
NEEDED = {
    "article": {"journal"}, "inproceedings": {"booktitle"}, "phdthesis": {"school"}, "misc": set(),
}  # fmt: skip


def sources():
    for study in STUDIES.values():
        yield f"study {study.name}", study.source
        yield from ((f"rule {rule.name}", rule.source) for rule in study.rules)
        yield from ((f"convention {c.name}", c.source) for c in study.conventions)
    yield from ((f"model {name}", weights.citation) for name, weights in WEIGHTS.items())


@pytest.mark.parametrize(("what", "source"), sorted({*sources()}))
def test_every_source_has_its_references(what, source):
    assert cited_in(source) or not source or source in OURS, what
    for identifier in identifiers_of(source):
        assert cited_in(identifier), f"{what}: {identifier} is not in references.bib"


@pytest.mark.parametrize("name", sorted(known_sets()))
def test_every_data_set_is_cited_by_an_entry_that_its_own_source_agrees_with(name):
    known_set = known_sets()[name]
    assert known_set.citation in {r.bibtex for r in references().values()}


def test_every_entry_is_complete():
    keys = re.findall(
        r"^@\w+\{([^,]+),", "\n".join(r.bibtex for r in references().values()), re.MULTILINE
    )
    assert len(keys) == len(set(keys)) == len(references())
    for reference in references().values():
        fields = reference.fields
        assert {"title", "author", "year"} | NEEDED[reference.kind] <= fields.keys(), reference.key
        assert re.fullmatch(r"(19|20)\d\d", fields["year"])
        assert reference.bibtex.count("{") == reference.bibtex.count("}")
        assert reference.bibtex.isascii(), reference.key
        assert not {"aliases", "keywords"} & {*re.findall(r"(\w+) = \{", reference.bibtex)}
        assert not re.search(r"[{}\\]", reference.in_sentence)


def test_no_identifier_means_two_entries():
    names = [name for r in references().values() for name in r.identifiers]
    assert len(names) == len(set(names))


def test_an_identifier_is_found_whole():
    assert [r.key for r in cited_in("doi:10.18653/v1/2021.acl-long.416, section 5")] == [
        "nadeem-etal-2021-stereoset"
    ]
    assert [r.key for r in cited_in("DOI:10.18653/v1/2021.acl-long.4.")] == [
        "rottger-etal-2021-hatecheck"
    ]
    assert cited_in("doi:10.18653/v1/2021.acl-long.41") == []
    assert [r.key for r in cited_in("arXiv:2103.12407v4")] == ["chiu-etal-2022-detecting"]


def test_references_stand_in_the_order_of_the_source():
    source = "Guo 2021, doi:10.1145/3461702.3462536; May 2019, doi:10.18653/v1/N19-1063"
    assert [r.in_sentence for r in cited_in(source)] == ["Guo and Caliskan 2021", "May et al. 2019"]


def test_methods_and_software_are_found_by_name():
    assert [r.in_sentence for r in known_by(["torch"])] == ["Paszke et al. 2019"]
    assert known_by(["nothing"]) == []


def test_accents_are_written_out():
    assert plain(r"N{\'e}v{\'e}ol and Daum{\'e} III") == "Névéol and Daumé III"
    assert (
        references()["ruiz-fernandez-etal-2025-esbbq"].in_sentence == "Ruiz-Fernández et al. 2025"
    )
