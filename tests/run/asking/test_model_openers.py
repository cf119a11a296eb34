"""--precision, as a user would type it, and which studies share an open model."""

import csv

import pytest

pytest.importorskip("torch", reason="the extra [hf] is not installed")

from support.architectures import TEXTS, build
from support.command_line import own_cache, tilt
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.run.asking import model_openers
from tiltmeter.run.asking.model_openers import LocalOpener, SharingOpener

__all__ = ["own_cache", "tilt"]


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return build("bert", tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture
def pairs(tmp_path):
    words = sorted({word.strip(".;").lower() for text in TEXTS for word in text.split()})
    path = tmp_path / "pairs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", "sent_more", "sent_less", "bias_type"))
        for i in range(100):
            end = f"was {words[(7 * i) % 31]}"
            more, less = f"{words[i % 30]} {end}", f"{words[(i + 5) % 30]} {end}"
            rows.writerow((f"p{i}", more, less, "age" if i % 2 else "gender"))
    return path


def test_reduced_precision_is_said_beside_the_numbers(tilt, pairs, bert):
    code, out, err = tilt("run", "pairs", bert, "--data", pairs, "--precision", "bfloat16")
    assert code == 0, err
    assert "bfloat16; near ties may be decided differently" in " ".join(out.split())
    code, out, _ = tilt("run", "pairs", bert, "--data", pairs)
    assert "near ties" not in out
    code, _, err = tilt("run", "pairs", bert, "--data", pairs, "--precision", "float8")
    assert code == 2
    assert "No precision named 'float8'" in err
    code, _, err = tilt("run", "pairs", bert, "--data", pairs, "--dtype", "float32")
    assert code == 2


@pytest.mark.parametrize(("location", "times"), [("fake:masked", 1), ("vectors:table.txt", 2)])
def test_an_option_without_effect_opens_no_model_again(monkeypatch, tmp_path, location, times):
    (tmp_path / "table.txt").write_text("he 0.1 0.2\nshe 0.3 0.4\n", encoding="utf-8")
    opened = []
    monkeypatch.setattr(
        model_openers, "open_model", lambda _, options, **__: opened.append(options) or object()
    )
    monkeypatch.setattr(model_openers, "state_of", lambda *_: None)
    where = resolve(location, Options())
    with SharingOpener(LocalOpener()) as opener:
        for skips in (False, True, False):
            with opener.open(where, Options(skip_invalid=skips)):
                pass
    assert len(opened) == times


def test_only_a_model_behind_a_server_has_places_for_several_studies():
    options = Options(at_once=7)
    assert LocalOpener().places(resolve("chat:http://localhost:9#m", options), options) == 7
    assert LocalOpener().places(resolve("fake:masked", options), options) == 0
