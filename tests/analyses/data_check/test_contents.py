"""What a data set or a file holds: which study reads it, and how it is described."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support import published
from tiltmeter.analyses.data_check.contents import describe as describe_items
from tiltmeter.analyses.data_check.data_description import DataDescription
from tiltmeter.core.data.items import Dataset, Sentence
from tiltmeter.core.data.labelled_items import LabelledText
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.finder import find
from tiltmeter.data.downloads import registry
from tiltmeter.data.texts.frequencies import Reference
from tiltmeter.run.planning import item_loading
from tiltmeter.run.planning.data_source import load_source

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
    return describe_items(load_source(source, skip_invalid=True), source, **about)


def test_a_file_of_association_tests_is_not_taken_for_pairs(files: dict[str, str]) -> None:
    found = describe(files["t.json"])
    assert (found.estimates[0].value, found.facts["t"]) == (4, "X (2) and Y (2) by A (1) and B (1)")
    Path(files["t.json"]).write_text('{"targ1": 3}')
    with pytest.raises(BadItems, match="targ1"):
        load_source(files["t.json"], skip_invalid=False)


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
    assert load_source(files["pairs.csv"], skip_invalid=False).noun == "pairs"
    assert load_source(files["triples.csv"], skip_invalid=False).noun == "triples"


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
    assert load_source(str(file), skip_invalid=False).noun == "items"
    with pytest.raises(BadInput, match="holds items, which have no keywords"):
        describe(str(file), reference=Reference("words", {}))


@pytest.mark.parametrize(
    ("name", "texts"), [("davidson", 24_783), ("ethos", 998), ("hatecheck", 3_728)]
)
def test_labelled_texts_are_counted_and_not_what_a_study_makes_of_them(
    monkeypatch: pytest.MonkeyPatch, name: str, texts: int
) -> None:
    """The sizes are those of the papers: Davidson et al. 2017, Mollas et al. 2022, Röttger et al. 2021."""
    for file in registry.find(name).files:
        published.need(file.path)
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    data = load_source(name, skip_invalid=True)
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
