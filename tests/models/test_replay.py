"""Stored replies are given again, letter for letter, and nothing is made up for what is missing."""

import json
from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems, CannotAnswer
from tiltmeter.core.model.conversations import Message, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import Writes
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.executors import HasExecutor
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store

PUBLISHED = "gpt3_hate/zero_shot_results_multiple.csv"


def asks(*texts, **more):
    return [Writing(Prompt((Message("user", text),)), 4, **more) for text in texts]


@pytest.fixture
def opened(tmp_path):
    def write(content, name="replies.csv"):
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
        return open_model(resolve(f"replay:{tmp_path / name}"))

    return write


def test_it_satisfies_what_it_promises(opened):
    model = opened("prompt,answer\nA,yes\n")
    assert isinstance(model, Writes) and isinstance(model, HasExecutor)
    assert model.name == "replies.csv"


def test_replies_come_back_letter_for_letter(opened):
    model = opened('prompt,answer,x\n"Is ""it""?\nA:"," Yes,\n né",1\nB,,2\n')
    assert model.write(asks('Is "it"?\nA:', "B")) == [Reply(" Yes,\n né"), Reply("")]
    assert model.about["replies"] == model.about["prompts"] == 2


def test_rows_with_one_prompt_are_its_repeats_in_their_order(opened):
    model = opened("prompt,reply\nA,1\nB,2\nA,3\n")
    found = [model.write(asks("A", repeat=k))[0].text for k in (1, 0)]
    assert found == ["3", "1"]
    with pytest.raises(
        CannotAnswer, match=r"1 of 1 request:\n  'A', repeat 2; the file has 2 of it"
    ):
        model.write(asks("A", repeat=2))


def test_several_files_are_read_as_one(tmp_path, opened):
    opened("prompt,reply\nA,1\nB,2\n", "a.csv")
    opened("prompt,answer\nA,3\n", "b.csv")
    both = open_model(resolve(f"replay:{tmp_path / 'a.csv'},{tmp_path / 'b.csv'}"))
    assert [both.write(asks("A", repeat=k))[0].text for k in (0, 1)] == ["1", "3"]
    assert both.name == both.about["file"] == "a.csv,b.csv"
    alone = open_model(resolve(f"replay:{tmp_path / 'a.csv'}"))
    assert both.fingerprint.startswith(alone.fingerprint) and both.fingerprint != alone.fingerprint
    with pytest.raises(BadInput, match=r"c\.csv: there is no such file"):
        resolve(f"replay:{tmp_path / 'a.csv'},{tmp_path / 'c.csv'}")


def test_repeats_may_be_numbered(opened):
    model = opened("prompt\tanswer\trepeat\tfinish\nA\tx\t5\tlength\nA\ty\t0\t\n", "r.tsv")
    assert model.write(asks("A", repeat=5)) == [Reply("x", "length")]
    assert model.write(asks("A")) == [Reply("y")]


def test_temperatures_are_told_apart_where_the_file_has_them(opened):
    rows = [("A", "cold", 0), ("A", "warm", 0.3), ("A", "warmer", 0.3)]
    lines = [json.dumps({"prompt": p, "answer": a, "temperature": t}) for p, a, t in rows]
    model = opened("\n".join(lines), "r.jsonl")
    assert model.write(asks("A")) == [Reply("cold")]
    assert model.write(asks("A", temperature=0.3, repeat=1)) == [Reply("warmer")]
    with pytest.raises(CannotAnswer, match=r"'A' at temperature 1; the file has it at 0, 0\.3"):
        model.write(asks("A", temperature=1.0))
    same = opened("prompt,answer\nA,any\n", "s.csv")
    assert same.write(asks("A", temperature=1.0)) == [Reply("any")]


def test_all_that_is_missing_is_counted_before_anything_is_stored(opened):
    model, store = opened("prompt,answer\nA,yes\n"), Store(None)
    texts = ["A", "x" * 100 + "\x1b", *"bcdefg"]
    with pytest.raises(
        CannotAnswer, match=r"replies\.csv has no reply to 7 of 8 requests"
    ) as error:
        CachedModel(model, store).write(asks(*texts))
    assert "… and 4 more" in str(error.value)
    assert "\x1b" not in str(error.value) and len(str(error.value)) < 500
    assert [kept.answers for kept in store.summary()] == [0]
    assert CachedModel(model, store).write(asks("A", "A")) == [Reply("yes")] * 2


def test_another_file_is_another_model(opened):
    first = opened("prompt,answer\nA,yes\n").fingerprint
    assert opened("prompt,answer\nA,yes\n", "copy.csv").fingerprint == first
    assert opened("prompt,answer\nA,no\n").fingerprint != first


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("answer\nyes\n", BadInput, "no column named prompt"),
        ("prompt,text\nA,yes\n", BadInput, "no column named answer or reply"),
        (
            "prompt,answer,repeat\nA,a,0\nA,b,0\n",
            BadItems,
            r"replies\.csv:3: has the prompt and the number in `repeat` of an earlier",
        ),
        ("prompt,answer,repeat\nA,a,half\n", BadItems, r"csv:2: repeat is 'half', not a number"),
        ("prompt,answer,repeat\nA,a,0.5\n", BadItems, "repeat is 0.5; write a whole number"),
        ("prompt,answer,repeat\nA,a,-1\n", BadItems, "repeat is -1"),
        ("prompt,answer,temperature\nA,a,\n", BadItems, "temperature is empty"),
        (
            "prompt,answer,finish\nA,a,error\nB,b,\n",
            BadItems,
            "finish is 'error'; write \"stop\" or",
        ),
        ("prompt,answer\nA,a,b\nB,b,c\n", BadItems, r"csv:2: too many cells(.|\n)*csv:3: too many"),
    ],
)
def test_what_is_no_reply_is_refused_with_its_line(opened, content, error, message):
    with pytest.raises(error, match=message):
        opened(content)


def test_numbers_are_no_texts(opened):
    with pytest.raises(BadItems, match="answer is 1, not a text"):
        opened('{"prompt": "A", "answer": 1}\n{"prompt": "B", "answer": null}\n', "r.jsonl")


def test_a_missing_file_is_named_before_anything_is_opened(tmp_path):
    with pytest.raises(BadInput, match=r"none\.csv: there is no such file"):
        resolve(f"replay:{tmp_path / 'none.csv'}")


def test_the_published_replies_of_gpt_3():
    model = open_model(resolve(f"replay:{published.need(PUBLISHED)}"))
    assert (model.about["replies"], model.about["prompts"]) == (12000, 120)
    prompts = sorted({one.prompt for one in model._replies})
    requests = [one for k in range(100) for one in asks(*prompts, temperature=0.3, repeat=k)]
    replies = CachedModel(model, Store(None)).write(requests)
    texts = Counter(reply.text for reply in replies)
    assert (texts.total(), len(texts)) == (12000, 46)
    assert (texts[" Yes."], texts[" No."], texts[" \xa0"]) == (5745, 2647, 17)
    with pytest.raises(CannotAnswer, match=r"120 of 120 requests:\n.*the file has 100 of it"):
        model.write(asks(*prompts, temperature=0.3, repeat=100))
