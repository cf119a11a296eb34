"""The command line and the real client with a hub on this machine, in processes of their own."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from servers.hub_fixtures import hub
from servers.hub_server import TOKEN

__all__ = ["hub"]

pytestmark = pytest.mark.slow

CSV = b"""sent_more,sent_less,bias_type
The old driver was slow.,The young driver was slow.,age
He is a nurse.,She is a nurse.,gender
"""


@pytest.fixture
def tilt_at(hub, tmp_path):
    """Runs the command line against the hub; checks that no token shows, in output or in any file."""
    (tmp_path / "pairs.csv").write_bytes(CSV)

    def call(*args, **settings):
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "TILTMETER_"))}
        own = {
            "HF_ENDPOINT": hub.endpoint,
            "HF_HOME": str(tmp_path / "hf"),
            "TILTMETER_CACHE": str(tmp_path / "cache"),
            "COLUMNS": "100",
        }
        ran = subprocess.run(
            [sys.executable, "-m", "tiltmeter", *map(str, args)],
            cwd=tmp_path, env={**keep, **own, **settings}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        said = ran.stdout + ran.stderr
        token = settings.get("HF_TOKEN", TOKEN).encode()
        assert "Traceback" not in said
        assert not [f for f in tmp_path.rglob("*") if f.is_file() and token in f.read_bytes()]
        assert token.decode() not in said
        return ran

    return call


@pytest.fixture
def card(tmp_path):
    """Reads the one card that a command wrote."""

    def read(out):
        (file,) = (tmp_path / out).rglob("card.json")
        return json.loads(file.read_text("utf-8"))

    return read


def put(hub, name, folder, *names, **changed):
    """A commit of a folder to a model repository, made where there is none."""
    made = hub.repos.get(("models", name)) or hub.repo("models", name)
    files = {f.name: f.read_bytes() for f in Path(folder).iterdir()}
    return made.commit(files | changed, *names)


def test_data_of_the_hub_end_to_end(hub, tilt_at, card):
    made = hub.repo("datasets", "org/pairs")
    commit = made.commit({"README.md": b"---\nlicense: mit\n---\n", "a.csv": CSV})
    run = ("run", "pairs", "fake", "--data", "hf:org/pairs/a.csv")
    assert tilt_at(*run, "--out", "one").returncode == 0
    data = card("one")["data"]
    assert data["source"] == f"hf:org/pairs/a.csv@{commit}"
    assert (data["version"], data["licence"]) == (commit, "mit")
    assert "--data hf:org/pairs/a.csv" in card("one")["command"]
    assert tilt_at(*run, "--out", "two", HF_HUB_OFFLINE="1").returncode == 0
    gone = tilt_at("run", "pairs", "fake", "--data", "hf:org/none/a.csv", HF_HUB_OFFLINE="1")
    assert (gone.returncode, gone.stdout) == (1, "")
    assert gone.stderr.startswith(
        "tiltmeter: the hub's data set 'org/none' is not in the hub's cache"
    )


def test_models_that_cannot_be_had_are_refused_in_one_line(hub, tilt_at):
    hub.repo("models", "org/gated", gated=True).commit({"config.json": b"{}"})
    run = ("run", "pairs", "--data", "pairs.csv")
    for name, token, says in (
        ("org/gated", "", r"is gated; accept its terms at http\S+/org/gated, then set HF_TOKEN"),
        ("org/gated", TOKEN, r"is gated, and your account has no access"),
        ("org/gone", "", r"does not exist, or is private.*check the name, or set HF_TOKEN"),
        ("org/gone", "hf_outdatedOUTDATED", r"refuses your token: it is wrong or has expired"),
    ):
        ran = tilt_at(*run, name, **({"HF_TOKEN": token} if token else {}))
        assert (ran.returncode, ran.stdout) == (1, "")
        assert re.fullmatch(rf"tiltmeter: .*{says}.*\n", ran.stderr)
        assert len(ran.stderr) < 300


def test_a_model_of_the_hub_end_to_end(hub, tilt_at, card, tmp_path):
    build = pytest.importorskip("support.architectures").build
    bert = build("bert", tmp_path / "bert")
    config = json.loads((bert / "config.json").read_text("utf-8"))
    older = put(
        hub, "org/tiny", bert, "v1", **{"config.json": json.dumps(config | {"x": 1}).encode()}
    )
    newer = put(hub, "org/tiny", bert, "main")
    run = ("run", "pairs", "org/tiny", "--data", "pairs.csv", "--device", "cpu")

    hub.trouble("GET /cdn/", times=1, cut=9_000, reset=True)
    ran = tilt_at(*run, "--out", "main", HF_TOKEN=TOKEN)
    assert ran.returncode == 0
    assert ran.stderr.splitlines()[:2] == ["loading org/tiny", "fetching org/tiny"]
    assert card("main")["model"]["revision"] == newer
    assert {a.authorization for a in hub.asked if a.path.startswith("/cdn/")} == {""}

    hub.calm()
    again = tilt_at(*run, "--out", "offline", HF_HUB_OFFLINE="1")
    assert again.returncode == 0
    assert not hub.asked
    assert again.stdout.replace("offline", "main") == ran.stdout

    tagged = tilt_at(*run, "--out", "v1", "--revision", "v1")
    assert tagged.returncode == 0
    assert card("v1")["model"]["revision"] == older
    assert card("v1")["model"]["fingerprint"] != card("main")["model"]["fingerprint"]


CODE = """from transformers import BertConfig, BertForMaskedLM
from pathlib import Path

Path("code-ran").touch()


class OwnConfig(BertConfig):
    model_type = "own"


class OwnForMaskedLM(BertForMaskedLM):
    config_class = OwnConfig
"""


def test_code_of_a_repository_runs_only_when_asked(hub, tilt_at, tmp_path):
    build = pytest.importorskip("support.architectures").build
    bert = build("bert", tmp_path / "bert")
    said = json.loads((bert / "config.json").read_text("utf-8"))
    classes = {"AutoConfig": "own.OwnConfig", "AutoModelForMaskedLM": "own.OwnForMaskedLM"}
    said |= {"model_type": "own", "architectures": ["OwnForMaskedLM"], "auto_map": classes}
    put(hub, "org/own", bert, **{"config.json": json.dumps(said).encode(), "own.py": CODE.encode()})
    run = ("run", "pairs", "org/own", "--data", "pairs.csv", "--device", "cpu")

    refused = tilt_at(*run)
    assert refused.returncode == 1
    assert "org/own comes with its own code; review it" in refused.stderr
    assert not any(asked.path.endswith("own.py") for asked in hub.asked)
    assert not (tmp_path / "code-ran").exists()

    assert tilt_at(*run, "--trust-remote-code").returncode == 0
    assert (tmp_path / "code-ran").exists()
