"""A served causal model answers as the same model in this process, whichever server it is behind."""

from functools import cache

import numpy as np
import pytest

from servers.chat_server import Trouble, serving
from servers.model_server import LENGTH, NAME, SECRET, ModelServer
from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing
from tiltmeter.core.model.protocols import (
    Chooses,
    ChoosesAfterThoughts,
    Continues,
    StartsBare,
    Writes,
)
from tiltmeter.core.model.requests import Continuation
from tiltmeter.models import served
from tiltmeter.models.openai_protocol import server_client
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.executors import HasExecutor
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store

KINDS = ("vllm", "sglang")
TEXTS = [
    "The old driver was slow and the young clerk was rude.",
    "The old driver sang.",
    "He is a nurse.",
    "The",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build("gpt2", tmp_path_factory.mktemp("served") / "tiny-gpt2")


@pytest.fixture(params=KINDS)
def server(request, folder, monkeypatch):
    monkeypatch.setattr(server_client, "PAUSE", 0.01)
    monkeypatch.delenv("TILTMETER_API_KEY", raising=False)
    with serving(ModelServer(folder, request.param)) as one:
        yield one


@pytest.fixture(scope="module")
def local(folder):
    return open_model(resolve(str(folder)), Options(device="cpu"))


def opened(server, reference="", **options):
    made = Options(**options)
    return open_model(resolve(reference or server.reference, made), made)


def requests_of(model):
    tokens = [t.ids for t in model.encode(TEXTS)]
    whole = [Continuation((), ids) for ids in tokens]
    later = [Continuation(ids[:2], ids[2:]) for ids in tokens[:3]]
    bare = [
        Continuation(ids[:1], ids[1:], start=False) for ids in tokens
    ]  # the last scores nothing
    return [*whole, *later, *bare]


def test_it_satisfies_what_it_promises(server):
    where, model = resolve(server.reference), opened(server)
    assert where.answers == (Continues, StartsBare, Writes, Chooses, ChoosesAfterThoughts)
    assert all(isinstance(model, one) for one in (*where.answers, HasExecutor))
    assert model.name == where.name == NAME


def test_tokens_are_those_of_the_local_model(server, local):
    model = opened(server)
    assert model.encode(TEXTS) == local.encode(TEXTS)
    assert (model.cased, model.unknown) == (local.cased, local.unknown)
    assert model.limit == LENGTH - 2  # a start token, and one that is written


@pytest.mark.parametrize("start", [None, "</s>"])
def test_log_probabilities_are_those_of_the_local_model(server, folder, start):
    model = opened(server, start_token=start)
    here = open_model(resolve(str(folder)), Options(device="cpu", start_token=start))
    asked = requests_of(model)
    ours = here.continuation_logprobs(asked)
    for theirs in (
        model.continuation_logprobs(asked),
        CachedModel(model, Store(None)).continuation_logprobs(asked),
    ):
        for found, wanted in zip(theirs, ours, strict=True):
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5)


def test_options_have_the_log_probability_of_all_their_tokens(server, local):
    prompt = Prompt((Message("user", "The old driver was"),), chat=False)
    asked = [Choosing(prompt, (" slow and rude", " late", " a nurse again"))]
    model = opened(server)
    (found,), (wanted,) = model.choice_logprobs(asked), local.choice_logprobs(asked)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4)
    (stored,) = CachedModel(model, Store(None)).choice_logprobs(asked)
    np.testing.assert_array_equal(stored, found)
    assert model.prompt_lengths([prompt]) == local.prompt_lengths([prompt])
    assert model.chats == local.chats


def test_replies_are_asked_for_as_of_chat_models(server):
    model = opened(server)
    (reply,) = CachedModel(model, Store(None)).write(
        [Writing(Prompt((Message("user", "The old"),), chat=False), 4)]
    )
    assert server.asked[-1].path == "/v1/completions"
    assert server.asked[-1].body["prompt"] == "The old"
    assert reply.text.startswith(" reply ")


@cache
def studies():
    """Each study with the rules that a served model can be measured by, but those by which it writes."""
    found = []
    for name in known("studies"):
        study = find("studies", name, "STUDY")
        found += [(name, rule.name) for rule in study.rules if rule.needs in {Continues, Chooses}]
    return found


def test_every_study_that_reads_probabilities_gives_the_same_records(folder, local, monkeypatch):
    asked = 0
    with serving(ModelServer(folder)) as server:
        monkeypatch.setattr("servers.model_server.LENGTH", local.limit + 2)
        server.models[0]["max_model_len"] = local.limit + 2
        where, here = resolve(server.reference), resolve(str(folder))
        model = opened(server)
        for name, rule in studies():
            study = find("studies", name, "STUDY")
            both = []
            for answers, of in ((where.answers, model), (here.answers, local)):
                try:
                    chosen = choose(study, answers, model=of.name, rule=rule)
                    kept = CachedModel(of, Store(None))
                    both.append(
                        measure(study, kept, study.sample(), chosen=chosen, skip_invalid=True)
                    )
                except CannotAnswer as error:
                    both.append(str(error).replace(of.name, "it"))
            if isinstance(both[1], str):
                assert both[0] == both[1]
                continue
            theirs, ours = both
            asked += len(ours.records)
            assert [r.item for r in theirs.records] == [r.item for r in ours.records], name
            for a, b in zip(theirs.records, ours.records, strict=True):
                assert a.scores == pytest.approx(b.scores, abs=2e-4, nan_ok=True), (name, rule)
    assert asked > 100


def test_many_texts_share_a_request_and_what_is_stored_is_not_asked_again(server, monkeypatch):
    monkeypatch.setattr(served, "TEXTS", 3)
    model = opened(server, at_once=2)
    probes, asked = len(server.asked), requests_of(model)
    with_tokens = len([request for request in asked if request.ids])
    store = Store(None)
    first = CachedModel(model, store).continuation_logprobs(asked)
    sent = [one.body for one in server.asked[probes:]]
    texts = [len(body.get("prompt", body.get("input_ids"))) for body in sent]
    assert sum(texts) == with_tokens and max(texts) == 3 and len(texts) == 4
    assert server.most_at_once <= 2
    again = CachedModel(model, store).continuation_logprobs(asked[::-1])
    assert len(server.asked) == probes + len(sent)
    assert all((a == b).all() for a, b in zip(first, again[::-1], strict=True))


def test_what_a_server_may_have_as_its_defaults_is_written_out(server):
    opened(server)
    body = server.asked[-1].body
    settings = body.get("sampling_params", body)
    neutral = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
    assert {name: settings[name] for name in neutral} == neutral


@pytest.mark.parametrize("trouble", [
    Trouble(1, status=429, headers={"Retry-After": "0"}),
    Trouble(2, status=500),
    Trouble(1, reset=True),
    Trouble(1, cut=40),
    Trouble(1, body=b""),
])  # fmt: skip
def test_passing_trouble_changes_nothing(server, local, trouble):
    model = opened(server)
    server.troubles.append(trouble)
    asked = requests_of(model)
    found = CachedModel(model, Store(None)).continuation_logprobs(asked)
    for ours, theirs in zip(local.continuation_logprobs(asked), found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)


def test_what_was_answered_before_an_error_is_kept(server, monkeypatch):
    monkeypatch.setattr(served, "TEXTS", 2)
    model, store = opened(server, at_once=1, tries=2), Store(None)
    asked = requests_of(model)
    server.troubles += [Trouble(2), Trouble(2, status=503)]
    with pytest.raises(NoAnswer, match=r"503 .* 4 answers of this run are stored"):
        CachedModel(model, store).continuation_logprobs(asked)
    kept = CachedModel(model, store)
    kept.continuation_logprobs(asked)
    assert kept.recalled == 4


def test_a_text_that_is_too_long_is_refused_before_it_is_sent(server):
    model = opened(server)
    sent = len(server.asked)
    with pytest.raises(CannotAnswer, match=f"at most {LENGTH - 2} tokens at once"):
        model.continuation_logprobs([Continuation((), (1,) * (LENGTH - 1))])
    assert len(server.asked) == sent
    model.continuation_logprobs([Continuation((), (1,) * (LENGTH - 2))])


def test_a_server_that_tells_no_length_refuses_it_itself(server):
    del server.models[0]["max_model_len"]
    model = opened(server)
    assert model.limit is None
    with pytest.raises(RequestRefused, match=f"maximum context length is {LENGTH} tokens"):
        model.continuation_logprobs([Continuation((), (1,) * LENGTH)])


def change_entries(change):
    """In an answer of either server, what it says of the tokens of the first text."""

    def changed(answer):
        if isinstance(answer, list):
            meta = answer[0]["meta_info"]
            meta["input_token_logprobs"] = change(meta["input_token_logprobs"])
        else:
            choice = answer["choices"][0]
            choice["prompt_logprobs"] = change(choice["prompt_logprobs"])
        return answer

    return changed


def with_value(value):
    def change(entries):
        last = entries[-1]
        if isinstance(last, list):
            return [*entries[:-1], [value, *last[1:]]]
        ((token, _),) = last.items()
        return [*entries[:-1], {token: {"logprob": value}}]

    return change


def of_another_token(entries):
    last = entries[-1]
    other = [last[0], last[1] + 1, None] if isinstance(last, list) else {"999": {"logprob": -1.0}}
    return [*entries[:-1], other]


@pytest.mark.parametrize(("change", "message"), [
    (lambda entries: entries[:-1], "not those that were sent"),
    (of_another_token, "not those that were sent"),
    (with_value(None), "of a token that was sent is missing"),
    (with_value("-1"), "of a token that was sent is missing"),
    (with_value(0.5), "above 0"),
    (lambda _: None, "no log-probabilities of the tokens of a prompt"),
])  # fmt: skip
def test_numbers_that_do_not_belong_to_the_tokens_are_refused(server, change, message):
    model = opened(server)
    server.troubles.append(Trouble(change=change_entries(change)))
    with pytest.raises(RequestRefused, match=message):
        model.continuation_logprobs(requests_of(model)[:2])


def test_fewer_texts_than_were_sent_are_refused(server):
    model = opened(server)
    fewer = (
        (lambda a: a[:1])
        if server.kind == "sglang"
        else (lambda a: {**a, "choices": a["choices"][:1]})
    )
    server.troubles.append(Trouble(change=fewer))
    with pytest.raises(RequestRefused, match="1 text is answered, of 2 that were sent"):
        model.continuation_logprobs(requests_of(model)[:2])


def test_an_impossible_token_is_no_number_as_of_a_local_model(server):
    model = opened(server)
    server.troubles.append(Trouble(change=change_entries(with_value(-9999.0))))
    with pytest.raises(CannotAnswer, match="not a finite number"):
        CachedModel(model, Store(None)).continuation_logprobs(requests_of(model)[:1])


@pytest.mark.parametrize(("fault", "message"), [
    ("scores_prompts", "no log-probabilities of the tokens of a prompt. `vllm serve` and SGLang do"),
    ("scaled", "change with the temperature"),
    ("logits", "above 0, which are none; start vLLM without --logprobs-mode"),
    ("shift", "other tokens than the tokenizer that was loaded here; .* --tokenizer"),
])  # fmt: skip
def test_a_server_whose_numbers_are_not_the_models_is_refused_when_it_is_opened(
    server, fault, message
):
    setattr(server, fault, not getattr(server, fault))
    with pytest.raises(CannotAnswer, match=message):
        opened(server)


def test_a_server_that_is_neither_is_refused_with_the_way_out(folder):
    with serving() as other:
        other.models[0] = {**other.models[0], "root": str(folder)}
        with pytest.raises(CannotAnswer, match="no log-probabilities of the tokens of a prompt"):
            opened(other, f"served:{other.url}")


def test_a_model_that_the_server_does_not_have_is_named(server):
    with pytest.raises(BadInput, match=f"no model other; it lists {NAME}"):
        opened(server, f"served:{server.url}#other")
    assert opened(server, f"served:{server.url}").name == NAME


def test_the_tokenizer_may_be_named_and_must_be_here(server, folder):
    server.folder = folder / "nowhere"
    server.models[0]["root"] = str(folder / "nowhere")
    with pytest.raises(BadInput, match=r"tokenizer of .* is not here .*no such folder.*FOLDER$"):
        opened(server)
    server.models[0]["owned_by"] = "somebody"
    with pytest.raises(BadInput, match="does not say that it is vLLM or SGLang"):
        opened(server)
    server.models[0]["owned_by"] = server.kind
    assert opened(server, tokenizer=str(folder)).encode(TEXTS)
    with pytest.raises(BadInput, match="no such folder"):
        opened(server, tokenizer=str(folder / "nowhere"))
    with pytest.raises(BadInput, match="which has its own tokenizer"):
        resolve(str(folder), Options(tokenizer=str(folder)))


def test_a_server_that_does_not_tokenize_is_believed_and_the_card_says_so(server):
    server.tokenizes = False
    assert opened(server).about["tokens"].startswith("not compared")


def test_the_card_says_what_is_known_and_what_is_not(server, folder):
    about = opened(server).about
    name, version = {"vllm": ("vLLM", "0.33.0"), "sglang": ("SGLang", "0.5.23")}[server.kind]
    assert about["kind"] == f"causal model behind {name}"
    assert about["server's version"] == version
    assert about["server's max_model_len"] == LENGTH
    assert about["start token"].startswith("<s>")
    assert about["tokens"] == "as the server's, on two texts"
    assert "differed by at most 0.0000" in about["log-probabilities"]
    unknown = {"vllm": "not told by the server", "sglang": None}
    assert about.get("precision") == unknown[server.kind]
    assert str(folder) not in repr(about) and SECRET not in repr(about)
    assert "may change" in about["note"]


def test_the_fingerprint_changes_with_what_answers_depend_on(server, tmp_path):
    first = opened(server).fingerprint
    assert opened(server, at_once=9).fingerprint == first
    other = build("gpt2", tmp_path / "other")
    (other / "special_tokens_map.json").write_text("{}")
    different = [
        opened(server, start_token="</s>").fingerprint,
        opened(server, tokenizer=str(other)).fingerprint,
    ]
    server.models[0]["max_model_len"] = LENGTH - 1
    different.append(opened(server).fingerprint)
    assert len({first, *different}) == 4
