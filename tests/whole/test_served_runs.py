"""Commands on a served model: they give what they give of its files, and keep secrets to themselves."""

import json

import pytest

from servers.chat_server import Trouble, serving
from servers.model_server import SECRET, ModelServer
from support.architectures import build
from tiltmeter.models import served
from tiltmeter.models.openai_protocol import server_client

KEY = "sk-" + "veryverysecret"


@pytest.fixture(params=["vllm", "sglang"])
def server(request, tmp_path, monkeypatch):
    monkeypatch.setattr(server_client, "PAUSE", 0.01)
    monkeypatch.setenv("TILTMETER_API_KEY", KEY)
    with serving(ModelServer(build("gpt2", tmp_path / "tiny"), request.param)) as one:
        yield one


def records(folder):
    """The fields of each record that are numbers, and the rest."""
    both = []
    for line in (folder / "records.jsonl").read_text().splitlines():
        fields = json.loads(line)
        numbers = {name: value for name, value in fields.items() if isinstance(value, float)}
        both.append((numbers, {name: fields[name] for name in fields.keys() - numbers}))
    return both


def test_a_run_gives_the_records_of_the_local_model_and_goes_on_after_trouble(
    server, tilt, tmp_path, monkeypatch
):
    monkeypatch.setattr(served, "TEXTS", 8)
    run = ("run", "starter_pairs", "--jsonl", "--out")
    code, _, err = tilt(*run, "local", "tiny", "--device", "cpu")
    assert code == 0, err
    # Two texts are tokenized and two requests scored when the model is opened.
    server.troubles += [Trouble(4 + 2), Trouble(status=400, body=b'{"error": {"message": "stop"}}')]
    code, _, err = tilt(*run, "theirs", server.reference, "--at-once", "1")
    assert code == 2, err
    assert (
        "stop" in err
        and "16 answers of this run are stored, and the same command continues from there" in err
    )
    server.troubles.clear()
    code, _, err = tilt(*run, "theirs", server.reference, "--at-once", "1")
    assert code == 0, err
    (here,), (there,) = ([*(tmp_path / name).glob("*")] for name in ("local", "theirs"))
    ours, theirs = records(here), records(there)
    assert server.texts == 2 * 3 + 540 + 8  # each text once, but those whose answer was an error
    assert len(ours) == len(theirs) > 200
    for (a, rest), (b, same) in zip(theirs, ours, strict=True):
        assert b and a == pytest.approx(b, abs=1e-4)
        assert rest == same
    texts = b"".join(
        path.read_bytes() for path in (tmp_path / "theirs").rglob("*") if path.is_file()
    )
    assert KEY.encode() not in texts and SECRET.encode() not in texts
    assert all(one.authorization == f"Bearer {KEY}" for one in server.asked)
    card = json.loads((there / "card.json").read_text())
    assert "causal model behind" in repr(card)


def test_a_plan_counts_texts_and_exact_tokens_and_claims_no_time(server, tilt):
    code, out, err = tilt("run", "starter_pairs", server.reference, "--plan")
    assert code == 0, err
    assert "540 requests would be asked" in out
    assert "11,924" in out and "time" not in out.lower()  # as the run itself counts them
    assert server.texts == 3  # those by which the server is tried


def test_a_server_without_log_probabilities_is_refused_before_any_work(server, tilt, tmp_path):
    server.scores_prompts = False
    code, out, err = tilt("run", "starter_pairs", server.reference, "--out", "runs")
    assert code == 2 and not out
    assert "no log-probabilities of the tokens of a prompt" in err and "chat:URL#MODEL" in err
    assert not [*(tmp_path / "runs").rglob("*.*")]


def test_a_sweep_names_the_tokenizer(server, tilt, tmp_path):
    server.folder = tmp_path / "elsewhere"
    server.models[0]["root"] = str(server.folder)
    (tmp_path / "sweep.toml").write_text(
        f'[[study]]\nname = "starter_pairs"\n[[model]]\nname = "{server.reference}"\n'
        'tokenizer = "tiny"\nat-once = 2\n'
    )
    code, _, err = tilt("run", "sweep.toml")
    assert code == 0, err


def test_sentences_are_scored_token_by_token(server, tilt):
    texts = ("The old driver was slow.", "The old driver was rude.")
    code, theirs, err = tilt("score", server.reference, *texts, "--json")
    assert code == 0, err
    _, ours, _ = tilt("score", "tiny", *texts, "--json", "--device", "cpu")
    there, here = (
        [one["score"] for item in json.loads(said)["items"] for one in item["sentences"]]
        for said in (theirs, ours)
    )
    assert len(there) == len(texts)
    assert there == pytest.approx(here, abs=1e-4)
