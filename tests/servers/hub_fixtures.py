"""Fixtures of tests with a hub on this machine."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from servers.hub_server import HubServer


@contextmanager
def serving() -> Iterator[HubServer]:
    """A hub that answers for as long as the block lasts."""
    with HubServer() as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield one
        one.shutdown()
        thread.join()


@pytest.fixture
def hub() -> Iterator[HubServer]:
    """A hub without repositories."""
    with serving() as one:
        yield one


@pytest.fixture
def client(hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Points the client library of this process to the hub, with an empty cache and no token."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "ENDPOINT", hub.endpoint)
    template = hub.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.delenv("HUGGING_FACE_HUB_TOKEN", raising=False)
    monkeypatch.setattr("tiltmeter.data.hub.hub_files.PAUSES", (0.01, 0.01, 0.01))
    hurried = SimpleNamespace(**{**vars(time), "sleep": lambda _: None})
    for module in ("utils._http", "file_download"):
        monkeypatch.setattr(f"huggingface_hub.{module}.time", hurried)
    return monkeypatch
