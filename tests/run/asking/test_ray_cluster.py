"""Workers on a real cluster of this machine: the same records, whatever dies."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from support import stand_ins
from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable
from tiltmeter.core.model.requests import Passage
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, open_model, resolve
from tiltmeter.run.asking.ray_cluster import DEATHS, cluster
from tiltmeter.run.asking.workers import (
    Refused,
    Shard,
    ShardTask,
    Wanted,
    Worker,
    anchored,
    facts,
    shard_id,
)
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.run.sweeps.side_by_side import side_by_side
from tiltmeter.studies import crows_pairs, stereoset

SMALL = Options(batch_tokens=60)
TESTS = Path(__file__).parents[2]
SOURCE = str(TESTS.parent / "src")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two workers of one CPU each."""
    ray = pytest.importorskip("ray", reason="the extra [ray] is not installed")
    installed = stand_ins.install(tmp_path_factory.mktemp("installed"))
    changed = pytest.MonkeyPatch()
    changed.setenv("RAY_USAGE_STATS_ENABLED", "0")
    changed.setenv("RAY_worker_niceness", "0")  # behind all else, tests would wait for them
    changed.setenv("PYTHONPATH", os.pathsep.join([SOURCE, str(TESTS), str(installed)]))
    changed.syspath_prepend(str(installed))
    ray.init(
        address="local", num_cpus=2, object_store_memory=100 * 2**20, include_dashboard=False,
        log_to_driver=False, logging_level="CRITICAL",
    )  # fmt: skip
    try:
        with cluster(workers=2) as made:
            yield made
        assert ray.is_initialized()  # who joined, leaves
    finally:
        ray.shutdown()
        changed.undo()


@pytest.fixture
def one_thread():
    """As many as each worker has."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def here(study, reference, options=SMALL, store=None):
    where = resolve(str(reference), options)
    remembering = CachedModel(open_model(where, options), store or Store(None))
    chosen = choose(study, where.answers, model="m")
    return measure(study, remembering, study.sample(), chosen=chosen)


def spread(workers, study, reference, options=SMALL, store=None):
    where = resolve(str(reference), options)
    chosen = choose(study, where.answers, model="m")
    with workers.open(where, options) as model:
        remembering = CachedModel(model, store or Store(None))
        return measure(study, remembering, study.sample(), chosen=chosen)


def assert_equal(far, near):
    assert list(far.records) == list(near.records)  # to the last bit
    assert far == near


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(
    ("study", "kind"),
    [(crows_pairs, "bert"), (crows_pairs, "gpt2"), (stereoset, "bert"), (stereoset, "t5")],
    ids=lambda x: x if isinstance(x, str) else x.STUDY.name,
)
def test_records_equal_those_of_a_local_run(two, study, kind, tmp_path):
    folder = build(kind, tmp_path / kind)
    assert_equal(spread(two, study.STUDY, folder), here(study.STUDY, folder))


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["fake", "fake:next", "stereotyped", "ideal"])
def test_made_up_models_and_baselines_too(two, reference):
    study = stereoset.STUDY
    assert_equal(spread(two, study, reference), here(study, reference))


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(("kind", "pooling"), [("bert", "word"), ("fake:vectors", "own")])
def test_vectors_of_texts_equal_those_made_here(two, kind, pooling, tmp_path):
    texts = ["he is here", "she was not here today", "the old driver", "he is here"]
    passages = [*map(Passage, texts), Passage(texts[0], (3, 5))]
    where = resolve(kind if ":" in kind else str(build(kind, tmp_path / kind)), SMALL)
    near = CachedModel(open_model(where, SMALL), Store(None))
    with two.open(where, SMALL) as model:
        far = CachedModel(model, Store(None))
        assert far.passage_lengths(passages) == near.passage_lengths(passages)
        found = far.embed(passages, pooling=pooling)
    expected = near.embed(passages, pooling=pooling)
    np.testing.assert_array_equal(found, expected)  # to the last bit
    assert found.dtype == expected.dtype


@pytest.mark.slow
def test_studies_at_the_same_time_get_what_they_get_alone(two):
    where = resolve("fake:masked", SMALL)

    def score(study, turn):
        chosen = choose(study.STUDY, where.answers, model="m")
        remembering = CachedModel(model.in_turn(turn), Store(None), turn=turn)
        return measure(study.STUDY, remembering, study.STUDY.sample(), chosen=chosen)

    with two.open(where, SMALL) as model:
        studies = iter([crows_pairs, stereoset, crows_pairs])
        results = list(side_by_side(studies, score, two.places(where, SMALL)))
    assert len(results) == 3
    for study, result in results:
        assert_equal(result, here(study.STUDY, "fake:masked"))


@pytest.mark.slow
def test_what_is_stored_is_not_asked_again(two):
    store, study = Store(None), crows_pairs.STUDY
    near = here(study, "fake:masked", store=store)
    where = resolve("fake:masked")
    with two.open(where, SMALL) as model:
        remembering = CachedModel(model, store)
        chosen = choose(study, where.answers, model="m")
        far = measure(study, remembering, study.sample(), chosen=chosen)
    assert remembering.asked == 0
    assert_equal(far, near)


@pytest.mark.slow
def test_errors_of_models_come_back_as_they_are(two, tmp_path):
    folder = build("bert", tmp_path / "bert")
    where = resolve(str(folder), SMALL)
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(Unavailable, match="weights file is damaged"), two.open(where, SMALL):
        pass
    with pytest.raises(BadInput, match="--device cuda"), two.open(where, Options(device="cuda:1")):
        pass


@pytest.mark.slow
def test_scores_keep_their_type(two):
    items = stereoset.STUDY.sample().items
    with two.open(resolve("random"), Options()) as model:
        scores = model.candidate_scores(items)
    assert scores.dtype == np.float64
    np.testing.assert_array_equal(scores, open_model(resolve("random")).candidate_scores(items))


# From here on workers die, and those that come next have to import everything again.


def killer(folder, killed, over):
    """Ends a worker in the middle of its second batch, unless all is over before."""
    told = folder / "pids"
    while not over.is_set():
        pids = told.read_text().split() if told.exists() else []
        if len(pids) >= 3 and not killed:
            killed.append(int(pids[-1]))
            os.kill(killed[0], signal.SIGKILL)
            return
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_a_worker_killed_in_the_middle_changes_nothing(two, tmp_path):
    model = build("bert", tmp_path / "bert")
    killed, over = [], threading.Event()
    thread = threading.Thread(target=killer, args=(tmp_path, killed, over))
    thread.start()
    said = []
    two._say = said.append
    try:
        far = spread(two, crows_pairs.STUDY, f"stand_in:slow,{tmp_path},{model}")
    finally:
        over.set()
        thread.join()
    assert len(killed) == 1
    assert any("a worker died" in one for one in said)
    pids = set(map(int, (tmp_path / "pids").read_text().split()))
    assert killed[0] in pids
    near = here(crows_pairs.STUDY, model)
    assert list(far.records) == list(near.records)


@pytest.mark.slow
def test_work_that_ended_its_worker_once_is_done_again(two, tmp_path):
    far = spread(two, crows_pairs.STUDY, f"stand_in:once,{tmp_path}")
    assert (tmp_path / "died").exists()
    assert list(far.records) == list(here(crows_pairs.STUDY, "fake:masked").records)


@pytest.mark.slow
def test_work_that_always_ends_its_worker_ends_clearly(two, tmp_path):
    with pytest.raises(Unavailable, match=f"crashed its worker {DEATHS} times") as found:
        spread(two, crows_pairs.STUDY, f"stand_in:deadly,{tmp_path}")
    assert "blank" in str(found.value)
    assert "tokens" in str(found.value)
    assert "--batch-tokens" in str(found.value)
    # and the workers are there for what comes next
    study = crows_pairs.STUDY
    assert_equal(spread(two, study, "fake:masked"), here(study, "fake:masked"))


@pytest.mark.slow
def test_a_worker_with_another_model_is_refused(two, tmp_path):
    while two._coming:  # both are needed, and one may be starting again
        (ready,), _ = two._ray.wait(list(two._coming))
        two._arrived(ready)
    with pytest.raises(CannotAnswer, match="not the model that the other workers have"):
        spread(two, crows_pairs.STUDY, f"stand_in:changing,{tmp_path}")


# ── Without a cluster ────────────────────────────────────────────────────────────────────────────


def shard_of(where, *, fingerprint="", version=None):
    more = {} if version is None else {"version": version}
    return Shard("id", Wanted(where, Options(), "m"), fingerprint, ShardTask(), (["m"],), **more)


def test_a_worker_says_what_is_not_on_its_machine():
    where = Resolved("/nowhere/bert", "masked", "/nowhere/bert", ())
    refused = Worker(1).work(shard_of(where))
    assert isinstance(refused, Refused)
    assert "/nowhere/bert is not on the machine" in refused.text
    assert not refused.mendable


def test_a_worker_of_another_version_refuses():
    refused = Worker(1).work(shard_of(resolve("fake:masked"), version="0.0.1"))
    assert isinstance(refused, Refused)
    assert "install the same version on all machines" in refused.text


def test_a_worker_checks_the_fingerprint():
    worker, where = Worker(1), resolve("fake:masked")
    right = open_model(where).fingerprint
    assert worker.work(shard_of(where, fingerprint=right)) == [facts(open_model(where, name="m"))]
    assert isinstance(worker.work(shard_of(where, fingerprint="other")), Refused)


def test_shards_are_named_after_what_they_hold():
    keys = [b"one", b"two"]
    mark = shard_id("model", "blank", keys)
    assert mark == shard_id("model", "blank", list(keys))
    others = [("other", "blank", keys), ("model", "next", keys), ("model", "blank", keys[::-1])]
    assert mark not in {shard_id(*other) for other in others}


def test_paths_are_whole_before_they_travel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "masked").mkdir()
    given = Resolved("headed:m,h", "headed", "masked:here, here", ())
    assert anchored(given).location == f"masked:{tmp_path / 'here'},{tmp_path / 'here'}"
    assert anchored(Resolved("gpt2", "causal", "gpt2", ())).location == "gpt2"
    assert anchored(resolve("fake:masked")).location == "masked"
