"""Lists of groups, traits, templates and situations: as the dissertation prints them."""

from tiltmeter.analyses.data_check.analysis import ANALYSIS, DataCheckOptions
from tiltmeter.report.documents.views.view_files import analysis_files
from tiltmeter.run.monitor import Logged


def lists(source):
    result = ANALYSIS.compute([str(source)], DataCheckOptions(), Logged())
    return {
        name: [*zip(*(column.cells for column in table.columns), strict=True)]
        for name, table in analysis_files(result).items()
    }


def test_groups_stand_by_domain_pairs_by_dimension_and_templates_by_family():
    """Tables 4.1, 4.3, 4.4 and 4.7 of Sotnikova 2023."""
    tables = lists("abc")
    groups, pairs = tables["groups"], tables["traits"]
    assert [names for domain, names, _ in groups if domain == "age"] == ["teenager, elderly"]
    assert sum(int(n) for *_, n in groups) == 53
    dimensions = [dimension for dimension, *_ in pairs]
    sizes = {name: dimensions.count(name) for name in dimensions}
    assert sizes == {"agency": 6, "beliefs": 4, "communion": 6}
    assert pairs[0] == (
        "agency", "powerless", "powerful", "weak, helpless, incapable", "forceful, formidable, capable",
    )  # fmt: skip
    assert len(tables["templates"]) == 35
    phrase = "[group] are more likely to be [trait] than others."
    assert ("comparative", phrase) in tables["templates"]


def test_premises_are_labels_by_domain_and_situations_by_kind():
    """Tables 3.2, 3.6, 3.7 and 3.8 of Sotnikova 2023: 71 labels; the published file has 102 situations."""
    tables = lists("inferences")
    sizes = {domain: int(n) for domain, _, n in tables["groups"]}
    assert sizes == {
        "race": 17, "gender": 7, "nationality": 14, "religion": 10, "politics": 9,
        "socioeconomic status": 14,
    }  # fmt: skip
    assert ("race", "Latin", "Hispanic person, Latino, Latina, Latin American person") in tables[
        "labels"
    ]
    kinds = [kind for kind, _ in tables["situations"]]
    assert (kinds.count("daily"), kinds.count("triggering")) == (49, 53)


def test_the_lists_of_another_packaged_set_and_of_a_file_of_your_own(tmp_path):
    """Table 5.2 of the same: ten, eight and four times three groups."""
    assert [n for *_, n in lists("leakage_hi")["groups"]] == ["10", "8", "3", "3", "3", "3"]
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'nouns = {singular = "person"}\n'
        'groups = [{name = "sailor", singular = "sailor", domain = "work"}]\n'
        'pairs = [{left = "slow", right = "quick"}]\n'
        'templates = [{text = "The {group} is {trait}."}]\n',
        encoding="utf-8",
    )
    tables = lists(mine)
    assert tables["groups"] == [("work", "sailor", "1")]
    assert tables["traits"] == [("", "slow", "quick", "", "")]
    assert tables["templates"] == [("", "The [group] is [trait].")]
