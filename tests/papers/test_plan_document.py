"""The plan of a paper asks nothing."""

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]


def test_the_plan_asks_nothing(tilt, tmp_path):
    words = ("replicate", write(tmp_path, STARTER), "--out", tmp_path / "paper")
    code, out, _ = tilt(*words, "--models", "fake:masked", "--plan")
    assert code == 0 and "would be asked" in out
    assert not (tmp_path / "paper").exists()
