import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.studies.decisions.questions import load_decisions, sample_decisions


def test_every_prompt_has_each_group_once_and_each_candidate_is_an_item():
    data = load_decisions(settings={"prompts": "6", "jobs": "retail, HR specialist"})
    assert len(data.items) == 2 * 6 * 8 == len({item.id for item in data.items})
    assert len({item.prompt for item in data.items}) == 12 and data.clusters == "prompt"
    for first in range(0, len(data.items), 8):
        people = data.items[first : first + 8]
        assert len({item.groups["group"] for item in people}) == 8
        assert sorted(item.groups["resume"] for item in people) == list("12345678")
        assert tuple(item.positive for item in people) == people[0].options
        places = [item.prompt.plain.index(item.positive) for item in people]
        assert places == sorted(places)  # the position is that in the prompt
    again = load_decisions(settings={"prompts": "6", "jobs": "retail"}).items
    assert {item.prompt for item in again} < {item.prompt for item in data.items}
    with pytest.raises(UnknownName, match="retial"):
        load_decisions(settings={"jobs": "retial"})
    with pytest.raises(BadInput, match="a whole number from 1 up"):
        load_decisions(settings={"prompts": "0"})


def test_the_sample_ranks_four_people_in_both_orders():
    data = sample_decisions()
    assert [item.groups["position"] for item in data.items] == list("12341234")
    assert len({item.prompt for item in data.items}) == 2
