"""Which study reads a data set or a file that is named, and what is refused."""

from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
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


def names_of_readers(path: str) -> list[str]:
    return [study.name for study in item_loading.readers_of(Path(path))]


PAIR_STUDIES = [
    "crows_pairs", "pairs", "sensible_pairs", "starter_pairs", "stereoset_pairs", "winobias", "winogender",
]  # fmt: skip


def test_files_are_recognised_by_the_studies_that_read_them(files: dict[str, str]) -> None:
    assert {name: names_of_readers(path) for name, path in files.items()} == {
        "pairs.csv": PAIR_STUDIES,
        "triples.csv": ["stereoset", "stereoset_pairs"],
        "lists.toml": ["sos", "sos_static"],
        "groups.toml": ["ceat", "group_traits"],
        "t.json": ["ceat", "seat", "weat"],
    }


def test_registered_data_are_read_by_the_study_they_matter_most_to() -> None:
    starter = load_source("starter_pairs", skip_invalid=True)
    assert (starter.noun, starter.name) == ("pairs", "starter_pairs")


def test_what_nothing_reads_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="starter_pairs"):
        load_source("starter_pears", skip_invalid=True)
    odd = tmp_path / "odd.toml"
    odd.write_text("x = 1\n")
    with pytest.raises(BadInput, match="no study reads a TOML file of this layout"):
        load_source(str(odd), skip_invalid=True)
    odd.write_text("x = = 1\n")
    with pytest.raises(BadInput, match="is not TOML"):
        load_source(str(odd), skip_invalid=True)
