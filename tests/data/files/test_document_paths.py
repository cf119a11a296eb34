"""A document of somebody else's reads its own files and those of the user's data, and nothing else."""

import os
from pathlib import Path

import pytest

from support.confined_documents import document
from tiltmeter.core.errors import BadItems
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.data.files.document_paths import confined, path_beside
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set
from tiltmeter.run.audits.audit_profile import read_profile
from tiltmeter.run.sweeps.sweep import read_sweep

__all__ = ["document"]
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
    elsewhere = Path("models/mine").absolute()
    for name in (str(elsewhere), f"masked:{elsewhere}"):
        assert confined(name, document, model=True) == name
    with pytest.raises(Fault):
        confined("models/mine", document)
    for name in ("replay:secret.csv", "vectors:/etc/passwd", "/etc/passwd"):
        with pytest.raises(Fault):
            confined(name, document, model=True)


def test_a_file_that_must_be_there(document):
    assert path_beside("own.csv", document) == document.parent / "own.csv"
    with pytest.raises(Fault, match=r"there is no file 'none\.csv'"):
        path_beside("none.csv", document)


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
