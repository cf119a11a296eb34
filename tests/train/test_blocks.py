"""Rows of tokens: whole sentences of one document, in another order each epoch."""

from tiltmeter.core.model.requests import Tokens
from tiltmeter.train import blocks
from tiltmeter.train.blocks import Order, rows_of


def as_numbers(texts):
    """A token a word, the words being numbers, with a mark before and behind."""
    found = []
    for words in map(str.split, texts):
        ids = [int(word) if word.isdigit() else 0 for word in words]
        found.append(Tokens((1, *ids, 2), (True, *[False] * len(ids), True)))
    return found


def test_rows_hold_whole_sentences_of_one_document():
    documents = [("10 11 12", "20 21", "30 31", "40"), ("50", "60"), ("70 71 72 73 74 75", "80")]
    rows = rows_of(documents, as_numbers, most=7)
    told = [rows[i].ids[rows[i].is_text].tolist() for i in range(len(rows))]
    assert told == [[10, 11, 12, 20, 21], [30, 31, 40], [50, 60], [70, 71, 72, 73, 74], [80]]
    assert all(rows[i].ids[0] == 1 and rows[i].ids[-1] == 2 for i in range(len(rows)))
    assert rows.tokens == sum(map(len, told)) + 2 * len(rows)


def test_a_start_token_takes_room():
    rows = rows_of([("10 11 12 13 14 15",)], as_numbers, most=7, start=9)
    assert rows[0].ids.tolist() == [9, 1, 10, 11, 12, 13, 2]
    assert rows[0].is_text.tolist() == [False, False, True, True, True, True, False]


def test_many_documents_are_tokenised_in_portions(monkeypatch):
    documents = [(f"{i} {i + 1}", f"{i + 2}") for i in range(10, 500, 10)]
    whole = rows_of(documents, as_numbers, most=20)
    monkeypatch.setattr(blocks, "CHUNK", 7)
    small = rows_of(documents, as_numbers, most=20)
    assert len(small) == len(documents)
    assert all((small[i].ids == whole[i].ids).all() for i in range(len(whole)))


def test_every_epoch_has_every_row_once_in_another_order():
    order = Order(50, 8, seed=1)
    assert order.per_epoch == 7
    epochs = [[i for step in range(7) for i in order.step(7 * epoch + step)] for epoch in range(2)]
    assert [sorted(epoch) for epoch in epochs] == [list(range(50))] * 2
    assert epochs[0] != epochs[1]
    assert Order(50, 8, seed=1).step(9) == order.step(9)
