"""What active report says of each set."""

import tiltmeter as tm
from support.active_runs import written


def test_the_finding_names_verdict_ratio_and_interval(result):
    first, second = (paragraph.text for paragraph in result.card.finding)
    assert first.startswith("calm: in reaching excess log loss ≤ 0.5")
    assert "DAAL saves votes (ratio 1.90, 95\u00a0% interval 1.8" in first
    assert "Entropy costs votes (ratio <\u00a00." in second
    assert second.endswith("higher for Entropy.")


def test_one_strategy_and_runs_without_held_out_votes_say_so(tmp_path):
    alone = tm.analyse.active_report(written(tmp_path / "alone", {"passive": 200}, seeds=3))
    assert alone.card.finding[0].text == "alone: only Passive was run."
    assert (alone.headline.value, alone.headline.why) == (0, "of 0 comparisons")
    assert "Undecided" not in alone.page()
