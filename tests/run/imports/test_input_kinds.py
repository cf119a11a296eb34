"""Options that have no effect on what import is given are refused."""

import pytest

PAIRS = "sent_more,sent_less,sent_more_score,sent_less_score\nhe ran,she ran,-1,-2\n"


@pytest.mark.parametrize("word", ["--cluster"])
def test_options_that_have_no_effect_are_refused(tilt, tmp_path, word):
    (tmp_path / "a.csv").write_text(PAIRS)
    code, _, err = tilt("import", "a.csv", word, "topic")
    assert code == 2 and f"{word} has no effect on scores and replies" in err
