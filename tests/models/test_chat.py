"""A model behind a server: the right requests, each reply at once, and nothing secret anywhere."""

import logging
import threading
from contextlib import closing

import numpy as np
import pytest

from servers.chat_server import MODEL, Trouble, reply_to, serving
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import Chooses, Converses, Writes
from tiltmeter.models.openai_protocol import server_client
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.executors import HasExecutor
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.run.stored_answers.store_thread import StoreThread

KEY = "sk-" + "veryverysecret"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(server_client, "PAUSE", 0.01)
    monkeypatch.delenv("TILTMETER_API_KEY", raising=False)
    with serving() as one:
        yield one


def opened(server, reference="", **options):
    return open_model(resolve(reference or server.reference), Options(**options))


def asks(count, **more):
    return [Writing(Prompt((Message("user", f"Text {i}"),)), 4, **more) for i in range(count)]


def test_it_satisfies_what_it_promises(server):
    where = resolve(server.reference)
    model = opened(server)
    assert where.answers == (Writes, Converses, Chooses)
    assert all(isinstance(model, one) for one in (*where.answers, HasExecutor))
    assert where.name == model.name == MODEL


def test_replies_come_in_the_order_of_the_requests(server):
    model, requests = opened(server), asks(3)
    requests.append(Writing(Prompt(requests[0].prompt.messages, chat=False), 4))
    replies = model.write(requests)
    assert [one.text for one in replies] == [reply_to(one.body) for one in server.asked]
    assert server.prompts() == ["Text 0", "Text 1", "Text 2", "Text 0"]
    assert [one.path for one in server.asked[-2:]] == ["/v1/chat/completions", "/v1/completions"]
    assert replies[0] == Reply(replies[0].text, "stop", 2, 2)


def test_repeats_are_requests_of_their_own_with_their_own_seeds(server):
    prompt = asks(1)[0].prompt
    requests = [Writing(prompt, 4, temperature=0.3, repeat=k) for k in range(5)]
    replies = CachedModel(opened(server), Store(None)).write(requests)
    assert len({reply.text for reply in replies}) == 5
    assert len({one.body["seed"] for one in server.asked}) == 5
    assert not any("n" in one.body for one in server.asked)


def test_several_are_under_way_at_once_and_no_more_than_wanted(server):
    server.troubles = [Trouble(wait=0.1)]
    CachedModel(opened(server, at_once=3), Store(None)).write(asks(9))
    assert server.most_at_once == 3
    assert sorted(server.prompts()) == [f"Text {i}" for i in range(9)]


def test_each_reply_is_on_disk_while_the_next_is_awaited(server, tmp_path):
    path, stored = tmp_path / "s.sqlite", []
    server.holds_from = 4

    def look():
        for _ in range(500):
            with Store(path) as other:
                stored[:] = [kept.answers for kept in other.summary()]
            if stored == [3]:
                break
            threading.Event().wait(0.01)
        server.release.set()

    with StoreThread(path) as store:
        model = CachedModel(opened(server, at_once=1), store)
        watching = threading.Thread(target=look)
        watching.start()
        model.write(asks(6))
        watching.join()
    assert stored == [3]


def test_an_error_names_the_place_and_what_is_kept_and_the_rest_is_asked_later(server):
    store, requests = Store(None), asks(6)
    server.troubles = [Trouble(times=4), Trouble(status=500, body=b"")]
    with pytest.raises(NoAnswer, match=r"500 Internal Server Error \(2 attempts\)\. 4 answers of this "
                                       "run are stored, and the same command continues"):  # fmt: skip
        CachedModel(opened(server, at_once=1, tries=2), store).write(requests)
    server.troubles.clear()
    before = len(server.asked)
    again = CachedModel(opened(server), store)
    assert len(again.write(requests)) == 6
    assert (again.recalled, again.asked, len(server.asked) - before) == (4, 2, 2)


def test_a_refusal_is_an_error_at_once(server):
    server.troubles = [Trouble(times=1), Trouble(status=400, body=b'{"error": "too long"}')]
    with pytest.raises(
        RequestRefused, match=r"400 Bad Request \(too long\)\. 1 answer of this run is stored"
    ):
        CachedModel(opened(server, at_once=1), Store(None)).write(asks(6))
    assert len(server.asked) == 2


def test_of_a_server_with_one_model_the_name_may_be_left_out(server):
    model = opened(server, f"chat:{server.url}/v1")
    assert model.name == MODEL
    assert model.fingerprint == opened(server).fingerprint
    model.write(asks(1))
    assert server.asked[0].body["model"] == MODEL


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["b", "a"], "lists 2 models: a, b; name the model: chat:http.*/v1#MODEL"),
        ([], "lists no models; name"),
        ([f"m{i:02}" for i in range(20)], r"m07 and 12 more; name"),
    ],
)
def test_of_a_server_with_several_models_one_is_to_be_named(server, names, message):
    server.models = [{"id": name} for name in names]
    with pytest.raises(BadInput, match=message):
        opened(server, f"chat:{server.url}")


@pytest.mark.parametrize("status", [404, 500])
def test_a_server_without_a_list_needs_a_name(server, status):
    server.list_trouble = Trouble(status=status, body=b"no")
    assert opened(server).write(asks(1))
    with pytest.raises(
        (RequestRefused, NoAnswer), match=f"/v1/models: the server answers {status}"
    ):
        opened(server, f"chat:{server.url}")


@pytest.mark.parametrize("status", [401, 403, 503])
def test_a_wrong_key_or_a_busy_server_is_reported_before_anything_is_asked(server, status):
    server.list_trouble = Trouble(status=status)
    with pytest.raises((RequestRefused, NoAnswer), match=str(status)):
        opened(server)
    assert not server.asked


def test_the_fingerprint_is_that_of_place_model_and_what_the_server_says_of_it(server):
    first = opened(server).fingerprint
    server.models[0] = server.models[0] | {"created": 2, "permission": [{"id": "random"}]}
    assert opened(server).fingerprint == first  # some servers change these with every request
    other = opened(server, f"chat:{server.url}#other").fingerprint
    moved = opened(server, f"{server.reference.replace('127.0.0.1', 'localhost')}").fingerprint
    server.models[0] = server.models[0] | {"meta": {"n_params": 5}}
    assert len({first, other, moved, opened(server).fingerprint}) == 4


def test_the_card_says_where_it_is_and_that_it_may_change(server):
    server.models = [
        {"id": MODEL, "owned_by": "tests", "meta": {"n_params": 5}, "root": "/home/me"}
    ]
    model = opened(server)
    assert model.about == {
        "kind": "model behind a server", "server": f"{server.url}/v1", "model": MODEL,
        "server's owned_by": "tests", "server's meta n_params": 5, "note": model.about["note"],
    }  # fmt: skip
    assert "weights behind a server may change" in model.about["note"]
    model.write(asks(1))
    assert model.about["system fingerprint"] == "fp-1"
    server.fingerprint = "fp-2\x1b"
    model.write(asks(1))
    assert model.about["system fingerprint"] == "fp-1, fp-2[U+001B] (it changed during the run)"
    server.troubles = [Trouble(change=lambda told: told | {"model": "tiny-2026"})]
    model.write(asks(1))
    assert model.about["replies by"] == "tiny-2026"


def test_a_folder_of_the_server_is_no_part_of_names(server):
    model = opened(server, f"chat:{server.url}#/home/me/tiny")
    model.write(asks(1))
    assert server.asked[0].body["model"] == "/home/me/tiny"
    assert "/home" not in model.name + str(dict(model.about))


def test_lengths_are_estimates(server):
    prompts = [Prompt((Message("user", text),)) for text in ("", "abc", "x" * 40)]
    assert opened(server).prompt_lengths(prompts) == [1, 1, 10]


def test_a_newer_name_of_the_length_limit_is_learned(server):
    told = b'{"error": {"message": "Use \'max_completion_tokens\' instead of max_tokens."}}'
    server.troubles = [Trouble(times=1, status=400, body=told)]
    assert len(opened(server).write(asks(2))) == 2
    assert "max_tokens" in server.asked[0].body
    for one in server.asked[1:]:
        assert one.body["max_completion_tokens"] == 4 and "max_tokens" not in one.body
    assert len(server.asked) == 3


# ── How likely given replies are ─────────────────────────────────────────────────────────────────


def choosing(*options, chat=True, text="Is it?"):
    return Choosing(Prompt((Message("user", text),), chat=chat), options)


@pytest.mark.parametrize("chat", [True, False])
def test_options_have_the_log_probabilities_of_their_first_tokens(server, chat):
    model = CachedModel(opened(server), Store(None))
    requests = [choosing("yes", "no", chat=chat), choosing("no", " Yes", chat=chat)]
    found = model.choice_logprobs(requests)
    np.testing.assert_array_equal(found, [[-0.5, -1.5], [-1.5, -3.0]])
    assert len(server.asked) == 3  # the first is the probe
    assert server.prompts().count("Is it?") == 2


def test_a_server_without_log_probabilities_is_found_out_before_anything_is_asked(server):
    server.tops = None
    with pytest.raises(CannotAnswer, match="returns no log-probabilities"):
        opened(server).choice_logprobs([choosing("yes", "no")])
    assert "Is it?" not in server.prompts()
    server.tops = [("yes", 0.0), ("no", 0.0)]
    with pytest.raises(CannotAnswer, match="log-probabilities that are none"):
        opened(server).choice_logprobs([choosing("yes", "no")])


def test_an_option_that_is_not_among_the_likeliest_is_named(server):
    with pytest.raises(CannotAnswer, match="'never' is not among the 4 likeliest"):
        opened(server).choice_logprobs([choosing("yes", "never")])


# ── Addresses, keys, options ─────────────────────────────────────────────────────────────────────


def test_a_wrong_address_is_refused_before_anything_is_sent():
    with pytest.raises(BadInput, match="user name or password") as error:
        resolve("chat:https://me:hunter2@host#m")
    assert "hunter2" not in str(error.value)
    with pytest.raises(UnknownName):
        resolve("chatty:http://localhost#m")


def test_a_key_is_in_no_file_log_or_error(server, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("TILTMETER_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    echo = f'{{"error": {{"message": "{KEY} has no more credit"}}}}'.encode()
    with StoreThread(tmp_path / "s.sqlite") as store:
        model = opened(server, at_once=2, tries=2)
        CachedModel(model, store).write(asks(4))
        server.troubles = [Trouble(status=500, body=echo)]
        with pytest.raises(NoAnswer) as error:
            CachedModel(model, store).write(asks(5))
    assert server.asked[0].authorization == f"Bearer {KEY}"
    shown = [str(error.value), repr(error.value), repr(model), str(dict(model.about)), caplog.text,
             model.fingerprint, repr(vars(model))]  # fmt: skip
    files = [one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()]
    assert files
    assert not any(KEY in text for text in shown)
    assert not any(KEY.encode() in content for content in files)


def test_who_stops_listening_stops_the_asking(server):
    server.holds_from = 2
    model, store = opened(server, at_once=1), Store(None)
    cached = CachedModel(model, store)
    real = model.execute

    def first_only(query, batches):
        with closing(real(query, batches)) as answers:
            yield next(answers)
            raise KeyboardInterrupt

    cached._execute = first_only
    with pytest.raises(KeyboardInterrupt):
        cached.write(asks(50))
    server.release.set()
    assert len(server.asked) <= 2
    assert [kept.answers for kept in store.summary()] == [1]
