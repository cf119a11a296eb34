"""Models in memory: asked where they are."""

import pytest

import tiltmeter as tm
from tiltmeter.api import wrapped as subject
from tiltmeter.core.errors import BadInput


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def test_options_of_models_in_files_are_not_those_of_models_in_memory():
    from tiltmeter.models.opening.open_model import resolve

    wrapped = subject.WrappedModel(resolve("fake:masked"))
    with pytest.raises(BadInput, match="in memory already"):
        tm.run("starter_pairs", wrapped, precision="bfloat16")
    with pytest.raises(BadInput, match="in memory already"):
        tm.run("starter_pairs", wrapped, device="cpu")
    assert tm.run("starter_pairs", wrapped).headline.n == 270
