"""Items are handed out to so many people each, whoever asks at the same time."""

import threading
from collections import Counter
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from support.survey import forms
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.assign import is_full, lease_items, repeat_items
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.places import finish_item
from tiltmeter.survey.schema import Assignment, ItemRow
from tiltmeter.survey.store import SurveyStore


def lease(store, form, person, **named):
    found = store.save(partial(lease_items, person=person, form=form, **named))
    return [one.item.key for one in found]


def test_common_items_go_to_everybody_and_the_rest_to_so_many(store):
    form = forms.a_form(6, sampling="each = 3\nvotes = 2", common=1)
    study = forms.a_study(store, form)
    got = [lease(store, form, forms.someone(store, study)) for _ in range(7)]
    assert all("g0" in keys for keys in got)
    assert Counter(key for keys in got for key in keys) == Counter(
        {"g0": 7, **dict.fromkeys(("g1", "g2", "g3", "g4", "g5"), 2)}
    )
    assert [len(keys) for keys in got] == [3, 3, 3, 3, 3, 1, 1]


def test_asking_again_gives_nothing_new(store):
    form = forms.a_form(4, sampling="each = 2")
    person = forms.someone(store, forms.a_study(store, form))
    assert lease(store, form, person) == lease(store, form, person)


def test_only_items_that_were_marked_as_familiar_are_given(store):
    form = forms.a_form(6, sampling="each = 2\nfamiliar = 2")
    person = forms.someone(store, forms.a_study(store, form))
    assert sorted(lease(store, form, person, among={"g1", "g4"})) == ["g1", "g4"]


def test_quotas_hold_for_each_item_and_stratum(store):
    form = forms.a_form(2, sampling="quotas = { women = 2, men = 1 }")
    study = forms.a_study(store, form)
    got = Counter(
        (key, stratum)
        for stratum in ["women", "men"] * 4
        for key in lease(store, form, forms.someone(store, study, stratum=stratum))
    )
    assert got == {("g0", "women"): 2, ("g1", "women"): 2, ("g0", "men"): 1, ("g1", "men"): 1}
    stranger = forms.someone(store, study, stratum="others")
    with pytest.raises(BadInput, match="quotas are for women, men"):
        lease(store, form, stranger)


def test_a_finished_item_is_repeated_once(store):
    form = forms.a_form(3, sampling="each = 2", rest="[repeat]\nitems = 1\n")
    person = forms.someone(store, forms.a_study(store, form))
    for one in store.save(partial(lease_items, person=person, form=form)):
        store.save(partial(finish_item, assignment=one.assignment, form=form))
    first = store.save(partial(repeat_items, person=person, form=form))
    assert store.save(partial(repeat_items, person=person, form=form)) == first
    assert [one.round for one in first] == [1, 1, 2]
    assert first[2].item in (first[0].item, first[1].item)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    votes=st.integers(1, 3),
    each=st.integers(1, 4),
    items=st.integers(4, 6),
    people=st.integers(2, 9),
)
def test_no_item_has_more_people_than_places_however_many_ask_at_once(
    tmp_path_factory, votes, each, items, people
):
    path = tmp_path_factory.mktemp("quota") / "survey.db"
    compete(str(path), votes, each, items, people)


@pytest.mark.slow
def test_several_processes_on_one_server_share_the_quotas(postgres):
    compete(postgres, votes=2, each=3, items=4, people=8)


def compete(url, votes, each, items, people):
    """Several stores, as several processes have them, and threads that lease and finish at once."""
    form = forms.a_form(items, sampling=f"each = {each}\nvotes = {votes}")
    with SurveyStore(url) as one, SurveyStore(url) as other:
        study = forms.a_study(one, form)
        persons = [forms.someone(one, study) for _ in range(people)]
        gate = threading.Barrier(people)

        def work(store, person):
            gate.wait()
            for assigned in store.save(partial(lease_items, person=person, form=form)):
                store.save(partial(finish_item, assignment=assigned.assignment, form=form))

        threads = [
            threading.Thread(target=work, args=((one, other)[i % 2], person))
            for i, person in enumerate(persons)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = one.read(
            lambda s: s.execute(select(ItemRow.key, Assignment.person_id).join(ItemRow)).all()
        )
    assert len(set(rows)) == len(rows)  # nobody has an item twice
    per_item = Counter(key for key, _ in rows)
    assert max(per_item.values()) <= votes
    per_person = Counter(person for _, person in rows)
    assert max(per_person.values()) <= each
    for key in (item.key for item in form.items):  # no place is left while somebody could take it
        for person in persons if per_item[key] < votes else ():
            assert (key, person) in rows or per_person[person] == each


def test_nobody_is_trained_where_nothing_is_left(store):
    training = '\n[[items]]\nid = "easy"\nkind = "training"\ntext = "t"\nexpected = { "cold - warm" = "1" }\n'
    form = forms.a_form(1, sampling="votes = 1", rest=training)
    study = forms.a_study(store, form)
    first, second = (lease(store, form, forms.someone(store, study)) for _ in range(2))
    assert (first, second) == (["easy", "g0"], [])


@pytest.mark.parametrize(("overlap", "shared"), [(0, 0), (2, 2), (3, 4)])
def test_with_an_overlap_people_share_items_before_new_ones_are_begun(store, overlap, shared):
    """Six items, two a person: three people have two pairs of people in common at overlap 2, and so on."""
    form = forms.a_form(6, sampling=f"each = 2\noverlap = {overlap}")
    study = forms.a_study(store, form)
    given_to = Counter(
        key for _ in range(3) for key in lease(store, form, forms.someone(store, study))
    )
    assert form.people_apart == (3 if overlap < 2 else 1)
    assert sum(n - 1 for n in given_to.values()) == shared


def test_a_stratum_that_is_asked_for_without_quotas_leaves_places_for_everybody(store):
    form = read_form("group_traits")  # asks for the country
    study = forms.a_study(store, form)
    assert not store.read(partial(is_full, study=study, form=form))


STRATA = """
[[pages]]
name = "you"
part = "start"
[[pages.questions]]
name = "gender"
kind = "choice"
text = "You?"
options = ["woman", "man"]
"""


@pytest.mark.parametrize(("leased", "full"), [(0, False), (1, False), (2, True)])
def test_places_of_strata_by_answer_are_no_more_than_the_votes(store, leased, full):
    """One item for two people, each of either gender: who waits for the page has a place."""
    sampling = 'votes = 2\nstratum = "gender"\nquotas = { woman = 2, man = 2 }'
    form = forms.a_form(1, sampling=sampling, rest=STRATA)
    study = forms.a_study(store, form)
    for _ in range(leased):
        forms.someone(store, study)
    assert store.read(partial(is_full, study=study, form=form)) == full
