"""What a board publishes tells no label, and can be read back."""

from dataclasses import replace

import pytest

from support.survey.boards import made_up
from tiltmeter.core.errors import BadInput
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.studies.stereoset import sample
from tiltmeter.survey.boards.contexts import (
    contexts_text,
    development_text,
    fault_of_ids,
    read_contexts,
    with_random_ids,
    without_labels,
)

KEY = bytes(range(32))


def test_contexts_are_published_without_labels():
    data = made_up()
    public = without_labels(data)
    for item, labelled in zip(public.items, data.items, strict=True):
        assert item.names == tuple(sorted(labelled.names))
        texts = dict(zip(labelled.names, labelled.sentences, strict=True))
        assert item.sentences == tuple(texts[name] for name in item.names)
    places = [item.names.index(labelled.names[0])
              for item, labelled in zip(public.items, data.items, strict=True)]  # fmt: skip
    assert set(places) == {0, 1, 2}


def test_ids_that_tell_labels_are_refused():
    data = made_up()
    named = replace(data.items[0], names=("a/stereotype", "a/x", "a/y"))
    ordered = [replace(item, names=tuple(sorted(item.names))) for item in data.items]
    for items, says in (([named], "contains a label"), (ordered, "the order of the ids reveals"),
                        ([replace(named, names=())], "without an id of their own")):  # fmt: skip
        with pytest.raises(BadInput, match=says):
            without_labels(replace(data, items=items))


def test_random_ids_tell_nothing_and_stay_the_same():
    data = sample()
    assert fault_of_ids(data)
    named = with_random_ids(data, KEY)
    assert fault_of_ids(named) == "" and named == with_random_ids(data, KEY)
    assert named.items[0].names != with_random_ids(data, KEY[::-1]).items[0].names
    assert len({name for item in named.items for name in item.names}) == 3 * len(data.items)


def test_the_files_can_be_read_back(tmp_path):
    data = with_random_ids(sample(), KEY)
    public = without_labels(data)
    text = contexts_text(public)
    assert "gold_label" not in text and "stereotype" not in text
    again = read_contexts(text, name="b").items
    assert {(i.id, i.task, i.target, i.domain, i.names) for i in again} == {
        (i.id, i.task, i.target, i.domain, i.names) for i in public.items
    }
    file = tmp_path / "development.json"
    file.write_text(development_text(data), "utf-8")
    labelled = {item.id: item.names for item in read_triples(file).items}
    assert labelled == {item.id: item.names for item in data.items}
