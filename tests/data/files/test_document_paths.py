"""A document of somebody else's reads its own files and those of the user's data, and nothing else."""

import os
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.data.files.document_paths import confined, path_beside
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
from tiltmeter.papers.paper_file import read_paper
from tiltmeter.run.sweeps.audit_profile import read_profile
from tiltmeter.run.sweeps.sweep import read_sweep


@pytest.fixture
def document(tmp_path, monkeypatch):
    """A document in a folder of its own, beside secrets; the user stands in the folder above."""
    home = tmp_path / "home"
    for folder in ("downloads/inner", "data", "models/mine"):
        (home / folder).mkdir(parents=True)
    for file in ("secret.csv", "downloads/own.csv", "downloads/inner/own2.csv", "data/shared.csv",
                 "data/both.csv", "downloads/both.csv", "models/mine/config.json"):  # fmt: skip
        (home / file).write_text("sent_more,sent_less\nroot:x:0:0,b\n")
    (home / "downloads/link.csv").symlink_to(home / "secret.csv")
    (home / "downloads/linked").symlink_to(home)
    (home / "data/link.csv").symlink_to("/etc/passwd")
    monkeypatch.setenv("TILTMETER_DATA", str(home / "data"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    return home / "downloads" / "paper.toml"


OUTSIDE = [
    "/etc/passwd", "/etc", "../secret.csv", "secret.csv", "inner/../../secret.csv", "link.csv",
    "linked/secret.csv", "~/secret.csv", "~root", "/etc/no-such-file", "../no-such-file",
    "/proc/self/environ", "../data/../secret.csv", " /etc/passwd", "./secret.csv",
]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_lies_elsewhere_is_refused(document, name):
    with pytest.raises(Fault, match=r"is not in the folder of this file, nor in \$TILTMETER_DATA"):
        confined(name, document)
    for form in ("replay:{}", "ensemble:own.csv=2+{}", "replay:own.csv,{}", "lexicon:{}"):
        with pytest.raises(Fault):
            confined(form.format(name), document)
    with pytest.raises(Fault, match=r"settings\.people"):
        confined({"data": "own.csv", "settings": {"people": name}}, document)


def test_its_own_files_and_the_users_data_are_found_from_anywhere(document):
    own, home = document.parent, document.parents[1]
    assert confined("own.csv", document) == str(own / "own.csv")
    assert confined("inner/own2.csv", document) == str(own / "inner/own2.csv")
    assert confined("inner/../own.csv", document) == str(own / "inner/../own.csv")
    assert confined("shared.csv", document) == str(home / "data/shared.csv")
    assert confined("both.csv", document) == str(own / "both.csv")
    assert confined(str(home / "data/shared.csv"), document) == str(home / "data/shared.csv")
    assert confined("~/downloads/own.csv", document) == str(own / "own.csv")
    assert confined("replay:own.csv,shared.csv", document) == (
        f"replay:{own / 'own.csv'},{home / 'data/shared.csv'}"
    )
    os.chdir(own)
    with pytest.raises(Fault):
        confined("linked", document)
    assert confined("own.csv", document) == "own.csv"
    assert confined("own.csv", Path("paper.toml")) == "own.csv"


def test_what_is_no_path_stays(document):
    values = {
        "rule": "pll_all", "limit": 20, "set": {"benchmarks": "D1,N4", "text": "a / b: c = d"},
        "of": ("x", None),
        "data": "crows_pairs", "url": "served:http://localhost:8000/v1#m", "hub": "hf://a/b/c.csv",
    }  # fmt: skip
    assert confined(values, document) == values


def test_folders_of_models_may_lie_anywhere_and_files_may_not(document):
    assert confined("models/mine", document, model=True) == "models/mine"
    assert confined("masked:models/mine", document, model=True) == "masked:models/mine"
    with pytest.raises(Fault):
        confined("models/mine", document)
    for name in ("replay:secret.csv", "vectors:/etc/passwd", "/etc/passwd"):
        with pytest.raises(Fault):
            confined(name, document, model=True)


def test_a_file_that_must_be_there(document):
    assert path_beside("own.csv", document) == document.parent / "own.csv"
    with pytest.raises(Fault, match=r"there is no file 'none\.csv'"):
        path_beside("none.csv", document)


PAPER = """
title = "P"
source = "S"
[models.m]
called = "m"
reference = "{model}"
[runs.r]
study = "pairs"
data = "{data}"
[[runs.r.stored]]
file = "{file}"
[analyses.a]
analysis = "compare"
inputs = ["{input}"]
[[item]]
name = "T1"
title = "T"
of = ["r", "a"]
rows = ["model"]
"""
GOOD = {"model": "fake", "data": "own.csv", "file": "own.csv", "input": "own.csv"}


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "secret.csv", "link.csv"])
@pytest.mark.parametrize("kind", GOOD)
def test_a_paper_names_only_its_own_files(document, kind, name):
    document.write_text(PAPER.format(**GOOD))
    read_paper(str(document))
    document.write_text(
        PAPER.format(**GOOD | {kind: f"replay:{name}" if kind == "model" else name})
    )
    with pytest.raises(
        BadItems, match=r"paper\.toml: (models\.m|runs\.r|analyses\.a).*is not in"
    ) as refused:
        read_paper(str(document))
    assert "root:x" not in str(refused.value)


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "secret.csv", "link.csv"])
def test_sweeps_profiles_and_prompt_sets_name_only_their_own_files(document, name):
    study = '[[study]]\nname = "pairs"\ndata = "{}"\n'
    texts = 'title = "t"\ntexts = "{}"\n'
    sweep, model = study + '[[model]]\nname = "fake"\n', '[[model]]\nname = "replay:{}"\n' + study
    for text, reader in ((sweep, read_sweep), (study, lambda path: read_profile(str(path))),
                         (texts, read_prompt_set)):  # fmt: skip
        document.write_text(text.format(name))
        with pytest.raises(BadItems, match=r"paper\.toml: .*is not in the folder"):
            reader(document)
    document.write_text(model.format(name, "own.csv"))
    with pytest.raises(BadItems, match=r"model\[1\].*is not in the folder"):
        read_sweep(document)
    document.write_text(sweep.format("own.csv"))
    assert read_sweep(document).studies[0].options["data"] == str(document.parent / "own.csv")
