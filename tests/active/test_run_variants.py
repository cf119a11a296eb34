"""Runs on one pool are labelled by the settings in which they differ, and by as few of them as it takes."""

from support.active_runs import written
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.run_variants import named_apart, variants


def pools(folder, *settings):
    made = []
    for number, (name, some) in enumerate(settings):
        written(folder / str(number) / name, {"passive": 200}, seeds=1, **some)
        made.append(read_pool(folder / str(number) / name, draws=9))
    return made


def test_settings_that_follow_from_others_are_left_out(tmp_path):
    some = pools(
        tmp_path,
        ("calm", {"pool_votes": 0, "votes_each": 5}),
        ("calm", {"pool_votes": 3, "votes_each": 3}),
        ("loud", {"pool_votes": 3, "votes_each": 3}),
    )
    assert variants(some) == ["all votes", "3 votes an item", ""]
    assert [*named_apart(some)] == ["calm", "calm (3 votes an item)", "loud (3 votes an item)"]


def test_agreed_items_are_told_apart_in_keys_and_have_a_name_of_their_own(tmp_path):
    some = pools(tmp_path, ("calm", {"agreed_only": False}), ("calm", {"agreed_only": True}))
    assert variants(some) == ["all items", "agreed items"]
    assert [*named_apart(some)] == ["calm", "calm (agreed items)"]


def test_what_no_setting_tells_apart_is_numbered(tmp_path):
    some = pools(tmp_path, ("calm", {}), ("calm", {}))
    assert variants(some) == ["", "no. 2"] and [*named_apart(some)] == ["calm", "calm (2)"]
