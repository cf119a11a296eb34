"""mitigate fit, apply, export and show, from the command line to what a study then says."""

import json

import numpy as np
import pytest

from faults.undisturbed import write_starters
from support.architectures import build
from tiltmeter.core.model.requests import Blanked
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

CORPUS = "\n\n".join(
    f"{who} saw the old house {when}. Then {whom} went away {when}. It was late {when}. "
    f"The day {when} was long."
    for who, whom in (("She", "her sister"), ("He", "his brother"))
    for when in ("today", "at night", "in May", "at noon", "again", "once", "often", "here")
)


@pytest.fixture
def model(tmp_path):
    return build("bert", tmp_path / "bert")


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text(CORPUS)
    return file


def fit(tilt, model, corpus, *more):
    return tilt("mitigate", "fit", "sentence_debias", model, "--attribute", "gender",
                "--corpus", corpus, *more)  # fmt: skip


def test_what_is_fitted_can_be_measured_shown_applied_and_exported(tilt, model, corpus, tmp_path):
    code, said, told = fit(tilt, model, corpus, "--out", "m", "-k", "2")
    assert code == 0, told
    assert "2 directions of 32" in said
    assert "They explain" in said and "(the first" in said
    code, said, _ = tilt("mitigate", "show", "m", "--json")
    found = json.loads(said)
    assert (found["method"], found["attribute"], found["fitted"]["k"]) == (
        "sentence_debias",
        "gender",
        2,
    )
    assert 0 < sum(found["fitted"]["explained variance"]) <= 1
    assert str(tmp_path) not in json.dumps({k: v for k, v in found.items() if k != "model"})
    pairs = write_starters(tmp_path / "pairs.csv", 20)
    both = (model, f"mitigated:{tmp_path / 'm'}")
    assert tilt("run", "pairs", *both, "--data", pairs, "--json")[0] == 0
    assert tilt("mitigate", "apply", "m", model, "--out", "again")[0] == 0
    code, _, told = tilt("mitigate", "export", "m", "--out", "plain")
    assert code == 0, told
    answers = [
        open_model(resolve(place, Options()), Options())
        for place in ("mitigated:m", "plain", str(model))
    ]
    (tokens,) = answers[0].encode(["She saw the old house today."])
    asked = [Blanked(tokens.ids, (2,), (2,))]
    one, other, plain = (a.blank_logprobs(asked)[0][0] for a in answers)
    assert one == pytest.approx(other, abs=1e-3)
    assert abs(one - plain) > 1e-3


@pytest.mark.parametrize("kind", ["gpt2", "llama", "roberta", "distilbert", "albert", "electra"])
def test_exported_checkpoints_answer_as_the_mitigated_model(tilt, corpus, tmp_path, kind):
    place = build(kind, tmp_path / kind)
    assert fit(tilt, place, corpus, "--out", "m")[0] == 0
    code, _, told = tilt("mitigate", "export", "m", "--out", "plain")
    assert code == 0, told
    pairs = write_starters(tmp_path / "pairs.csv", 20)
    one, other = (
        json.loads(tilt("run", "pairs", name, "--data", pairs, "--json")[1])["estimates"]
        for name in ("mitigated:m", "plain")
    )
    assert [e["value"] for e in one] == pytest.approx([e["value"] for e in other], abs=1e-2)


def test_the_same_fit_gives_the_same_directions(tilt, model, corpus):
    fit(tilt, model, corpus, "--out", "a", "--sentences", "10", "--seed", "3")
    fit(tilt, model, corpus, "--out", "b", "--sentences", "10", "--seed", "3")
    one, other = (resolve(f"mitigated:{name}", Options()) for name in "ab")
    assert open_model(one).fingerprint == open_model(other).fingerprint


def test_sentences_that_stand_alone_are_read(tilt, model, tmp_path):
    """As in SST, one of the corpora that the method was published with."""
    file = tmp_path / "text.jsonl"
    file.write_text(
        "".join(json.dumps({"text": s}) + "\n" for s in ("He sang.", "She ran.", "It was."))
    )
    code, said, told = fit(tilt, model, file, "--out", "m")
    assert code == 0, told
    assert "Fitted on 2 sentences of text.jsonl that name female (1), male (1)" in " ".join(
        said.split()
    )
    assert "It explains" in said and "(the first" not in said


@pytest.mark.parametrize("part", ["fitted", "corpus", "groups", "point"])
def test_a_damaged_description_is_told(tilt, model, corpus, tmp_path, part):
    assert fit(tilt, model, corpus, "--out", "m")[0] == 0
    file = tmp_path / "m" / "mitigation.json"
    said = json.loads(file.read_text())
    file.write_text(json.dumps({key: value for key, value in said.items() if key != part}))
    code, _, told = tilt("mitigate", "show", "m")
    assert code == 2
    assert "description of a mitigation is incomplete" in " ".join(told.split())


def test_a_revision_is_of_a_hub_id_when_exporting_too(tilt, model, corpus):
    assert fit(tilt, model, corpus, "--out", "m")[0] == 0
    code, _, told = tilt("mitigate", "export", "m", "--out", "plain", "--revision", "main")
    assert code == 2
    assert "revision" in told


def test_inlp_says_how_well_groups_could_be_told(tilt, model, corpus):
    code, said, told = tilt("mitigate", "fit", "inlp", model, "--attribute", "gender",
                            "--corpus", corpus, "--rounds", "3", "--out", "m")  # fmt: skip
    assert code == 0, told
    assert "Accuracy of a linear classifier" in said


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("-k", "400"), "400 directions of 32 sentences would explain all that differs"),
        (("--attribute", "gendre"), "Did you mean 'gender'"),
        (("--attribute", "religion"), "no sentence of the corpus holds a defining word"),
        (("--pooling", "meen"), "Did you mean 'mean'"),
        (("--point", "first"), "No point named 'first'"),
        (("--corpus", "none.txt"), "none.txt"),
        (("--words", "none.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_fitted_is_told(tilt, model, corpus, more, message):
    code, said, told = fit(tilt, model, corpus, *more, "--out", "m")
    assert (code, said) == (2, "")
    assert message in " ".join(told.split())


def test_ctrl_c_does_not_promise_that_a_fit_goes_on(
    tilt, interrupted_after, model, corpus, tmp_path
):
    interrupted_after("name one group")
    code, _, err = fit(tilt, model, corpus, "--device", "cpu", "--out", "m")
    assert code == 130
    assert "Nothing was stored; to start again" in err
    assert "Traceback" not in err
    assert not (tmp_path / "m").exists()


def test_a_folder_that_holds_something_is_left_alone(tilt, model, corpus, tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "mine.txt").write_text("mine")
    code, _, told = fit(tilt, model, corpus, "--out", "m")
    assert code == 2
    assert "already exists and is not an empty folder" in " ".join(told.split())
    assert (tmp_path / "m" / "mine.txt").read_text() == "mine"


def test_directions_do_not_fit_a_model_of_another_size(tilt, model, corpus, tmp_path):
    assert fit(tilt, model, corpus, "--out", "m")[0] == 0
    other = tmp_path / "other"
    import shutil

    shutil.copytree(model, other)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"hidden_size": 40}))
    code, _, told = tilt("mitigate", "apply", "m", other, "--out", "n")
    assert code in {1, 2}
    assert "states of 40 numbers, and the directions were fitted on states of 32" in " ".join(
        told.split()
    )
    assert not np.any([p.name == "n" for p in tmp_path.iterdir()])


def test_models_without_states_are_refused(tilt, corpus):
    code, _, told = fit(tilt, "fake", corpus, "--out", "m")
    assert code in {1, 2}
    assert "no states from which directions can be removed" in " ".join(told.split())
    code, _, told = tilt("mitigate", "show", "nowhere")
    assert code == 2
    assert "no such folder" in " ".join(told.split())


def test_show_tells_of_directions_that_are_damaged(tilt, model, corpus, tmp_path):
    assert fit(tilt, model, corpus, "--out", "m")[0] == 0
    (tmp_path / "m" / "directions.safetensors").write_bytes(b"\x00" * 9)
    code, said, told = tilt("mitigate", "show", "m")
    assert (code, said) == (2, "")
    assert "its directions cannot be read" in " ".join(told.split())


def test_a_sweep_does_a_mitigated_model_again_when_its_model_changed(tilt, model, corpus, tmp_path):
    assert fit(tilt, model, corpus, "--out", "m")[0] == 0
    (tmp_path / "s.toml").write_text(
        '[[study]]\nname = "starter_pairs"\nlimit = 10\n[[model]]\nname = "mitigated:m"\n'
    )
    assert tilt("run", "s.toml")[0] == 0
    config = model / "config.json"
    config.write_text(config.read_text().replace('"gelu"', '"relu"'))
    code, said, told = tilt("run", "s.toml", "--json")
    assert code == 1, told
    (cell,) = json.loads(said)["cells"]
    assert "has changed since the mitigation was made" in cell["why"]
