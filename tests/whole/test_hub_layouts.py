"""Benchmarks in the layouts of the Hugging Face hub come to the same items as the authors' files."""

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tiltmeter as tm
from support import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.pairs.pairs import read_pairs
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.studies.bbq.questions import load as load_bbq
from tiltmeter.studies.winobias import sentences as winobias

CATEGORIES = (
    "race-color", "socioeconomic", "gender", "disability", "nationality", "sexual-orientation",
    "physical-appearance", "religion", "age",
)  # fmt: skip


def classes(*names):
    return {"names": [*names], "_type": "ClassLabel"}


def parquet(path, rows, features=None):
    """A file as the hub has it; with the features that the data sets library writes, or without."""
    table = pa.Table.from_pylist(rows)
    if features:
        table = table.replace_schema_metadata(
            {"huggingface": json.dumps({"info": {"features": features}})}
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)
    return path


# ── CrowS-Pairs ──────────────────────────────────────────────────────────────────────────────────


def crows_rows():
    return [
        {"id": n, "sent_more": f"The {n} old men sat.", "sent_less": f"The {n} young men sat.",
         "stereo_antistereo": n % 2, "bias_type": (8 * n) % 9, "annotations": [[8], [8, 2]],
         "anon_writer": "a0"}
        for n in range(6)
    ]  # fmt: skip


def described():
    numbered = classes(*CATEGORIES)
    nested = {"feature": {"feature": numbered, "_type": "Sequence"}, "_type": "Sequence"}
    return {
        "stereo_antistereo": classes("stereo", "antistereo"), "bias_type": numbered, "annotations": nested,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["described parquet", "bare parquet", "jsonl", "csv"])
def test_crows_pairs_with_numbers_of_classes(kind, tmp_path):
    rows = crows_rows()
    if "parquet" in kind:
        path = parquet(tmp_path / "p.parquet", rows, described() if "described" in kind else None)
    elif kind == "jsonl":
        path = tmp_path / "p.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    else:
        path, names = tmp_path / "p.csv", [*rows[0]][:5]
        lines = [",".join(names), *(",".join(str(row[name]) for name in names) for row in rows)]
        path.write_text("\n".join(lines), "utf-8")
    data = read_pairs(path)
    assert [(pair.groups["direction"], pair.groups["bias_type"]) for pair in data.items] == [
        (("stereo", "antistereo")[n % 2], CATEGORIES[(8 * n) % 9]) for n in range(6)
    ]
    noted = [note.text for note in data.notes if "hub" in note.text]
    assert bool(noted) == ("described" not in kind)


def test_numbers_that_may_mean_anything_are_refused(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("sent_more,sent_less,stereo_antistereo\nHe ran.,She ran.,1\n", "utf-8")
    with pytest.raises(BadItems, match="--map stereo_antistereo=stereo_antistereo:0=stereo"):
        read_pairs(path)


# ── StereoSet ────────────────────────────────────────────────────────────────────────────────────


def stereoset_rows(task="intra"):
    context = {"intra": "The {} nurse was BLANK.", "inter": "The {} nurse came in."}[task]
    return [
        {"id": f"c{n}", "target": "nurse", "bias_type": "profession", "context": context.format(n),
         "sentences": {
             "sentence": [f"The {n} nurse was {word}." for word in ("kind", "rude", "seventeen")],
             "id": [f"{n}a", f"{n}b", f"{n}c"], "gold_label": [1, 0, 2],
             "labels": [{"label": [1, 0], "human_id": ["x", "y"]}] * 3}}
        for n in range(20)
    ]  # fmt: skip


def stereoset_features():
    gold = classes("anti-stereotype", "stereotype", "unrelated")
    return {
        "sentences": {
            "feature": {"sentence": {"_type": "Value"}, "gold_label": gold},
            "_type": "Sequence",
        }
    }


def nested(rows):
    """Rows as JSON writers have them: a list of objects."""
    for row in rows:
        columns = row["sentences"]
        yield {**row, "sentences": [dict(zip(columns, values, strict=True))
                                    for values in zip(*columns.values(), strict=True)]}  # fmt: skip


@pytest.mark.parametrize("kind", ["bare", "described", "jsonl", "csv"])
def test_stereoset_with_nested_sentences(kind, tmp_path):
    rows = stereoset_rows()
    path = tmp_path / f"s.{'parquet' if kind in ('bare', 'described') else kind}"
    if path.suffix == ".parquet":
        parquet(path, rows, stereoset_features() if kind == "described" else None)
    elif kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, nested(rows))), "utf-8")
    else:
        quoted = [json.dumps(row["sentences"]).replace('"', '""') for row in rows]
        lines = [
            f'{r["id"]},{r["target"]},{r["context"]},"{q}"'
            for r, q in zip(rows, quoted, strict=True)
        ]
        path.write_text("\n".join(["id,target,context,sentences", *lines]), "utf-8")
    data = read_triples(path)
    assert len(data.items) == 20
    first = data.items[0]
    assert first.sentences == (
        "The 0 nurse was kind.",
        "The 0 nurse was rude.",
        "The 0 nurse was seventeen.",
    )
    assert first.attributes == ("kind", "rude", "seventeen") and first.names == ("0a", "0b", "0c")
    run = tm.run("stereoset", "stereotyped", data=str(path))
    assert run.estimate("ss").value == 100 and run.estimate("lms").value == 100


def test_contexts_of_the_other_task(tmp_path):
    data = read_triples(parquet(tmp_path / "s.parquet", stereoset_rows("inter")))
    assert {item.task for item in data.items} == {"intersentence"}


def test_two_sentences_with_one_label_are_refused(tmp_path):
    rows = stereoset_rows()
    rows[3]["sentences"]["gold_label"] = [1, 1, 2]
    rows[4]["sentences"]["gold_label"] = [1, 3, 2]
    with pytest.raises(BadItems) as why:
        read_triples(parquet(tmp_path / "s.parquet", rows))
    assert [(p.line, p.item) for p in why.value.problems] == [(4, "c3"), (5, "c4")]


# ── BBQ ──────────────────────────────────────────────────────────────────────────────────────────


def bbq_row(**changed):
    row = {
        "example_id": 1, "question_index": "3", "question_polarity": "neg", "context_condition": "ambig",
        "category": "Age", "context": "A boy and his uncle came by.", "question": "Who forgot the key?",
        "label": 1, "ans0": "The boy", "ans1": "Not known", "ans2": "The uncle",
        "answer_info": {"ans0": ["boy", "nonOld"], "ans1": ["", "unknown"], "ans2": ["uncle", "old"]},
        "additional_metadata": {"stereotyped_groups": ["old"], "version": "", "subcategory": None},
    }  # fmt: skip
    return row | changed


@pytest.mark.parametrize(
    "changed",
    [{}, {"label": "ans1"}, {"answer_label": 1, "target_label": 2},
     {"additional_metadata": {"stereotyped_groups": "['old']"}}],
)  # fmt: skip
def test_bbq_in_copies_of_the_hub(changed, tmp_path):
    row = bbq_row(**changed)
    if "answer_label" in changed:
        del row["label"]
    (item,) = load_bbq(parquet(tmp_path / "age.parquet", [row])).items
    assert item.options == ("The uncle", "The boy", "Not known") and item.truth == "Not known"


def test_a_copy_that_does_not_tell_the_target_is_refused(tmp_path):
    row = {
        "context": "A boy came.",
        "question": "Who?",
        "choices": ["A", "B", "C"],
        "gold_index": 1,
    }
    with pytest.raises(BadInput, match="does not say whom a stereotype suggests"):
        load_bbq(parquet(tmp_path / "helm.parquet", [row]))


# ── WinoBias ─────────────────────────────────────────────────────────────────────────────────────


def as_on_the_hub(line):
    """A line of the authors' files as tokens and places of the two mentions."""
    text = line.split(" ", 1)[1].strip()
    tokens, places = [], []
    for token in re.sub(r"(n't|'s|[.,;:!?])", r" \1", text).split():
        places += [str(len(tokens))] * token.startswith("[")
        places += [str(len(tokens))] * token.endswith("]")
        tokens.append(token.strip("[]"))
    return {"document_id": "wino", "tokens": tokens, "coreference_clusters": places}


LINES = {
    "pro": ["1 [The cook] asked the guard because [she] didn't know.", "2 [The guard] slept and [he] woke."],
    "anti": ["1 [The cook] asked the guard because [he] didn't know.", "2 [The guard] slept and [she] woke."],
}  # fmt: skip


def test_winobias_of_the_hub_is_that_of_its_authors(tmp_path):
    for side, lines in LINES.items():
        (tmp_path / "authors").mkdir(exist_ok=True)
        name = f"{side}_stereotyped_type1.txt.dev"
        (tmp_path / "authors" / name).write_text("\n".join(lines), "utf-8")
        rows = [as_on_the_hub(line) for line in lines]
        parquet(tmp_path / "hub" / f"type1_{side}" / "validation-00000-of-00001.parquet", rows)
    ours, theirs = winobias.load(tmp_path / "hub"), winobias.load(tmp_path / "authors")
    for a, b in zip(ours.items, theirs.items, strict=True):
        assert (a.id, a.more, a.less, a.groups, a.cluster) == (
            b.id,
            b.more,
            b.less,
            b.groups,
            b.cluster,
        )
    with pytest.raises(BadInput, match="type1_anti, type2_pro and type2_anti"):
        winobias.load(tmp_path / "hub" / "type1_pro" / "validation-00000-of-00001.parquet")
    parquet(tmp_path / "hub" / "type1_pro" / "validation" / "0000.parquet", rows)
    with pytest.raises(BadInput, match="both have validation sentences of type1_pro"):
        winobias.load(tmp_path / "hub")


def test_all_published_sentences_come_back(tmp_path):
    authors = published.need("winobias")
    for path in authors.glob("*_stereotyped_type?.txt.*"):
        side, kind, split = re.match(r"(\w+)_stereotyped_type(\d)\.txt\.(\w+)", path.name).groups()
        rows = [
            as_on_the_hub(line) for line in path.read_text("utf-8").splitlines() if line.strip()
        ]
        parquet(tmp_path / f"type{kind}_{side}" / f"{split}-00000-of-00001.parquet", rows)
    ours, theirs = winobias.load(tmp_path), winobias.load(authors)
    assert len(ours.items) == len(theirs.items)
    other = [a.more for a, b in zip(ours.items, theirs.items, strict=True) if a.more != b.more]
    # The authors write "the writer 's" and, now and then, "the writer's".
    assert len(other) < 20 and all(" 's" in text for text in other), other
