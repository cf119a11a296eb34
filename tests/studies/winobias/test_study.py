import numpy as np

from tiltmeter.core.records import Record
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.studies.winobias.study import STUDY


def test_type_and_split_are_crossed():
    rng = np.random.default_rng(1)
    records = [
        Record(
            f"{i}", {"more": float(rng.normal()), "less": 0.0},
            {"bias_type": "gender", "type": ("knowledge", "syntax")[i % 2],
             "split": ("dev", "test")[i // 2 % 2]},
        )
        for i in range(40)
    ]  # fmt: skip
    table = columns_of(records, ["more", "less"])
    found = estimates(STUDY.measures[:1], table, "half", 0)
    rates = {tuple(e.groups.items()): e for e in found}
    four = [key for key in rates if len(key) == 2]
    assert len(four) == 4 and all(rates[key].n == 10 for key in four)
    for key in four:
        mine = [
            r for r in records if key == (("type", r.groups["type"]), ("split", r.groups["split"]))
        ]
        assert rates[key].value == 100 * np.mean([r.scores["more"] > 0 for r in mine])
    assert {(("type", "syntax"),), (("split", "dev"),)} <= rates.keys()
