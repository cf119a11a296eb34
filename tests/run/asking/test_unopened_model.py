"""A model that was opened before is opened again only for what nobody remembers, and nothing differs."""

import json
from dataclasses import replace

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from support.architectures import SIZE, build
from support.next_heads import reading_pairs
from tiltmeter.core.errors import Unavailable
from tiltmeter.core.model.requests import Passage, Tokens
from tiltmeter.data.files import remembered_values
from tiltmeter.models import headed
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import machine_limits, machine_state
from tiltmeter.run import jobs
from tiltmeter.run.asking import model_openers
from tiltmeter.run.asking.unopened_model import UnopenedModel, state_of
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions


@pytest.fixture(autouse=True)
def remembering(tmp_path, monkeypatch):
    """Files may be as young as those of a test, and PyTorch's threads are as they are."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(remembered_values, "RECENT", 0)
    monkeypatch.setattr(machine_state, "GPUS", ())
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(machine_limits, "default_threads", [torch.get_num_threads()])


class Model:
    name, fingerprint, batch_tokens, limit = "model", "f1", 100, 8
    labels = ("a", "b")

    def __init__(self):
        self.about = {"kind": "made up", "longest": None}

    def encode(self, texts):
        return [Tokens((len(t), 7), (False, True), (0, -1), ((0, len(t)), (0, 0))) for t in texts]

    def pair_lengths(self, pairs):
        return [len(a + b) for a, b in pairs]

    def blank_logprobs(self, requests):
        self.about["batches"] = "some halved"
        return [np.zeros(1) for _ in requests]


def opening(model=Model):
    opened = []

    def open_it():
        opened.append(model())
        return opened[-1]

    return opened, open_it


def asked(model):
    return (
        model.name, model.fingerprint, dict(model.about), model.batch_tokens, model.limit,
        model.labels, getattr(model, "shared_row", 0), hasattr(model, "execute"),
        model.encode(["one", "ü"]), model.pair_lengths([("x", "yz")]),
    )  # fmt: skip


def test_facts_and_lookups_are_the_model_s_and_need_it_once():
    opened, open_it = opening()
    first = asked(UnopenedModel("state", open_it))
    assert len(opened) == 1
    second = UnopenedModel("state", open_it)
    assert asked(second) == first == asked(Model())
    assert len(opened) == 1
    second.blank_logprobs([1])
    assert len(opened) == 2
    assert second.about["batches"] == "some halved"  # what it says once it was asked
    assert asked(UnopenedModel("state", open_it)) == first  # is not remembered
    asked(UnopenedModel("another state", open_it))
    assert len(opened) == 3


@pytest.mark.parametrize("ask", [
    lambda m: m.encode(["another"]), lambda m: m.encode(["one"]), lambda m: m.exclusive,
    lambda m: m.pair_lengths([("xy", "z")]), lambda m: m.blank_logprobs([]),
])  # fmt: skip
def test_what_is_not_remembered_opens_it(ask):
    opened, open_it = opening(type("Labels", (Model,), {"exclusive": True}))
    asked(UnopenedModel("state", open_it))
    ask(UnopenedModel("state", open_it))
    assert len(opened) == 2


tokens = st.builds(
    Tokens,
    *(st.lists(each, max_size=4).map(tuple) for each in (st.integers(), st.booleans())),
    *(st.lists(each, max_size=4).map(tuple)
      for each in (st.integers(), st.tuples(st.integers(), st.integers()))),
)  # fmt: skip


@given(st.lists(tokens, max_size=3))
def test_tokens_come_back_as_they_were(made):
    model = type("Given", (Model,), {"encode": lambda *_: made})
    _, open_it = opening(model)
    texts = [repr(made)]
    assert UnopenedModel("tokens", open_it).encode(texts) == made
    again = UnopenedModel("tokens", open_it).encode(texts)
    assert again == made
    assert repr(again) == repr(made)  # 1 is not True


def test_another_model_than_the_remembered_one_is_refused():
    UnopenedModel("state", Model)
    other = UnopenedModel("state", type("Other", (Model,), {"fingerprint": "f2"}))
    with pytest.raises(Unavailable, match="changed while it was opened"):
        other.blank_logprobs([])
    again = UnopenedModel("state", type("Other", (Model,), {"fingerprint": "f2"}))
    assert again.fingerprint == "f2"  # the command given again, as the message has it


def test_a_failure_to_open_is_no_absent_fact():
    UnopenedModel("state", Model)

    def fail():
        raise AttributeError("within a library")

    with pytest.raises(AttributeError, match="within a library"):
        _ = UnopenedModel("state", fail).limit
    assert UnopenedModel("state", Model).limit == Model.limit


@pytest.mark.parametrize("facts", [[1], {}, "text", {"name": "n"}, {"absent": []}])
def test_facts_of_another_form_are_no_facts(facts):
    remembered_values.remember(("facts", "state"), facts)
    assert asked(UnopenedModel("state", Model)) == asked(Model())


def mitigation(folder, model, **description):
    folder.mkdir()
    basis = np.eye(SIZE, dtype=np.float64)[:1]
    safetensors.numpy.save_file({"basis": basis}, folder / "directions.safetensors")
    about = {"format": 1, "method": "sentence_debias", "attribute": "gender", "point": "last",
             "model": {"reference": str(model)}, "fitted": {"k": 1}, **description}  # fmt: skip
    (folder / "mitigation.json").write_text(json.dumps(about))
    return f"mitigated:{folder}"


def reference_of(kind, folder):
    if kind == "mitigated":
        return mitigation(folder / "mitigation", build("bert", folder / "bert"))
    if kind == "headed":
        from transformers import BertForNextSentencePrediction

        head = reading_pairs("bert", folder / "pairs")
        judge = BertForNextSentencePrediction.from_pretrained(head)
        judge.cls.seq_relationship.weight.data.normal_()
        judge.save_pretrained(head)
        return f"headed:{build('gpt2', folder / 'gpt2')},{head}"
    if kind == "encoder":
        from transformers import AutoModel

        place = build("bert", folder / "bert")
        trunk = AutoModel.from_pretrained(place)
        (place / "model.safetensors").unlink()
        trunk.save_pretrained(place)
        return str(place)
    if kind == "sentences":
        pytest.importorskip("sentence_transformers")
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer import modules

        first = modules.Transformer(reference_of("encoder", folder))
        pooling = modules.Pooling(first.get_embedding_dimension(), "mean")
        SentenceTransformer(modules=[first, pooling], device="cpu").save(str(folder / "sentences"))
        return str(folder / "sentences")
    return str(build(kind, folder / kind))


def scored(model, study, **options):
    asked = study_named(study)
    items = asked.sample()
    asked = replace(asked, load=lambda *_, **__: items)  # the published data may not be here
    (job,) = jobs.plan_jobs(asked, [model], RunOptions(**options), Options(), Logged())
    with jobs.session(Logged()) as session:
        result = jobs.score(replace(job, items=items), session)
    return replace(result, card=replace(result.card, run={})), result.card.run


KINDS = {
    "bert": "crows_pairs", "roberta": "crows_pairs", "gpt2": "crows_pairs", "llama": "crows_pairs",
    "t5": "crows_pairs", "bart": "crows_pairs", "xlnet": "crows_pairs", "mitigated": "crows_pairs",
    "headed": "stereoset", "encoder": "weat", "sentences": "seat",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_whose_answers_are_stored_opens_nothing_and_is_the_same(kind, tmp_path, monkeypatch):
    model = reference_of(kind, tmp_path)
    first, counts = scored(model, KINDS[kind])
    assert counts["asked"] > 0
    with monkeypatch.context() as patched:
        patched.setattr(model_openers, "open_model", lambda *_, **__: pytest.fail("opened"))
        again, counts = scored(model, KINDS[kind])
    assert (counts["asked"], again.card) == (0, first.card)
    assert (again.estimates, list(again.records)) == (first.estimates, list(first.records))


@pytest.mark.parametrize("change", [
    lambda folder: (folder / "model.safetensors").write_bytes(
        (folder / "model.safetensors").read_bytes()
    ),
    lambda folder: (folder / "tokenizer.json").rename(folder / "old.json"),
    lambda folder: (folder / "README.md").write_text("license: mit"),
])  # fmt: skip
def test_a_change_of_any_file_is_another_state(change, tmp_path):
    folder = build("bert", tmp_path / "model")
    where = resolve(str(folder))
    before = state_of(where, Options(), "")
    assert before == state_of(where, Options(), "") is not None
    change(folder)
    assert state_of(where, Options(), "") not in (None, before)


def test_files_in_a_linked_folder_belong_to_the_state(tmp_path):
    where = resolve(reference_of("sentences", tmp_path))
    pooling, elsewhere = tmp_path / "sentences" / "1_Pooling", tmp_path / "elsewhere"
    pooling.rename(elsewhere)
    pooling.symlink_to(elsewhere)
    (elsewhere / "loop").symlink_to(tmp_path / "sentences")
    opener = model_openers.LocalOpener()
    with opener.open(where, Options()) as model:
        before = model.fingerprint
    settings = elsewhere / "config.json"
    settings.write_text(settings.read_text().replace("mean", "cls"))
    with opener.open(where, Options()) as model:
        assert model.fingerprint == open_model(where, Options()).fingerprint != before


def test_a_head_s_files_are_those_that_are_opened_whatever_the_model_s_revision(monkeypatch):
    monkeypatch.setattr(headed, "_both", lambda *_: ("model", "head"))
    monkeypatch.setattr(headed, "files_of", lambda where, options: [(where, options.revision)])
    files = headed.files("owner/model,owner/head", Options(revision="v1"))
    assert files == [("model", "v1"), ("head", None)]


def test_where_the_state_cannot_be_known_the_model_is_opened(tmp_path, monkeypatch):
    folder = build("bert", tmp_path / "model")
    where = resolve(str(folder))
    assert state_of(where, Options(device="cuda"), "") is None
    assert state_of(where, Options(trust_remote_code=True), "") is None
    assert state_of(resolve("fake:masked"), Options(), "") is None
    monkeypatch.setattr(machine_state, "GPUS", ("null",))  # is there, as a GPU's would be
    assert state_of(where, Options(), "") is None
    assert state_of(where, Options(device="cpu"), "") is not None
    (folder / "adapter_config.json").write_text("{}")
    assert state_of(where, Options(device="cpu"), "") is None
    (folder / "adapter_config.json").unlink()
    assert state_of(where, Options(device="cpu"), "") is not None
    monkeypatch.setattr(machine_limits, "default_threads", [99])
    assert state_of(where, Options(device="cpu"), "") is None


def test_the_state_holds_what_the_machine_lets_a_model_say(tmp_path, monkeypatch):
    where = resolve(str(build("bert", tmp_path / "model")))
    states = [state_of(where, Options(), "")]
    for name in ("OMP_WAIT_POLICY", "TILTMETER_MAX_CPU", "ONEDNN_MAX_CPU_ISA"):
        monkeypatch.setenv(name, "avx2")
        states.append(state_of(where, Options(), ""))
    states += [state_of(where, Options(batch_tokens=64), ""), state_of(where, Options(), "other")]
    assert len(set(map(repr, states))) == len(states)
    assert state_of(replace(where, note="more"), Options(), "") not in states


def test_vectors_are_asked_through_it_as_of_the_model(tmp_path):
    folder = build("bert", tmp_path / "model")
    opener = model_openers.LocalOpener()
    with opener.open(resolve(str(folder)), Options()) as model:
        lengths = model.passage_lengths([Passage("He is late.")])
        vectors = model.embed([Passage("He is late.")], pooling="mean")
    with opener.open(resolve(str(folder)), Options()) as again:
        assert again.passage_lengths([Passage("He is late.")]) == lengths
        assert again.__dict__["_model"] is None
        np.testing.assert_array_equal(
            again.embed([Passage("He is late.")], pooling="mean"), vectors
        )
