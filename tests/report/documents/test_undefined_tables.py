"""Tables without a single value give way to one sentence."""

from tiltmeter.core.estimates import Estimate
from tiltmeter.report.document import Column, Lines, Section, Table
from tiltmeter.report.documents.estimate_tables import estimate_table
from tiltmeter.report.documents.undefined_tables import has_no_value, without_undefined
from tiltmeter.report.plots.forest import Row


def of(value, n=9, why="no answers"):
    return Estimate("rate", value, None, None, None, n, 50, "%", why="" if value else why)


def table(*values, title="Rate"):
    return estimate_table(title, [Row(f"g{i}", of(value)) for i, value in enumerate(values)])


def test_counts_are_no_values_and_one_value_is_enough():
    assert has_no_value(table(None, None))
    assert not has_no_value(table(None, 50.0))
    assert not has_no_value(Table("", [Column("n", [1, 2])]))
    assert not has_no_value(Table("", [Column("text", ["a"], number=False)]))


def test_two_tables_or_more_give_way_to_a_sentence_with_the_reason():
    gone = [Section(x, x.upper(), [table(None, None, title=x)]) for x in "abcdefg"]
    kept = Section("k", "K", [table(50.0, None, title="kept")])
    everything = Section("estimates", "All", [table(None, title="all")])
    first, *others = without_undefined([*gone, kept, everything], [of(50.0), of(None), of(None)])
    assert others == [kept, everything]
    (said,) = first.blocks
    assert said.text == "7 tables without a value (a, %; b, %; c, %; and 4 more): no answers."


def test_the_reason_is_not_repeated_where_the_finding_has_it():
    sections = [Section("a", "A", [table(None, None)]), Section("b", "B", [Lines(["x"])])]
    first, kept = without_undefined(sections, [of(None), of(None)])
    assert first.blocks[0].text == "1 table without a value (Rate, %): for the same reason."
    assert kept == sections[1]


def test_tables_with_values_are_shown_as_they_are():
    sections = [Section("a", "A", [table(None, 50.0)])]
    assert without_undefined(sections, [of(None), of(50.0)]) == sections
