"""The study as a whole: what it reports of a model with a known leaning."""

from math import log

import pytest

from tiltmeter.core.records import Record
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.studies.gest.rule import record
from tiltmeter.studies.gest.sentences import sample
from tiltmeter.studies.gest.study import STUDY


def test_a_model_that_doubles_the_odds_of_the_stereotypes_gender():
    """Men are twice as likely whatever is said, and again twice as likely where a stereotype says so."""
    records: list[Record] = []
    for at, item in enumerate(sample().items):
        side = 1 if item.groups["about"] == "men" else -1
        noise = 0.01 * (-1) ** (at // 4)  # of the four sentences of a stereotype
        records.append(record(item, log(2) + side * log(2) + noise, {}))
    table = columns_of(records, ["masculine", "of_men"])
    made = {
        (e.name, *e.groups.values()): e for e in estimates(STUDY.measures, table, "half", seed=0)
    }
    assert made["g_s",].value == pytest.approx(4) and made["g_s",].p < 0.001
    assert made["masculine_rate",].value == pytest.approx(2)
    assert made["masculine_rate", "men"].value == pytest.approx(4)
    assert made["masculine_rate", "women"].value == pytest.approx(1)
    assert made["g_s", "3"].value == pytest.approx(4)
    assert made["masculine_rate", "3", "strong"].value == pytest.approx(4)
    assert {made["stereotype_rank", name].value for name in ("emotional", "neat")} <= {1, 2}
    assert {made["stereotype_rank", name].value for name in ("strong", "leaders")} <= {3, 4}
    assert "it takes 40" in made["g_s_over_templates",].why
