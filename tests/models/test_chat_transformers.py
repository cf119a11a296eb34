"""A real server: `transformers serve` with a small random model, asked through `chat:`."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from support.architectures import build
from support.command_line import tilt  # noqa: F401  # fixture
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import ALLOWANCES, Choosing, Message, Prompt, Writing
from tiltmeter.models import chat
from tiltmeter.models.openai_protocol import server_client
from tiltmeter.models.openai_protocol.server_client import RequestRefused
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store

pytestmark = pytest.mark.slow

TEMPLATE = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
PROMPT = Prompt((Message("user", "The old driver was slow."),))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of the server, and the folder that is the name of its model."""
    for needed in ("fastapi", "uvicorn", "openai"):
        pytest.importorskip(needed)
    home = tmp_path_factory.mktemp("served")
    folder = build("llama", home / "tiny")
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    settings = {"do_sample": True, "bos_token_id": 1, "eos_token_id": 2}
    (folder / "generation_config.json").write_text(json.dumps(settings))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).with_name("transformers"), "serve", folder, "--device", "cpu"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(home / "hub")}
    (home / "hub" / "hub").mkdir(parents=True)  # without one its list of models is an error
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server, home / "log")
            yield f"http://127.0.0.1:{port}", str(folder)
        finally:
            server.terminate()
            server.wait(30)


def wait_for(url, server, log):
    deadline = time.monotonic() + 200
    while True:
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, OSError):
            assert server.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)


@pytest.fixture
def model(served, monkeypatch):
    # The random model never ends a reply by itself: its one long reply need not be long.
    monkeypatch.setattr(chat, "ALLOWANCES", dict.fromkeys(ALLOWANCES, 4))
    url, folder = served
    return open_model(resolve(f"chat:{url}#{folder}"), Options(at_once=2))


def test_conversations_and_texts_are_continued(model):
    texts = Prompt(PROMPT.messages, chat=False)
    requests = [Writing(PROMPT, 5), Writing(texts, 5)]
    talk, text = CachedModel(model, Store(None)).write(requests)
    assert model.name == "tiny"
    for reply in (talk, text):
        assert reply.finish in {"stop", "length"}
        assert reply.tokens_out > 0 and reply.tokens_in > 3
    assert talk.tokens_in > text.tokens_in  # the template's


def test_at_temperature_0_a_reply_is_always_the_same_and_otherwise_repeats_differ(model):
    cold = [model.write([Writing(PROMPT, 8)])[0] for _ in range(2)]
    assert cold[0].text == cold[1].text
    hot = [Writing(PROMPT, 8, temperature=1.8, repeat=k) for k in range(4)]
    first = [reply.text for reply in model.write(hot)]
    assert len(set(first)) > 1
    assert [reply.text for reply in model.write(hot)] == first  # asked one by one, seeds hold


def test_stop_texts_are_no_part_of_the_reply(model):
    whole = model.write([Writing(PROMPT, 8)])[0].text
    stop = whole.strip()[2]
    cut = model.write([Writing(PROMPT, 8, stop=(stop,))])[0]
    assert cut.text == whole[: whole.index(stop)]
    assert cut.finish == "stop"


def test_a_system_prompt_that_the_template_refuses_is_sent_otherwise(model, monkeypatch):
    monkeypatch.setattr(server_client, "PAUSE", 0.01)
    system = Prompt((Message("system", "Be brief."), *PROMPT.messages))
    (reply,) = model.write([Writing(system, 5)])
    assert reply.tokens_in > model.write([Writing(PROMPT, 5)])[0].tokens_in
    assert model.about["system prompt sent as"] == "the beginning of the first message of the user"


def test_of_the_ways_to_ask_for_no_thinking_one_is_refused(model):
    assert model.write([Writing(PROMPT, 5, thinking="off")])[0].tokens_out
    assert model.about["not sent, because the server refuses it"] == "thinking"


def test_log_probabilities_that_it_silently_leaves_out_are_noticed(model):
    with pytest.raises(CannotAnswer, match="returns no log-probabilities"):
        model.choice_logprobs([Choosing(PROMPT, ("yes", "no"))])


def test_another_model_is_refused_in_its_words(served):
    url, _ = served
    with pytest.raises(RequestRefused, match=r"400 Bad Request \(.*pinned to"):
        open_model(resolve(f"chat:{url}#other")).write([Writing(PROMPT, 5)])


def test_inferences_are_written_by_prompt_and_not_asked_again(served, tilt, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    pytest.importorskip("vaderSentiment")
    url, folder = served
    command = ["run", "inferences", f"chat:{url}#{folder}", "--json"]
    command += ["--set", "groups=Cuban, man", "--set", "situations=2", "--set", "hypotheses=2"]
    command += ["--set", "max_tokens=6", "--jsonl", "--out", "results"]
    cards = []
    for _ in range(2):
        code, out, err = tilt(*command)
        assert code == 0, err
        cards.append(json.loads(out))
    assert [one["card"]["rule"] for one in cards] == ["sample", "sample"]
    (records,) = (tmp_path / "results").glob("**/records.jsonl")
    rows = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
    assert len(rows) == 2 * 2 * 2
    assert {row["group_group"] for row in rows} == {"Cuban", "man"}
    assert cards[0]["estimates"] == cards[1]["estimates"]
    shares = {e["name"]: e["n"] for e in cards[0]["estimates"] if not e["groups"]}
    assert shares["empty_rate"] == 8
