"""What a sweep's file may say, and what tells its cells apart."""

import dataclasses
import os
import re
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.files.folder import write
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.run_options import ReplyOptions, RunOptions
from tiltmeter.run.sweeps.sweep import (
    cell_id,
    check_rule,
    opening_options_of,
    read_sweep,
    run_options_of,
    sealed,
)
from tiltmeter.studies import crows_pairs, stereoset

STUDY = '[[study]]\nname = "crows_pairs"\n'
MODEL = '[[model]]\nname = "fake"\n'


@pytest.fixture
def said(tmp_path):
    def write_file(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return read_sweep(path)

    return write_file


def test_options_go_to_those_they_are_about(said):
    found = said(
        f'seed = 3\nprecision = "bfloat16"\n{STUDY}rule = "aul"\n{MODEL}batch_tokens = 512\n'
        f'[[model]]\nname = "fake:masked"\nprecision = "float32"\n'
    )
    (study,) = found.studies
    assert (study.name, study.options) == ("crows_pairs", {"seed": 3, "rule": "aul"})
    first, second = found.models
    assert first.options == {"precision": "bfloat16", "batch-tokens": 512}
    assert opening_options_of(first) == Options(precision="bfloat16", batch_tokens=512)
    assert opening_options_of(second) == Options(precision="float32")


def test_how_models_reply_is_kept_apart_for_studies_with_replies(said):
    sweep = said(f'thinking = "off"\nanswer_tokens = 50\n{STUDY}thinking_tokens = 9\n{MODEL}')
    assert sweep.replies == ReplyOptions(thinking="off", answer_tokens=50)
    assert sweep.studies[0].options == {"thinking-tokens": 9}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{STUDY}rul = "aul"\n{MODEL}', r"mine\.toml: study\[1\] 'crows_pairs' .*'rul'.*'rule'"),
        (f'{STUDY}device = "cpu"\n{MODEL}', "'device'.*belongs to the other kind of table"),
        (f"{STUDY}{MODEL}batch-tokens = 0\n", "batch-tokens is 0; .*from 1 up"),
        (f"{STUDY}{MODEL}batch-tokens = true\n", "batch-tokens is True; .*whole number"),
        (f'{STUDY}{MODEL}trust-remote-code = "yes"\n', "true or false"),
        (f"{STUDY}seed = -1\n{MODEL}", "from 0 up"),
        (f"timeout = 0.0\n{STUDY}{MODEL}", r"mine\.toml: timeout is 0\.0; .*from 0\.1 up"),
        (f"set = {{ a = 1 }}\n{STUDY}{MODEL}", "set is .*; it must be a table of texts"),
        (f"fresh = true\n{STUDY}{MODEL}", "unknown key 'fresh'"),
        (f"models = 3\n{STUDY}{MODEL}", "mine.toml: .*'models'.*did you mean 'model'"),
        (f"{STUDY}", "has no model"),
        (f"study = []\n{MODEL}", "study is empty"),
        (f"[[study]]\nrule = 'aul'\n{MODEL}", r"study\[1\] has no name"),
        (f"{STUDY}{STUDY}{MODEL}", r"study\[2\] 'crows_pairs' repeats study\[1\]"),
        ("[[study]\n", "not TOML.*line 1"),
        (f"skip_invalid = true\nskip-invalid = false\n{STUDY}{MODEL}", "has skip-invalid twice"),
    ],
)
def test_what_it_may_not_say_is_named(said, text, message):
    with pytest.raises((BadInput, BadItems), match=message):
        said(text)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"no\.toml: no such file"):
        read_sweep(tmp_path / "no.toml")


def test_rules_are_looked_up_whatever_the_model():
    check_rule(crows_pairs.STUDY, RunOptions())
    check_rule(stereoset.STUDY, RunOptions(rule="blank_logprob+next_sentence"))
    with pytest.raises(UnknownName, match="pll_shared"):
        check_rule(crows_pairs.STUDY, RunOptions(rule="pll_share"))
    with pytest.raises(UnknownName):
        check_rule(crows_pairs.STUDY, RunOptions(convention="nangia2021"))


def test_options_of_a_study_become_those_of_a_run(said):
    found = said(
        f'ties = "loss"\nsplit-seed = 3\n{STUDY}skip-invalid = true\nset = {{ a = "b" }}\n{MODEL}'
    )
    wanted = RunOptions(ties="loss", split_seed=3, skip_invalid=True, settings={"a": "b"})
    assert run_options_of(found.studies[0]) == wanted
    assert run_options_of(found.studies[0], fresh=True).fresh


def test_the_example_of_the_documents_is_understood(said):
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "many-machines.md").read_text("utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found = said(example)
    for entry in found.studies:
        check_rule(find("studies", entry.name, "STUDY"), run_options_of(entry))
    assert len(found.studies) > 1
    assert len({opening_options_of(entry) for entry in found.models}) > 1


def identity(tmp_path, **changed):
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    weights = folder / "weights"
    if not weights.exists():
        weights.write_text("1")
        os.utime(weights, ns=(10**18, 10**18))
    where = dataclasses.replace(resolve("fake:masked"), scheme="mine", location=str(folder))
    settings = {
        "study": crows_pairs.STUDY, "options": RunOptions(rule="aul"),
        "items": crows_pairs.STUDY.sample(), "model": [(where, Options())],
    } | changed  # fmt: skip
    return cell_id(**settings)


def test_what_a_system_prompt_says_is_part_of_a_cell_and_not_where_it_lies(tmp_path):
    ids = []
    for folder, text in (("a", "Be brief."), ("b", "Be brief."), ("c", "Be rude.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "system.txt").write_text(text)
        options = RunOptions(rule="aul", system=str(tmp_path / folder / "system.txt"))
        ids.append(identity(tmp_path, options=options))
    assert ids[0] == ids[1] != ids[2]
    assert identity(tmp_path, options=RunOptions(rule="aul")) not in ids


def test_changed_settings_are_another_cell(tmp_path):
    first = identity(tmp_path)
    assert identity(tmp_path) == first
    items = crows_pairs.STUDY.sample()
    changes = [
        {"study": stereoset.STUDY},
        {"options": RunOptions(rule="aula")},
        {"options": RunOptions(rule="aul", seed=1)},
        {"items": dataclasses.replace(items, sha256="other")},
        {"items": dataclasses.replace(items, items=items.items[1:])},
        {"model": [(resolve("fake:masked"), Options())]},
    ]
    others = [identity(tmp_path, **change) for change in changes]
    (tmp_path / "model" / "weights").write_text("2")
    others.append(identity(tmp_path))  # other weights at the same place
    assert len({first, *others}) == len(changes) + 2


def test_only_sealed_folders_that_are_whole_count(tmp_path):
    where = resolve("fake:masked")
    study = crows_pairs.STUDY
    chosen = choose(study, where.answers, model="m")
    result = measure(study, open_model(where), study.sample(), chosen=chosen)
    assert sealed(tmp_path) == {}
    folder = tmp_path / folder_name(result)
    write(result, folder, page="")
    assert sealed(tmp_path) == {}  # a run that is no sweep's
    card = dataclasses.replace(result.card, run={"sweep": "cell"})
    write(dataclasses.replace(result, card=card), folder, page="")
    assert sealed(tmp_path) == {"cell": folder}
    (folder / "records.parquet").write_bytes(b"damaged")
    assert sealed(tmp_path) == {}
