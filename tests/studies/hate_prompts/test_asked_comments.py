"""A table of the user's in all five settings: what is asked about, and which examples are shown."""

import re
from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.studies.hate_prompts import asked_comments
from tiltmeter.studies.hate_prompts.comments import load

ALL = "zero, one, few, mixed, mixed-instruction"
ETHOS = published.needs("ethos/Ethos_Dataset_Multi_Label.csv")


@pytest.fixture
def table(tmp_path):
    """Texts named by label and number: five rude, six ageist, eight fine."""

    def written(**counts):
        rows = [f"{label} {i},{label}" for label, n in counts.items() for i in range(n)]
        path = tmp_path / "mine.csv"
        path.write_text("\n".join(["text,label", *rows]) + "\n", "utf-8")
        return path

    return written


def loaded(path, **settings):
    return load(path, settings=settings).items


def shown(item):
    """The texts in quotation marks before the one that is asked about."""
    return re.findall("‘((?:rude|ageist|fine) [0-9]+)’", item.prompt.plain)[:-1]


def test_zero_asks_about_every_row(table):
    items = loaded(table(rude=5, ageist=6, fine=8), settings="zero", neither="fine")
    asked = Counter((i.groups["category"], i.groups["label"], i.truth) for i in items)
    assert asked == {
        ("ageist", "ageist", "yes"): 6, ("ageist", "fine", "no"): 8,
        ("rude", "rude", "yes"): 5, ("rude", "fine", "no"): 8,
    }  # fmt: skip
    first = items[0]
    assert first.prompt.plain == (
        f"Is the following text ageist? Answer yes or no.\n‘{first.text}’\nAnswer:"
    )


@pytest.mark.parametrize("prompts", ["paper", "code"])
def test_own_examples_are_never_asked_about(table, prompts):
    path = table(rude=5, ageist=6, fine=8)
    options = {"neither": "fine", "examples": "own", "example_sets": "2", "prompts": prompts}
    items = loaded(path, settings=ALL, **options)
    asked = {item.text for item in items}
    assert Counter(text.split()[0] for text in asked) == {"rude": 3, "ageist": 4, "fine": 6}
    every = {f"{k} {i}" for k, n in (("rude", 5), ("ageist", 6), ("fine", 8)) for i in range(n)}
    aside = every - asked
    quoted = {
        text for item in items
        for text in re.findall("(?:rude|ageist|fine) [0-9]", item.prompt.plain) if text != item.text
    }  # fmt: skip
    assert quoted == aside


def test_the_prompts_name_the_labels_of_the_table(table):
    path = table(rude=5, ageist=6, fine=8)
    items = loaded(
        path, settings="few, mixed-instruction", neither="fine", examples="own", example_sets="2"
    )
    few = next(i for i in items if i.id.startswith("few|rude"))
    assert [text.split()[0] for text in shown(few)] == ["rude", "fine", "rude"]
    assert few.options == ("rude", "not-rude")
    mixed = [i for i in items if i.groups["setting"] == "mixed-instruction, all labels"]
    assert len(mixed) == 2 * (3 + 4 + 6)
    lines = mixed[0].prompt.plain.splitlines()
    assert lines[0] == "Classify the following texts into ‘ageist’, ‘rude’ or ‘fine’."
    assert [line.rpartition(": ")[2] for line in lines[1:4]] == ["ageist.", "rude.", "fine."]
    assert mixed[0].options == ("ageist", "rude", "fine")
    (one_set,) = {tuple(shown(i)) for i in mixed if i.groups["example_set"] == "1"}
    (other,) = {tuple(shown(i)) for i in mixed if i.groups["example_set"] == "2"}
    assert not {*one_set} & {*other}


def test_wordings_name_the_labels_too(table):
    items = loaded(
        table(rude=3, fine=3), settings="mixed-instruction", neither="fine", examples="own",
        example_sets="1", wording="request",
    )  # fmt: skip
    question = "Please say of each of the following texts whether it is ‘rude’ or ‘fine’."
    assert items[0].prompt.plain.startswith(question)


def test_a_draw_of_the_rows(table):
    path = table(rude=9, fine=9)
    some = loaded(path, settings="zero", neither="fine", per_category="3")
    assert Counter(i.groups["label"] for i in some) == {"rude": 3, "fine": 3}
    other = loaded(path, settings="zero", neither="fine", per_category="3", drawn="1")
    assert {i.text for i in some} != {i.text for i in other}


def test_a_set_of_prompts_of_the_users(table, tmp_path):
    prompts = tmp_path / "mine.toml"
    prompts.write_text(
        'categories = ["rude"]\n[settings.zero]\nprompt = "{category}? {text}"\n'
        'options = ["yes", "no"]\ntruth = { "{category}" = "yes", "*" = "no" }\n',
        "utf-8",
    )
    told = {"settings": "zero", "neither": "fine", "prompts": str(prompts)}
    assert loaded(table(rude=1, fine=1), **told)[0].prompt.plain == "rude? rude 0"
    with pytest.raises(BadInput, match="does not fit the labels ageist, rude and fine"):
        loaded(table(rude=1, ageist=1, fine=1), **told)


@pytest.mark.parametrize(
    ("counts", "settings", "said"),
    [
        (
            {"rude": 3, "fine": 9},
            {"examples": "own", "example_sets": "3"},
            "aside, and 'rude' has 3",
        ),
        ({"rude": 3, "fine": 9}, {}, "the paper has no examples of 'rude'; .* --set settings=zero"),
        (
            {"rude": 3, "fine": 9},
            {"examples": "own", "example_sets": "1"},
            "few shows more examples",
        ),
        ({"rude": 3, "fine": 9}, {"settings": "zero", "per_category": "4"}, "there are 3"),
    ],
)
def test_too_few_rows(table, counts, settings, said):
    with pytest.raises(BadInput, match=said):
        loaded(table(**counts), neither="fine", **settings)


@pytest.mark.parametrize("settings", [{"kinds": "sexist"}, {"neither": "x"}])
def test_labels_are_set_for_a_table_only(settings):
    with pytest.raises(BadInput, match="ETHOS has its own"):
        load(settings=settings)


@ETHOS
@pytest.mark.parametrize("variant", ["paper", "chiu2021"])
def test_the_examples_of_the_paper(table, variant):
    settings = {"variant": variant, "prompts": "code" if variant == "chiu2021" else "paper"}
    items = loaded(table(sexist=2, racist=2, neither=3), settings=ALL, **settings)
    published_items = load(settings={"settings": "mixed", **settings}).items
    sets = {i.groups["example_set"]: i.examples for i in published_items}
    ours = {i.groups["example_set"]: i.examples for i in items if "example_set" in i.groups}
    assert len(ours) == 10
    if variant == "chiu2021":  # the ten sets of Table 8
        assert ours == sets
    texts = {i.text for i in items}
    assert len(texts) == 7
    assert not [item for item in items for text in texts - {item.text} if text in item.prompt.plain]


@ETHOS
def test_no_example_of_the_paper_is_a_row_of_the_table(table):
    path = table(sexist=2, racist=2, neither=3)
    first = loaded(path, settings="mixed")[0].examples[0].removeprefix("sexist: ")
    path.write_text(f'{path.read_text("utf-8")}"  {first.upper()} ",sexist\n', "utf-8")
    items = loaded(path, settings="mixed")
    assert any(item.text == first.upper() for item in items)
    assert not any(first in example for item in items for example in item.examples)


def test_without_the_examples_of_the_paper_those_of_the_table_are_a_way_out(table, monkeypatch):
    def nowhere(**_):
        raise Unavailable("ethos cannot be downloaded")

    monkeypatch.setattr(asked_comments, "load_ethos", nowhere)
    with pytest.raises(Unavailable, match=r"the paper's examples: ethos cannot .* examples=own"):
        loaded(table(sexist=2, racist=2, neither=3), settings="mixed")


@ETHOS
def test_own_examples_are_not_for_ethos():
    with pytest.raises(BadInput, match="examples is about a table of your own"):
        load(settings={"examples": "own"})


def test_a_reason_is_asked_for(table):
    told = {"settings": "zero", "neither": "fine", "explain": "yes"}
    item = loaded(table(rude=1, fine=1), **told)[0]
    assert item.prompt.plain.startswith("Answer first. Then give the reason")
    assert (item.max_tokens, item.stop) == (96, ())
