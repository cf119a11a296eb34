"""--precision, as a user would type it."""

import csv

import pytest

pytest.importorskip("torch", reason="the extra [hf] is not installed")

from support.architectures import TEXTS, build
from support.command_line import own_cache, tilt

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
