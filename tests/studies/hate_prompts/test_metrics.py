"""Table 1 of Chiu et al. 2022 from the published replies, every number of it."""

import numpy as np
import pytest

from support import gpt3_hate
from tiltmeter.core.errors import Undefined
from tiltmeter.data.published import published
from tiltmeter.studies.hate_prompts.metrics import (
    OverallF1,
    PublishedNumber,
    rounded_accuracy,
    rounded_f1,
    rounded_precision,
    rounded_recall,
)

FORMULAS = {
    "accuracy": rounded_accuracy,
    "precision": rounded_precision,
    "recall": rounded_recall,
    "f1": rounded_f1,
}
TABLE_1 = [f for f in published("chiu2021_single").numbers if f.places["setting"] == "zero"]


def number(category, measure, statistic):
    replies = gpt3_hate.zero_shot().of(category)
    read = (replies.truth, replies.said, replies.repeat)
    if (category, measure) == ("overall", "f1"):
        return OverallF1(statistic)(*read, replies.category)
    return PublishedNumber(FORMULAS[measure], statistic)(*read)


@pytest.mark.parametrize("figure", TABLE_1, ids=lambda f: " ".join(list(f.places.values())[2:]))
def test_table_1(figure):
    measure = figure.places["measure"].removeprefix("chiu2021_")
    statistic = "sd" if measure.endswith("_sd") else "mean"
    category = figure.places["category"] or "overall"
    found = number(category, measure.removesuffix("_sd"), statistic)
    digits = 0 if statistic == "mean" else 1
    assert f"{found:.{digits}f}" == f"{figure.value:.{digits}f}"


def test_table_1_has_24_numbers():
    assert len(TABLE_1) == 24


def test_f1_over_both_categories_as_it_is_and_as_it_should_be():
    replies = gpt3_hate.zero_shot()
    read = (replies.truth, replies.said, replies.repeat)
    found = [OverallF1(s)(*read, replies.category) for s in ("mean", "sd")]
    assert found == pytest.approx([69.77, 5.69], abs=0.005)
    right = [PublishedNumber(rounded_f1, s)(*read) for s in ("mean", "sd")]
    assert right == pytest.approx([61.07, 3.98], abs=0.005)


def test_what_cannot_be_computed_has_a_reason():
    truth, said, repeat = (
        np.array([1.0, 0, 1, 0]),
        np.array([1.0, 0, 0, 0]),
        np.array([0.0, 0, 1, 1]),
    )
    with pytest.raises(Undefined, match="1 of 2 repeats has no value"):
        PublishedNumber(rounded_precision, "mean")(truth, said, repeat)
    with pytest.raises(Undefined, match="each text was asked once"):
        PublishedNumber(rounded_accuracy, "sd")(truth, said, np.zeros(4))
    with pytest.raises(Undefined, match="no text has the category 'sexist'"):
        OverallF1("mean")(truth, said, repeat, np.array(["racist"] * 4))
    with pytest.raises(Undefined, match="some repeats have no sexist texts"):
        OverallF1("mean")(truth, said, repeat, np.array(["sexist", "sexist", "racist", "racist"]))
