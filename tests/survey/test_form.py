"""What does not go together in a form whose parts are all sound."""

from dataclasses import replace

import pytest

from support.survey import forms
from tiltmeter.survey.form import AttentionCheck, Repeat, Sampling


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sampling": Sampling(each=9)}, "a person gets 9 items, but there are 4"),
        ({"sampling": Sampling(each=1)}, "2 items are common, but a person gets 1"),
        ({"sampling": Sampling(each=3, familiar=2)}, "fewer items are marked than rated"),
        (
            {"sampling": Sampling(each=3), "checks": (AttentionCheck(after=4, text={"en": "x"}),)},
            "the test 'name_item' comes after item 4",
        ),
        ({"languages": ("en", "en")}, "the language 'en' occurs 2 times"),
    ],
)
def test_one_thing_that_does_not_fit(changed, said):
    form = forms.a_form(common=2)
    assert [*form.faults()] == []
    assert [str(fault) for fault in replace(form, **changed).faults()] == [said]


def test_self_agreement_needs_sliders():
    form = forms.a_form()
    page = replace(form.pages[0], questions=())
    faults = replace(form, pages=(page,), repeat=Repeat()).faults()
    assert [str(fault) for fault in faults] == ["[repeat] needs sliders on the item pages"]


def test_sliders_that_name_no_pair_of_traits_are_listed():
    form = forms.a_form()
    names = [name for _, name in form.sliders]
    assert form.sliders_without_traits == () != tuple(names)
    page = form.part("item")[0]
    questions = tuple(replace(question, name="careless-careful") for question in page.questions[:1])
    renamed = replace(form, pages=(replace(page, questions=questions),))
    assert renamed.sliders_without_traits == ("careless-careful",)
