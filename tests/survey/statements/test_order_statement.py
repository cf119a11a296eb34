"""What is said of the orders of a form and of the answers to it."""

from functools import partial

from support.survey.forms import a_form, a_study, fill_in, someone
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.statements.order_statement import order_sentence, recorded_orders
from tiltmeter.survey.statements.statement import data_statement, datasheet


def test_a_form_says_what_is_fixed():
    assert order_sentence(a_form()) == "items random; rows fixed; sides of ends fixed"
    mixed = a_form(top='[order]\nitems = "fixed"\nrows = "random"\npoles = "by page"')
    assert order_sentence(mixed) == "items fixed; rows random; sides of ends random"
    assert order_sentence(read_form("compare_replies")) == (
        "items random; options fixed; texts of an item (reply_1, reply_2) random"
    )


def test_statements_name_only_what_was_recorded(store):
    form = a_form(top='[order]\nrows = "random"\npoles = "by slider"')
    study = a_study(store, form)
    collected = store.read(partial(collect, study=study))
    assert recorded_orders(collected) == []
    for _ in range(2):
        fill_in(store, form, someone(store, study))
    collected = store.read(partial(collect, study=study))
    random, swapped = recorded_orders(collected)
    assert random == (
        "Random, and stored with each answer: the order of items (24 answers), the order of rows "
        "(24 answers), the sides of ends (24 answers)."
    )
    assert swapped == "Ends had changed sides in 12 of 24 answers."  # half of two people
    for made in (data_statement(collected), datasheet(collected)):
        assert "Ends had changed sides in 12 of 24 answers." in made


def test_a_form_without_random_orders_says_nothing(store):
    form = a_form(top='[order]\nitems = "fixed"')
    study = a_study(store, form)
    fill_in(store, form, someone(store, study))
    collected = store.read(partial(collect, study=study))
    assert recorded_orders(collected) == []
    items = [r.item for r in collected.responses if r.question == "cold - warm"]
    assert items == ["g0", "g1", "g2", "g3"]
