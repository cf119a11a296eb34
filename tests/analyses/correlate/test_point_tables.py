"""Numbers of tables: users’ own, and those that papers print."""

import pytest

from analyses.correlate.examples import found
from tiltmeter.analyses.correlate.point_tables import of_published, of_table
from tiltmeter.analyses.correlate.points import points_of
from tiltmeter.analyses.correlate.relations import correlate
from tiltmeter.core.errors import BadInput, BadItems


def table(folder, text, name="numbers.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_tables_of_the_user(tmp_path):
    file = table(tmp_path, "model,note,f1,gap\na,first,0.5,\nb,,0.6,1e-3\n")
    read, notes = of_table(file, "models")
    assert [(o.model, o.measure, o.value) for o in read] == [
        ("a", "f1", 0.5), ("b", "f1", 0.6), ("b", "gap", 0.001),
    ]  # fmt: skip
    assert notes == ["numbers.csv: the column 'note' contains no numbers and is left out"]
    read, _ = of_table(table(tmp_path, "who,f1\nwomen,1\n"), "groups")  # the first column names
    assert (read[0].group, read[0].model) == ("women", "")
    read, _ = of_table(table(tmp_path, "group,model,f1\nwomen,a,1\n"), "cells")
    assert (read[0].group, read[0].model) == ("women", "a")


@pytest.mark.parametrize(
    ("text", "over", "said"),
    [
        ("model,note\na,first\n", "models", "it has no column of numbers"),
        ("model,f1\na,0.5\nb,1_0\n", "models", "f1 is '1_0', which is not a number"),
        ("model,f1\na,0.5\nb,inf\n", "models", "numbers.csv:3: f1 is 'inf', which is not a number"),
        ('model,f1\na,0.5\nb,"0,6"\n', "models", "f1 is '0,6', which is not a number"),
        ("model,f1\na,0.5\n,0.6\n", "models", "numbers.csv:3: model is empty"),
        ("model,f1\na,0.5\na,0.6\n", "models", "numbers.csv:3: a is also on line 2"),
        ("model,f1\na,0.5\n", "groups", "it has no column 'group', which --over groups needs"),
        ("model,f1\na,0.5\n", "cells", "it has no column 'group', which --over cells needs"),
        ("model,f1,f1\na,1,2\n", "models", "the column 'f1' occurs 2 times"),
        ("model,f1\na,1,2\n", "models", "too many cells"),
    ],
)  # fmt: skip
def test_bad_tables(tmp_path, text, over, said):
    with pytest.raises((BadInput, BadItems)) as error:
        of_table(table(tmp_path, text), over)
    assert said in str(error.value)


def test_published_tables_are_points_too():
    """Table 8's cell of race and Kaggle-insults, and over the groups Figure 3's of BERT and the US."""
    sources = [
        *of_published("elsafoury2023_sos", "models"),
        *of_published("elsafoury2023_f1", "models"),
    ]
    made = correlate(points_of(sources, "models"), between=True)
    assert len(made.of("pearson")) == 66
    one = found(made, "pearson", "SOS marginalised, race", "F1 Kaggle-insults")
    assert round(one.value, 3) == -0.049 and one.p_adjusted == 1
    groups = [
        *of_published("elsafoury2023_sos", "groups"), *of_published("elsafoury2023_online_hate", "groups"),
    ]  # fmt: skip
    made = correlate(points_of(groups, "groups"), between=True)
    name = "SOS marginalised, bert-base-uncased"
    assert round(found(made, "pearson", name, "online hate United States").value, 3) == 0.996
    with pytest.raises(BadInput, match="elsafoury2023_online_hate is not about models"):
        of_published("elsafoury2023_online_hate", "models")
    with pytest.raises(BadInput, match="elsafoury2023_f1 is not about groups"):
        of_published("elsafoury2023_f1", "cells")


def test_rows_of_a_published_table_that_are_no_points_are_left_out():
    """Over groups, the rates over all pairs and by direction are about no group."""
    sources = of_published("nangia2020_bias", "groups")
    assert len(sources) == 9 * 3
    made = points_of(sources, "groups")
    assert "race-color" in made.labels and len(made.labels) == 9
    assert made.names[0] == "crows_pairs stereotype_rate, bert-base-uncased"
    assert len(of_published("nangia2020_bias", "models")) == 45
    with pytest.raises(BadInput, match=r"not about models; leave it out$"):
        of_published("nadeem2021_lms_ss", "models")
    with pytest.raises(BadInput, match="not about models; leave it out, or take --over groups"):
        of_published("elsafoury2023_online_hate", "cells")
