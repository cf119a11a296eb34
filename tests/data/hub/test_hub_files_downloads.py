"""Repositories of a hub on this machine, fetched by the real client library."""

import hashlib
import stat
from pathlib import Path

import pytest

from servers.hub_fixtures import client, hub
from servers.hub_server import TOKEN
from tiltmeter.core.errors import BadInput, MissingExtra, TiltmeterError, Unavailable
from tiltmeter.data.hub.hub_cache import Repository, licence, listed_files, origin
from tiltmeter.data.hub.hub_files import snapshot

__all__ = ["client", "hub"]

pytestmark = pytest.mark.usefixtures("client", "tiny")

LARGE = bytes(i * i % 251 for i in range(30_000))
FILES = {
    "README.md": b"---\nlicense: mit\n---\n",
    "config.json": b'{"a": 1}',
    "model.safetensors": LARGE,
    "pytorch_model.bin": LARGE[::-1],
    "tokenizer.json": b"{}" * 3000,
    "vocab.txt": b"a\nb\n",
}
MODEL = Repository("org/tiny")


@pytest.fixture
def tiny(hub):
    """A model with a branch, a tag and an older commit."""
    made = hub.repo("models", "org/tiny")
    made.commit({**FILES, "config.json": b'{"a": 0}'}, "v1")
    made.commit(FILES, "main")
    return made


def failure(of=MODEL, patterns=("*",), **options):
    with pytest.raises(TiltmeterError) as caught:
        snapshot(of, patterns, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 330
    assert "hf_" not in message
    assert "signature" not in message
    return caught.value


def test_what_is_wanted_is_fetched_once_and_nothing_else(tiny, hub):
    folder = snapshot(MODEL, ["*.json", "*.safetensors", "README.md"], without=["token*"])
    found = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert found == {k: FILES[k] for k in ("README.md", "config.json", "model.safetensors")}
    assert origin(folder) == Repository("org/tiny", tiny.refs["main"])
    assert licence(folder) == "mit"
    assert listed_files(MODEL) == {path: len(data) for path, data in FILES.items()}
    hub.calm()
    assert snapshot(MODEL, ["*.json", "*.safetensors", "README.md"], without=["token*"]) == folder
    assert [(asked.method, asked.path.partition("/revision/")[0]) for asked in hub.asked] == [
        ("GET", "/api/models/org/tiny")
    ]


@pytest.mark.parametrize("how", ["branch", "tag", "commit"])
def test_a_revision_is_a_branch_a_tag_or_a_commit(tiny, how):
    wanted, content = {
        "branch": ("main", b'{"a": 1}'),
        "tag": ("v1", b'{"a": 0}'),
        "commit": (tiny.refs["v1"], b'{"a": 0}'),
    }[how]
    folder = snapshot(Repository("org/tiny", wanted), ["config.json"])
    assert (folder / "config.json").read_bytes() == content
    assert folder.name == tiny.refs.get(wanted, wanted)


def test_a_branch_that_moved_is_followed(tiny):
    snapshot(MODEL, ["config.json"])
    newer = tiny.commit({**FILES, "config.json": b'{"a": 2}'}, "main")
    folder = snapshot(MODEL, ["config.json"])
    assert (folder.name, (folder / "config.json").read_bytes()) == (newer, b'{"a": 2}')


def test_a_token_opens_a_gated_model_and_stays_with_the_hub(hub, client):
    hub.repo("models", "org/gated", gated=True, admits=True).commit(FILES)
    client.setenv("HF_TOKEN", TOKEN)
    snapshot(Repository("org/gated"), ["*.safetensors"])
    sent = {asked.path.startswith("/cdn/"): asked.authorization for asked in hub.asked}
    assert sent == {False: f"Bearer {TOKEN}", True: ""}
    assert {asked.host for asked in hub.asked if asked.path.startswith("/cdn/")} == {
        f"localhost:{hub.server_port}"
    }


@pytest.mark.parametrize(
    ("token", "says"),
    [
        ("", r"'org/gated' is gated; accept its terms at http://\S+/org/gated, then set HF_TOKEN"),
        (TOKEN, "your account has no access; accept its terms at .*may read gated"),
        ("hf_outdatedOUTDATED", "refuses your token: it is wrong or has expired; set HF_TOKEN"),
        ("hf_pasted\u2026", "holds characters that no token has; copy it again"),
        ("hf_two words", "holds characters that no token has; copy it again"),
    ],
)
def test_a_gated_model_without_access(hub, client, token, says):
    hub.repo("models", "org/gated", gated=True).commit(FILES)
    client.setenv("HF_TOKEN", token)
    failure(Repository("org/gated")).args[0]
    with pytest.raises(TiltmeterError, match=says):
        snapshot(Repository("org/gated"), ["*"])


@pytest.mark.parametrize("token", ["", TOKEN])
def test_a_repository_or_revision_that_is_not_there(client, token):
    client.setenv("HF_TOKEN", token)
    said = str(failure(Repository("org/none")))
    assert said.startswith(
        "the hub's model 'org/none' does not exist, or is private, and there is no folder"
    )
    assert ("set HF_TOKEN" in said) is (not token)
    said = str(failure(Repository("org/none", kind="dataset")))
    assert said.startswith("the hub's data set 'org/none' does not exist")
    said = str(failure(Repository("org/tiny", "v9")))
    assert "'org/tiny' at 'v9': there is no such revision; give a branch, tag or commit" in said


@pytest.mark.parametrize("name", ["a b", "a--b", "-a/b", "a/b.git"])
def test_a_name_that_no_repository_has(name):
    assert isinstance(failure(Repository(name)), BadInput)


def test_offline_what_is_missing_is_named(client):
    client.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    said = str(failure())
    assert "'org/tiny' is not in the hub's cache on this machine, and HF_HUB_OFFLINE is set" in said
    client.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    folder = snapshot(MODEL, ["*.json"])
    client.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert snapshot(MODEL, ["*.json"]) == folder
    said = str(failure(patterns=["*.json", "*.safetensors"]))
    assert "is not complete in the hub's cache on this machine (missing: model.safetensors)" in said


def test_what_is_in_the_cache_does_without_a_hub(hub, client):
    folder = snapshot(MODEL, ["config.json"])
    client.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    assert snapshot(MODEL, ["config.json"]) == folder
    said = str(failure(Repository("org/other")))
    assert "http://127.0.0.1:9 cannot be reached (Connection refused)" in said
    assert "check HF_ENDPOINT and the proxy, or give the path of a folder" in said
    client.setattr("huggingface_hub.constants.ENDPOINT", hub.endpoint)
    hub.trouble("/api/", status=503)
    assert snapshot(MODEL, ["config.json"]) == folder


@pytest.mark.parametrize("address", ["nonsense", "htp://hub"])
def test_an_endpoint_that_is_no_address(client, address):
    client.setattr("huggingface_hub.constants.ENDPOINT", address)
    assert "HF_ENDPOINT is" in str(failure())


def test_the_password_of_a_mirror_is_not_shown(client):
    client.setattr("huggingface_hub.constants.ENDPOINT", "http://me:secret@127.0.0.1:9")
    said = str(failure())
    assert "http://127.0.0.1:9 cannot be reached" in said
    assert "secret" not in said


def test_an_address_that_is_no_hub(hub):
    hub.trouble("/api/", status=200)
    said = str(failure())
    assert f"{hub.endpoint} does not answer as a hub does; check HF_ENDPOINT" in said


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("GET /api/models", {"status": 503}),
        ("GET /api/models", {"status": 429, "headers": {"Retry-After": "0"}}),
        ("HEAD .*model.safetensors", {"status": 503}),
        ("GET /cdn/", {"status": 503}),
        ("GET /cdn/", {"cut": 10_000}),
        ("GET /cdn/", {"cut": 10_000, "reset": True}),
        ("GET /api/models", {"cut": 10, "reset": True}),
        ("GET /api/resolve-cache", {"cut": 3}),
    ],
)
def test_what_passes_is_waited_out(hub, where, what):
    hub.trouble(where, times=1, **what)
    folder = snapshot(MODEL, ["*"])
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == FILES
    assert hub.troubles[0].times == 0


def test_a_connection_that_ends_too_early_goes_on_where_it_stopped(hub, client):
    client.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 1000)
    hub.trouble("GET /cdn/", times=1, cut=10_500)
    folder = snapshot(MODEL, ["*.safetensors"])
    assert (folder / "model.safetensors").read_bytes() == LARGE
    ranges = [asked.range for asked in hub.asked if asked.path.startswith("/cdn/")]
    assert ranges == ["", "bytes=10000-"]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"status": 503}, r"the hub has a problem of its own \(503\); try again later"),
        (
            {"status": 429, "headers": {"Retry-After": "300"}},
            "try again in 300 seconds; set HF_TOKEN",
        ),
        ({"status": 429, "headers": {"RateLimit": '"api";r=0;t=120'}}, "try again in 120 seconds"),
        ({"status": 418}, r"the hub refuses it \(418\)"),
        ({"cut": 5, "reset": True}, "cannot be reached"),
    ],
)
def test_what_does_not_pass_is_reported(hub, what, says):
    hub.trouble("GET /api/models", **what)
    failure()
    with pytest.raises(Unavailable, match=says):
        snapshot(MODEL, ["*"])
    waited = what.get("headers") or what.get("status") == 418
    assert len([asked for asked in hub.asked if "/revision/" in asked.path]) == (2 if waited else 8)


def test_a_hub_that_does_not_answer_in_time(hub, client):
    client.setattr("huggingface_hub.constants.DEFAULT_REQUEST_TIMEOUT", 0.2)
    client.setattr("huggingface_hub.constants.HF_HUB_DOWNLOAD_TIMEOUT", 0.2)
    hub.trouble("GET /cdn/", wait=0.6)
    said = str(failure(patterns=["*.safetensors"]))
    assert "(missing: model.safetensors)" in said
    assert "did not answer in time; try again, or allow more" in said


def test_a_file_that_is_not_what_the_hub_promised(hub):
    hub.trouble("GET /cdn/", times=1, body=LARGE[:100])
    said = str(failure(patterns=["*.safetensors"]))
    assert "a file came with 100 bytes in place of 30000" in said
    folder = snapshot(MODEL, ["*.safetensors"])
    assert (folder / "model.safetensors").read_bytes() == LARGE


def test_a_large_file_that_was_changed_on_the_way_is_refused(hub):
    hub.trouble("GET /cdn/", body=LARGE[::-1])
    said = str(failure(patterns=["*.safetensors"]))
    assert said.startswith("model.safetensors: not the file that the hub has; delete /")
    assert snapshot(MODEL, ["config.json"])
    place = Path(said.partition("delete ")[2].partition(": then")[0])
    hub.calm()
    place.unlink()
    folder = snapshot(MODEL, ["*.safetensors"])
    assert (folder / "model.safetensors").read_bytes() == LARGE


def test_progress_counts_bytes_up_to_those_in_all(client):
    client.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 7000)
    told = []
    snapshot(MODEL, ["config.json"])
    snapshot(MODEL, ["*"], without=["*.bin"], progress=lambda *numbers: told.append(numbers))
    size = sum(len(FILES[k]) for k in FILES if k not in {"config.json", "pytorch_model.bin"})
    assert told[-1] == (size, size)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {size}


def test_nothing_is_drawn_and_no_warning_shown(hub, capfd):
    hub.trouble("GET /cdn/", times=1, status=429, headers={"Retry-After": "1"})
    snapshot(MODEL, ["*"])
    assert capfd.readouterr() == ("", "")


def test_a_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "hub").write_text("in the way")
    assert "cannot be kept in the hub's cache" in str(failure())


def test_without_the_library(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r"tiltmeter-bias\[hf\]"):
        snapshot(MODEL, ["*"])


def test_the_server_is_a_hub_to_the_client(hub):
    """What the tests above stand on: pages of the tree, hashes as names, and who sends what."""
    folder = snapshot(MODEL, ["*"])
    names = {file.name: file.resolve().name for file in folder.iterdir()}
    assert names["model.safetensors"] == hashlib.sha256(LARGE).hexdigest()
    assert len(names["vocab.txt"]) == 40
    assert stat.S_ISLNK((folder / "vocab.txt").lstat().st_mode)
    assert len([asked for asked in hub.asked if "/tree/" in asked.path]) == 2
