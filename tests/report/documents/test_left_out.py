"""Single templates in words."""

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card
from tiltmeter.core.scope import LeftOut
from tiltmeter.report.documents.left_out import left_out_facts

HEAD = Estimate("rms", 0.4, 0.1, 0.7, None, 9, 0, "nats", meaning=Meaning("Strength"))


def card(left_out=None):
    return Card("group_traits", "1", {}, {}, left_out=left_out)


def test_a_fact_about_the_range_and_the_template_that_counts_most():
    one = LeftOut("rms", "template", 35, 0.35, 0.44, 0.1, "All [group] are [trait].", 0.35)
    (said,) = left_out_facts(card(one), [HEAD]).items()
    assert said[0] == "Without one template"
    assert said[1] == (
        "strength is 0.350 to 0.440\xa0nats with one of 35 templates left out at a time (0.400 with "
        "all); without “All [group] are [trait].” it changes most, to 0.350"
    )


def test_nothing_is_said_where_nothing_was_left_out():
    assert left_out_facts(card(), [HEAD]) == {}
