"""What a data set or a file holds: which study reads it, and how it is described."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import published
from tiltmeter.analysis.quality.composition import DataDescription
from tiltmeter.analysis.quality.contents import describe as describe_items
from tiltmeter.analysis.quality.contents import load, noun, trait_last
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.core.items import Dataset, Sentence
from tiltmeter.core.labelled_items import LabelledText
from tiltmeter.data.downloads import registry
from tiltmeter.data.texts.frequencies import Reference
from tiltmeter.run import item_loading

FILES = {
    "pairs.csv": "sent_more,sent_less\nShe sang.,He sang.\n",
    "triples.csv": "context,stereotype,anti_stereotype,unrelated,target,domain\n"
    "The nurse was BLANK.,calm,loud,purple,nurse,work\n",
    "lists.toml": 'templates = ["A {adjective} {identity}"]\n[identities.x]\nmarginalised = ["cook"]\n'
    '[adjectives]\noffensive = ["dull"]\npleasant = ["nice"]\n',
    "groups.toml": 'name = "mine"\nlanguage = "en"\n[[groups]]\nname = "nurse"\ndomain = "work"\n'
    '[[groups]]\nname = "cook"\ndomain = "work"\n[[pairs]]\nname = "w"\nleft = ["cold"]\n'
    'right = ["warm"]\n[[templates]]\nname = "t"\ntext = "The {group} is {trait}."\n',
    "t.json": '{"targ1": {"category": "X", "examples": ["rose", "lily"]}, '
    '"targ2": {"category": "Y", "examples": ["ant", "wasp"]}, '
    '"attr1": {"category": "A", "examples": ["joy"]}, "attr2": {"category": "B", "examples": ["war"]}}',
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: str(tmp_path / name) for name in FILES}


def describe(source: str, **about: Any) -> DataDescription:
    return describe_items(load(source, skip_invalid=True), source, **about)


PAIR_STUDIES = [
    "crows_pairs", "pairs", "sensible_pairs", "starter_pairs", "stereoset_pairs", "winobias", "winogender",
]  # fmt: skip


def names_of_readers(path: str) -> list[str]:
    return [study.name for study in item_loading.readers_of(Path(path))]


def test_files_are_recognised_by_the_studies_that_read_them(files: dict[str, str]) -> None:
    assert {name: names_of_readers(path) for name, path in files.items()} == {
        "pairs.csv": PAIR_STUDIES,
        "triples.csv": ["stereoset", "stereoset_pairs"],
        "lists.toml": ["sos", "sos_static"],
        "groups.toml": ["ceat", "group_traits"],
        "t.json": ["ceat", "seat", "weat"],
    }


def test_a_file_of_association_tests_is_not_taken_for_pairs(files: dict[str, str]) -> None:
    found = describe(files["t.json"])
    assert (found.estimates[0].value, found.facts["t"]) == (4, "X (2) and Y (2) by A (1) and B (1)")
    Path(files["t.json"]).write_text('{"targ1": 3}')
    with pytest.raises(BadItems, match="targ1"):
        load(files["t.json"], skip_invalid=False)


def test_files_are_described_by_the_kind_of_their_items(files: dict[str, str]) -> None:
    numbers = {
        name: {e.name for e in describe(path).estimates} & {"flagged", "terms"}
        for name, path in files.items()
        if name.endswith((".csv", "lists.toml"))
    }
    assert numbers == {
        "pairs.csv": {"flagged"},
        "triples.csv": {"terms"},
        "lists.toml": {"flagged"},
    }
    assert noun(load(files["pairs.csv"], skip_invalid=False)) == "pairs"
    assert noun(load(files["triples.csv"], skip_invalid=False)) == "triples"


def test_a_plug_in_that_declares_a_layout_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.odd"
    file.write_text("ODD")
    items = [Sentence("1", "secret")]

    def read(source: object = None, **_: object) -> Dataset[Sentence]:
        return Dataset(Path(str(source)).name, "1", items, "", "", about={"lines": "1"})

    study = replace(
        find("studies", "perplexity", "STUDY"), load=read, settings=(),
        reads=lambda path, _: path.suffix == ".odd",
    )  # fmt: skip
    monkeypatch.setattr(item_loading, "all_studies", lambda: [study])
    found = describe(str(file))
    assert [(e.name, e.value) for e in found.estimates] == [("items", 1), ("share", 100)]
    assert (found.records, found.notes, found.facts) == ([], [], {"lines": "1"})
    assert "secret" not in str(found)
    assert noun(load(str(file), skip_invalid=False)) == "items"
    with pytest.raises(BadInput, match="holds items, which have no keywords"):
        describe(str(file), reference=Reference("words", {}))


def test_registered_data_are_read_by_the_study_they_matter_most_to() -> None:
    starter = load("starter_pairs", skip_invalid=True)
    assert (noun(starter), starter.name) == ("pairs", "starter_pairs")


@pytest.mark.parametrize(
    ("name", "texts"), [("davidson", 24_783), ("ethos", 998), ("hatecheck", 3_728)]
)
def test_labelled_texts_are_counted_and_not_what_a_study_makes_of_them(
    name: str, texts: int
) -> None:
    """The sizes are those of the papers: Davidson et al. 2017, Mollas et al. 2022, Röttger et al. 2021."""
    for file in registry.find(name).files:
        published.need(file.path)
    data = load(name, skip_invalid=True)
    assert len(data.items) == texts
    assert all(isinstance(item, LabelledText) for item in data.items[:3])
    found = describe_items(data, name)
    labels = [e for e in found.estimates if e.name == "items" and [*e.groups] == ["label"]]
    assert sum(e.value or 0 for e in labels) == texts


def test_annotations_that_are_all_empty_are_a_note(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("sent_more,sent_less,annotations\nShe sang.,He sang.,[]\nAnn sat.,Ben sat.,x\n")
    quality = describe(str(path))
    assert "annotated" not in {e.name for e in quality.estimates}
    assert "No annotation can be used" in quality.notes[-1]


def test_what_nothing_reads_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="starter_pairs"):
        load("starter_pears", skip_invalid=True)
    odd = tmp_path / "odd.toml"
    odd.write_text("x = 1\n")
    with pytest.raises(BadInput, match="no study reads a TOML file of this layout"):
        load(str(odd), skip_invalid=True)
    odd.write_text("x = = 1\n")
    with pytest.raises(BadInput, match="is not TOML"):
        load(str(odd), skip_invalid=True)


def test_cells_say_how_many_templates_end_with_the_trait() -> None:
    sample = find("studies", "group_traits", "STUDY").sample()
    last, of = trait_last(sample) or (0, 0)
    assert of == len({cell.cluster for cell in sample.items}) and 0 < last <= of
    assert trait_last(find("studies", "stereoset", "STUDY").sample()) is None
