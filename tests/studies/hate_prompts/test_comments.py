"""Hate detection: the published prompts byte for byte, and what is drawn by default."""

import csv
import re
from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.prompts.comment_prompts import prompt_set_of
from tiltmeter.data.texts.comments import Comments
from tiltmeter.studies.hate_prompts.comments import load, sample

NEEDED = published.needs("gpt3_hate/zero_shot_results.csv")
AS_CODED = {"variant": "chiu2021", "prompts": "code"}
ALL = "zero, one, few, mixed, mixed-instruction"


def stored(name):
    with published.need(f"gpt3_hate/{name}").open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def loaded(**told):
    return load(settings=told).items


@NEEDED
@pytest.mark.parametrize(
    ("setting", "file", "times"),
    [
        ("zero", "zero_shot_results.csv", 1),
        ("one", "one_shot_results.csv", 1),
        ("few", "few_shot_single_results.csv", 2),  # at two temperatures
    ],
)
def test_prompts_about_one_category_are_the_published_ones(setting, file, times):
    items = loaded(**AS_CODED, settings=setting)
    made = [
        (i.prompt.plain, i.groups["label"].replace("neither", f"not-{i.groups['category']}"))
        for i in items
    ]
    rows = [(row["prompt"], row["label"]) for row in stored(file)]
    assert len(made) == 120
    assert Counter(made * times) == Counter(rows)
    assert all((i.truth == i.positive) == (i.groups["label"] != "neither") for i in items)


@NEEDED
def test_the_repeats_are_the_published_iterations():
    items = loaded(**AS_CODED, settings="zero")
    rows, seen = [], Counter()
    for row in stored("zero_shot_results_multiple.csv"):
        key = row["prompt"], row["category"]
        rows.append((*key, seen[key]))
        seen[key] += 1
    assert len(rows) == 12_000
    asked = ((i.prompt.plain, i.groups["category"], k) for i in items for k in range(i.repeats))
    assert Counter(asked) == Counter(rows)
    assert {i.temperature for i in items} == {0.3}


@NEEDED
@pytest.mark.parametrize("name", ["few_shot_fixed_examples", "few_shot_fixed_examples_instruction"])
def test_prompts_about_all_categories_are_the_published_ones(name):
    setting = "mixed-instruction" if name.endswith("instruction") else "mixed"
    items = loaded(**AS_CODED, settings=setting)
    plain = [i for i in items if i.groups["category"] == "all labels"]
    rows = [
        (row["prompt"], row["label"], row["example_set"]) for row in stored(f"{name}_results.csv")
    ]
    made = [(i.prompt.plain, i.truth, str(int(i.groups["example_set"]) - 1)) for i in plain]
    assert made == rows
    assert len({(i.cluster, i.truth) for i in plain}) == 243
    assert len({i.text for i in plain}) == 242
    tables = Counter((i.groups["category"], i.truth, i.positive) for i in items)
    assert tables == {
        ("all labels", "racist", ""): 600,
        ("all labels", "sexist", ""): 600,
        ("all labels", "neither", ""): 1200,
        ("racist", "racist", "racist"): 600,
        ("racist", "neither", "racist"): 1200,
        ("sexist", "sexist", "sexist"): 600,
        ("sexist", "neither", "sexist"): 1200,
    }
    assert len({i.prompt for i in items}) == len({i.prompt for i in plain})


@NEEDED
def test_the_published_selection():
    zero = loaded(**AS_CODED, settings="zero")
    assert len({i.text for i in zero}) == 90
    negative = [{i.text for i in zero if i.groups["label"] == "neither"
                 and i.groups["category"] == c} for c in ("sexist", "racist")]  # fmt: skip
    assert negative[0] == negative[1]


@NEEDED
def test_the_example_sets_of_table_8():
    """Three of the thirty as the paper prints them, and all thirty by the stored columns."""
    items = loaded(**AS_CODED, settings="mixed")
    texts = {
        int(i.groups["example_set"]): re.findall("'''(.*)'''", i.prompt.plain)[:3] for i in items
    }
    assert texts[1] == [
        "You should know women's sports are a joke",
        "why does that african american monkey hold gun like that?",
        "You should use your time to arrest murderers not little kids",
    ]
    rows = stored("few_shot_fixed_examples_results.csv")
    assert len(texts) == 10
    for row in rows:
        shown = [row[f"example{i}"] for i in (1, 2, 3)]
        assert texts[int(row["example_set"]) + 1] == shown


@published.needs("ethos/Ethos_Dataset_Multi_Label.csv")
class TestDefault:
    def test_the_numbers_of_the_paper(self):
        items = [i for i in loaded(settings="zero") if i.truth]
        assert len(items) == len({i.text for i in items}) == 120
        counts = Counter((i.groups["category"], i.groups["label"]) for i in items)
        assert set(counts.values()) == {30}
        mixed = [
            i for i in loaded(settings="mixed") if i.truth and i.groups["category"] == "all labels"
        ]
        assert len(mixed) == 2400
        assert len({i.text for i in mixed}) == 240

    def test_texts_with_both_labels_are_in_no_table(self):
        both = [i for i in loaded(settings=ALL) if i.groups["label"] == "sexist and racist"]
        assert len({i.text for i in both}) == 3
        assert {i.truth for i in both} == {""}
        assert {i.groups["setting"].removesuffix(", all labels") for i in both} == {
            *ALL.split(", ")
        }
        assert Counter(i.groups["category"] for i in both if "mixed" in i.id) == {"all labels": 60}

    def test_the_printed_prompts(self):
        zero, one = (loaded(settings=s)[0].prompt.plain for s in ("zero", "one"))
        text = re.findall("‘(.*)’", zero)[0]
        assert zero == f"Is the following text sexist? Answer yes or no.\n‘{text}’\nAnswer:"
        assert one.startswith("The following text in quotes is sexist:\n‘")
        assert one.endswith(f"’\n{zero}")
        mixed = loaded(settings="mixed-instruction")[0].prompt.plain.splitlines()
        assert mixed[0] == "Classify the following texts into ‘racist’, ‘sexist’ or ‘neither’."
        assert [line.rpartition(": ")[2] for line in mixed[1:4]] == [
            "sexist.",
            "racist.",
            "neither.",
        ]
        assert mixed[4].endswith("’:")
        assert len(mixed) == 5

    def test_settings(self):
        items = loaded(settings="zero", temperature="0.8", wrap="text", per_category="5")
        assert len([i for i in items if i.truth]) == 20
        assert {i.repeats for i in items} == {10}
        assert {i.repeats for i in loaded(settings="zero", temperature="0")} == {1}
        assert {(i.temperature, i.prompt.chat) for i in items} == {(0.8, False)}

    def test_prompts_of_the_user(self, tmp_path):
        path = tmp_path / "deutsch.toml"
        path.write_text(
            'categories = ["sexist", "racist"]\n[settings.zero]\nprompt = "Ist das {category}? {text}"\n'
            'options = ["ja", "nein"]\ntruth = { "{category}" = "ja", "*" = "nein" }\n',
            "utf-8",
        )
        items = loaded(settings="zero", prompts=str(path))
        assert items[0].prompt.plain == f"Ist das sexist? {items[0].text}"
        assert items[0].truth == "ja"
        path.write_text(path.read_text("utf-8").replace('"sexist", ', ""), "utf-8")
        with pytest.raises(BadInput, match="does not fit the labels sexist, racist and neither"):
            loaded(settings="zero", prompts=str(path))


def test_an_unknown_set_of_prompts():
    with pytest.raises(UnknownName, match=r"named 'papre'\. Did you mean 'paper'"):
        prompt_set_of("papre", Comments({}, None))


def test_the_sample_has_all_settings():
    items = sample().items
    assert {i.groups["setting"].removesuffix(", all labels") for i in items} == {*ALL.split(", ")}
    assert len({i.id for i in items}) == len(items)
    assert {i.repeats for i in items} == {1, 2}
    assert all(i.truth in i.options for i in items)
