"""Files are checked without a model."""

import pytest

GOOD = b"id,sent_more,sent_less\n1,he was late,she was late\n2,he is here,she is here\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.csv"
    path.write_bytes(GOOD)
    return path


def test_check_finds_the_same_problems_without_a_model(tilt, tmp_path, good):
    path = tmp_path / "bad.csv"
    path.write_text("id,sent_more,sent_less\nb,,she\n")
    code, _, err = tilt("data", "check", path)
    assert code == 2
    assert "bad.csv:2" in err
    code, out, _ = tilt("data", "check", good)
    assert code == 0
    assert "2 pairs can be scored" in " ".join(out.split())
