"""The name of a model is what people see of it everywhere, and its reference stays on the card."""

import json

import pytest

from servers.chat_server import ChatServer, Handler, serving
from tiltmeter import audit, run

AUDITED = """
called = "Assistant 2"

[[study]]
name = "first_person"
limit = 12
"""


@pytest.fixture
def server():
    with serving(ChatServer(Handler)) as served:
        yield served


def cards(folder):
    return [json.loads(card.read_text("utf-8")) for card in sorted(folder.glob("**/card.json"))]


def test_names_of_two_models_stand_in_tables_and_pages(tilt, tmp_path):
    models = ("fake:masked", "fake:causal")
    names = ("--name", "fake:masked=First <b>", "--name", "fake:causal=Second")
    code, out, err = tilt("run", "starter_pairs", *models, *names, "--limit", 40)
    assert code == 0, err
    assert "First <b>" in out
    assert "fake:" not in out
    by_name = {card["model"]["name"]: card for card in cards(tmp_path / "runs") if card["model"]}
    assert by_name["First <b>"]["model"]["reference"] == "fake:masked"
    assert by_name["Second"]["model"]["reference"] == "fake:causal"
    runs = sorted((tmp_path / "runs").glob("starter_pairs-*"))
    for command in ("table", "compare"):
        code, out, err = tilt(command, *runs)
        assert code == 0, err
        assert "Second" in out
        assert "fake:" not in out
    pages = [page.read_text("utf-8") for page in (tmp_path / "runs").glob("*/report.html")]
    assert all("First <b>" not in page for page in pages)


def test_a_model_at_a_server_is_not_called_by_its_address(tilt, tmp_path, server):
    (tmp_path / "profile.toml").write_text(AUDITED.replace('called = "Assistant 2"\n', ""), "utf-8")
    machine = ("--junit", "audit.xml", "--sarif", "audit.sarif", "--out", "audit")
    code, out, err = tilt("audit", server.reference, "--profile", "profile.toml", *machine)
    assert code == 0, err
    assert "http://" not in out
    name = server.reference.partition("#")[2]
    assert f"{name}:" in out or f"{name} " in out
    for file in ("audit.xml", "audit.sarif", "audit/report.html"):
        head = (tmp_path / file).read_text("utf-8")
        assert name in head
    assert f'name="tiltmeter audit {name}"' in (tmp_path / "audit.xml").read_text("utf-8")
    assert {card["model"]["reference"] for card in cards(tmp_path / "audit")} == {server.reference}


def test_profiles_and_python_name_models(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "profile.toml").write_text(AUDITED, "utf-8")
    made = audit("fake:writer", profile=tmp_path / "profile.toml")
    assert made.card.model_name == "Assistant 2"
    assert made.card.model_reference == "fake:writer"
    assert made.card.title == "Audit of Assistant 2"
    made = audit("fake:writer", profile=tmp_path / "profile.toml", name="Mine")
    assert made.card.model_name == "Mine"
    alone = run("starter_pairs", "fake:masked", limit=20, name="Mine = best")
    assert (alone.card.model_name, alone.card.model_reference) == ("Mine = best", "fake:masked")


def test_files_name_models(tilt, tmp_path):
    (tmp_path / "models.toml").write_text(
        '[[study]]\nname = "starter_pairs"\nlimit = 20\n[[model]]\nname = "fake:masked"\ncalled = "Ours"\n',
        encoding="utf-8",
    )
    code, out, err = tilt("run", "models.toml")
    assert code == 0, err
    assert "Ours" in out
    assert [card["model"]["name"] for card in cards(tmp_path / "runs")] == ["Ours"]
    code, _, err = tilt("run", "models.toml", "--name", "Other")
    assert code == 2
    assert 'write called = "NAME" below the name of the [[model]]' in " ".join(err.split())
