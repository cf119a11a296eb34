"""A question that only a plug-in has goes everywhere that the others go, its answers being texts."""

import json
import sqlite3
import sys

import pytest

from plugins import writing
from plugins.writing import Prompt, Reply, Writer
from support.local_workers import Pool
from tiltmeter import cli
from tiltmeter.core.errors import CannotAnswer, UnknownName
from tiltmeter.core.model.questions import facts_and_lookups, find_question, offered
from tiltmeter.models import fake
from tiltmeter.models.headed import Headed
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.executors import RemoteModel
from tiltmeter.run.asking.workers import Wanted
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.studies import pairs

PROMPTS = [Prompt(text) for text in ("b a", "d c b a " * 4, "", "b a", "é \ud83d\n", "z y x " * 9)]


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(writing.install(tmp_path / "installed")))
    for cached in (offered, facts_and_lookups):
        cached.cache_clear()
    yield
    for cached in (offered, facts_and_lookups):
        cached.cache_clear()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.sqlite"


def test_a_rule_that_asks_it_is_chosen_for_models_that_answer_it():
    where = resolve("writer")
    assert choose(writing.STUDY, where.answers, model="writer").rule.name == "reply_length"
    with pytest.raises(CannotAnswer, match="needs a model that can write a text, as chat models"):
        choose(writing.STUDY, fake.answers(""), model="fake")
    with pytest.raises(CannotAnswer, match="pairs cannot measure"):
        choose(pairs.STUDY, where.answers, model="writer")


def test_texts_are_stored_and_recalled_as_they_were(path):
    expected = Writer("w", "").write(PROMPTS, seed=1)
    for first in (True, False):
        model = Writer("w", "")
        with Store(path) as store:
            cached = CachedModel(model, store)
            assert cached.write(PROMPTS, seed=1) == expected
            assert cached.longest_reply == 99
            assert cached.asked == (5 if first else 0)
            assert bool(model.batches) == first
    assert expected[4] == Reply("é \ud83d\n£\ud83d", 2)


def test_options_are_part_of_the_key(path):
    with Store(path) as store:
        cached = CachedModel(Writer("w", ""), store)
        plain = cached.write(PROMPTS[:1])
        assert plain == cached.write(PROMPTS[:1], seed=0, style="plain")
        assert cached.recalled == 1
        others = [cached.write(PROMPTS[:1], seed=1), cached.write(PROMPTS[:1], style="very loud")]
        assert cached.asked == 3
        assert plain not in others
        with pytest.raises(TypeError, match="no option 'temperature'"):
            cached.write(PROMPTS, temperature=1.0)


def test_batches_keep_to_the_budget_and_are_completed_after_a_stop(path):
    class Dying(Writer):
        def write(self, prompts, **options):
            if len(self.batches) == 1:
                raise KeyboardInterrupt
            return super().write(prompts, **options)

    whole, dying, resumed = Writer("w", ""), Dying("w", ""), Writer("w", "")
    CachedModel(whole, Store(None)).write(PROMPTS)
    assert len(whole.batches) > 1
    lengths = [max(whole.prompt_lengths(batch)) * len(batch) for batch in whole.batches]
    assert max(lengths) <= whole.batch_tokens
    with Store(path) as store, pytest.raises(KeyboardInterrupt):
        CachedModel(dying, store).write(PROMPTS)
    with Store(path) as store:
        CachedModel(resumed, store).write(PROMPTS)
    assert dying.batches + resumed.batches == whole.batches


def test_a_damaged_text_is_asked_again_and_the_others_are_not(path):
    with Store(path) as store:
        expected = CachedModel(Writer("w", ""), store).write(PROMPTS)
    with sqlite3.connect(path) as db:
        spoilt = db.execute(
            "SELECT request, answer FROM answers ORDER BY LENGTH(answer)"
        ).fetchall()
        for key, answer in spoilt[-1:]:
            worse = bytes([answer[0] ^ 1]) + answer[1:]
            db.execute("UPDATE answers SET answer = ? WHERE request = ?", (worse, key))
        db.execute("UPDATE answers SET rows = 0 WHERE request = ?", (spoilt[0][0],))
    db.close()
    heard, model = [], Writer("w", "")
    with Store(path, heard.append) as store:
        assert CachedModel(model, store).write(PROMPTS) == expected
    assert sum(map(len, model.batches)) == 2
    assert "2 stored answers do not match their checksums and are computed again" in heard[0]


def test_a_text_that_cannot_be_decoded_is_asked_again(path):
    key = writing.WRITES.query().keys(PROMPTS[:1])[0]
    with Store(path) as store:
        model = Writer("w", "")
        store.put(store.model(model.fingerprint, "w"), {key: "no JSON"})
        assert CachedModel(model, store).write(PROMPTS[:1]) == [Reply("a b", 2)]
        assert model.batches == [PROMPTS[:1]]


def test_what_is_no_text_is_refused_and_not_stored(path):
    with Store(path) as store:
        with pytest.raises(CannotAnswer, match="NoneType, which is neither numbers nor text"):
            CachedModel(Writer("w", "silent"), store).write(PROMPTS)
        assert store.summary()[0].answers == 0


def test_workers_answer_as_the_model_does():
    where = resolve("writer")
    expected = open_model(where).write(PROMPTS, seed=1, style="loud")
    remote = RemoteModel(Pool(), Wanted(where, Options(), "w"))
    far = CachedModel(remote, Store(None))
    assert far.write(PROMPTS, seed=1, style="loud") == expected
    assert far.longest_reply == 99
    assert remote.prompt_lengths(PROMPTS) == open_model(where).prompt_lengths(PROMPTS)
    study = writing.STUDY
    chosen = choose(study, where.answers, model="w")
    near = CachedModel(open_model(where, name="w"), Store(None))
    results = [measure(study, one, study.sample(), chosen=chosen) for one in (far, near)]
    assert list(results[0].records) == list(results[1].records)
    assert results[0] == results[1]


def test_a_model_with_a_head_answers_it_too():
    writer, head = Writer("w", ""), fake.load("next")
    headed = Headed("both", writer, head, [writing.Writes, *fake.answers("next")])
    store = Store(None)
    assert CachedModel(headed, store).write(PROMPTS) == writer.write(PROMPTS)
    pair = [("he is", "she is")]
    assert CachedModel(headed, store).next_logprobs(pair) == head.next_logprobs(pair)


def test_a_question_that_nobody_offers_is_named():
    assert find_question("writes") is writing.WRITES
    with pytest.raises(UnknownName, match="wrote"):
        find_question("wrote")


def test_the_command_line_runs_it_and_its_answers_are_listed_and_forgotten(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def tilt(*words):
        monkeypatch.setattr(sys, "argv", ["tiltmeter", *words])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        assert left.value.code == 0, err
        return out, err

    found = json.loads(tilt("run", "writing", "writer", "--json")[0])
    assert found["card"]["rule"] == "reply_length"
    assert found["card"]["run"]["asked"] == 24
    again = json.loads(tilt("run", "writing", "writer", "--json")[0])
    assert again["card"]["run"]["recalled"] == 24
    assert again["estimates"] == found["estimates"]
    (kept,) = json.loads(tilt("data", "cache", "info", "--json")[0])["models"]
    assert kept["answers"] == 24
    assert "24 answers of writer" in tilt("data", "cache", "clear")[1]
    assert "no answers" in tilt("data", "cache", "info")[0]


def test_none_of_it_is_known_to_the_package_itself(monkeypatch):
    assert "writes" in offered()
    monkeypatch.setattr(sys, "path", [one for one in sys.path if not one.endswith("installed")])
    offered.cache_clear()
    assert "writes" not in offered()
    with pytest.raises(CannotAnswer, match="needs a model that can Writes"):
        choose(writing.STUDY, fake.answers(""), model="fake")
