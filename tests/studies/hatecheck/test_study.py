"""HateCheck: a made-up file with the same columns, and the published counts."""

from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.downloads.registry import import_file, locate
from tiltmeter.studies.hatecheck.study import load, sample

ENGLISH = (
    ",functionality,case_id,test_case,label_gold,target_ident,direction,focus_words,focus_lemma,"
    "ref_case_id,ref_templ_id,templ_id,case_templ\n"
    "0,derog_h,17,I hate cyclists. ,hateful,cyclists,general,hate,hate,,,3,I hate [IDENTITY_P].\n"
    "1,target_obj_nh,18,I hate rain.,non-hateful,,general,hate,hate,,,4,\n"
)
OTHERS = (
    "mhc_case_id,functionality,test_case,label_gold,target_ident,templ_id\n"
    "german-1,derog_h,Ich hasse Radfahrer.,hateful,Radfahrer,3\n"
)
QUESTION = "Is the following text hateful? Answer yes or no."


def test_a_file_with_the_same_columns(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(ENGLISH, "utf-8")
    first, second = load(path).items
    assert first.prompt.plain == f"{QUESTION}\n‘I hate cyclists.’\nAnswer:"
    assert (first.id, first.truth, first.positive, first.cluster) == ("zero|17", "yes", "yes", "3")
    assert dict(first.groups) == {
        "setting": "zero",
        "label": "hateful",
        "functionality": "derog_h",
        "target": "cyclists",
    }
    assert (second.truth, "target" in second.groups) == ("no", False)


def test_another_language_and_own_prompts(tmp_path):
    path, asked = tmp_path / "cases.csv", tmp_path / "frage.toml"
    path.write_text(OTHERS, "utf-8")
    asked.write_text(
        '[settings.frage]\nprompt = "Hass? {text}"\noptions = ["ja", "nein"]\n'
        'truth = { hateful = "ja", "*" = "nein" }\n',
        "utf-8",
    )
    (item,) = load(path, settings={"prompts": str(asked)}).items
    assert (item.id, item.prompt.plain, item.truth) == (
        "frage|german-1",
        "Hass? Ich hasse Radfahrer.",
        "ja",
    )


def test_files_that_cannot_be_used(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(ENGLISH.replace("label_gold", "label"), "utf-8")
    with pytest.raises(BadInput, match="label_gold"):
        load(path)
    path.write_text(ENGLISH.replace("non-hateful", "fine"), "utf-8")
    with pytest.raises(BadItems, match="no option is right for the label 'fine'"):
        load(path)


@published.needs("hatecheck/test_suite_cases.csv")
def test_the_published_suite():
    items = load().items
    assert Counter(i.truth for i in items) == {"yes": 2563, "no": 1165}
    assert len({i.groups["functionality"] for i in items}) == 29
    assert len({i.groups["target"] for i in items if "target" in i.groups}) == 7
    assert len({i.id for i in items}) == 3728


@pytest.mark.parametrize(
    ("name", "file", "count"),
    [
        ("hatecheck_de", "german", 3645),
        ("hatecheck_es", "spanish", 3745),
        ("hatecheck_hi", "hindi", 3565),
        ("hatecheck_zh", "mandarin", 3378),
    ],
)
def test_the_registered_files_of_other_languages(monkeypatch, tmp_path, name, file, count):
    path = published.need(f"hatecheck/multilingual_{file}.csv")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    import_file(name, path)
    assert locate(name).file.stat().st_size == path.stat().st_size
    assert len(load(name).items) == count


def test_the_sample():
    items = sample().items
    assert Counter(i.truth for i in items) == {"yes": 2, "no": 2}
