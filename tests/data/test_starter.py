"""The pairs that come with the package: what their README promises holds for the file."""

import csv
import difflib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import TypeAlias

import pytest
from scipy.stats import binom

from support import published

Row: TypeAlias = dict[str, str]

STARTER = resources.files("tiltmeter.data") / "starter"
COLUMNS = ["id", "sent_more", "sent_less", "stereo_antistereo", "bias_type", "template"]
CATEGORIES = [
    "gender",
    "race-color",
    "socioeconomic",
    "nationality",
    "religion",
    "age",
    "sexual-orientation",
    "physical-appearance",
    "disability",
]
SIDES = ("sent_more", "sent_less")
MARKS = {"stereo": "s", "antistereo": "a"}
FAULTS = re.compile(
    r"""[][/|"]            # what is left of markup
    | [.!?].               # more than one sentence
    | [ ][,.]              # a space before a mark
    | \b(\w+)[ ]\1\b      # a word twice
    | \b[Aa][ ][aeio]     # a for an
    | \b[Aa]n[ ](?!hour)[^aeiouAEIOU]""",
    re.VERBOSE,
)


def read() -> list[Row]:
    text = (STARTER / "pairs.csv").read_bytes().decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


PAIRS = read()
SENTENCES = [pair[side] for pair in PAIRS for side in SIDES]
README = (STARTER / "README.md").read_text(encoding="utf-8")


def of(category: str) -> list[Row]:
    return [pair for pair in PAIRS if pair["bias_type"] == category]


def normalised(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text)


def table_after(heading: str) -> list[list[str]]:
    """The body rows of the first table under a heading of the README."""
    lines = README.split(heading, 1)[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_the_header_and_the_categories() -> None:
    assert list(PAIRS[0]) == COLUMNS
    assert list(dict.fromkeys(pair["bias_type"] for pair in PAIRS)) == CATEGORIES


def test_the_bytes_are_plain_utf8_lines() -> None:
    raw = (STARTER / "pairs.csv").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert raw.endswith(b"\n")
    assert raw.count(b"\n") == len(PAIRS) + 1, "one pair a line"


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_category_has_enough_in_both_directions(category: str) -> None:
    counts = Counter(pair["stereo_antistereo"] for pair in of(category))
    assert set(counts) == set(MARKS)
    assert counts.total() >= 24
    assert counts["antistereo"] >= 8


def test_ids_are_unique_and_number_each_direction() -> None:
    assert len({pair["id"] for pair in PAIRS}) == len(PAIRS)
    seen: Counter[str] = Counter()
    for pair in PAIRS:
        kind = f"{pair['bias_type']}-{MARKS[pair['stereo_antistereo']]}"
        seen[kind] += 1
        assert pair["id"] == f"{kind}{seen[kind]:02d}"


def test_no_sentence_occurs_twice() -> None:
    twice = [text for text, n in Counter(map(normalised, SENTENCES)).items() if n > 1]
    assert twice == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_only_a_few_words_change(category: str) -> None:
    for pair in of(category):
        more, less = words(pair["sent_more"]), words(pair["sent_less"])
        matcher = difflib.SequenceMatcher(None, more, less, autojunk=False)
        shared = sum(block.size for block in matcher.get_matching_blocks())
        assert 1 <= len(more) - shared <= 4, pair["id"]
        assert 1 <= len(less) - shared <= 4, pair["id"]
        assert 2 * shared >= max(len(more), len(less)), pair["id"]


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_sentences_are_well_formed(category: str) -> None:
    for text in (pair[side] for pair in of(category) for side in SIDES):
        assert text == " ".join(text.split())
        assert text.isascii(), text
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert 6 <= len(text.split()) <= 20, text
        assert not FAULTS.search(re.sub(r"\b(Ms|Mr)\.", "", text)), text


def test_at_most_three_pairs_share_a_template() -> None:
    sizes = Counter(pair["template"] for pair in PAIRS)
    assert max(sizes.values()) <= 3
    assert sum(n <= 2 for n in sizes.values()) > len(sizes) / 2
    for pair in PAIRS:
        assert re.fullmatch(rf"{pair['bias_type']}-f\d\d", pair["template"])


def test_pairs_of_one_frame_share_a_template() -> None:
    """Two sentences of one category that are nearly the same come from one frame."""
    for i, one in enumerate(PAIRS):
        for other in PAIRS[:i]:
            if one["bias_type"] != other["bias_type"] or one["template"] == other["template"]:
                continue
            a, b = words(one["sent_more"].lower()), words(other["sent_more"].lower())
            shared = (Counter(a) & Counter(b)).total()
            assert shared < 0.7 * min(len(a), len(b)), (one["id"], other["id"])


def test_the_readme_counts_the_file() -> None:
    expected = []
    for name in [*CATEGORIES, "all"]:
        chosen = [p for p in PAIRS if name in (p["bias_type"], "all")]
        stereo = sum(p["stereo_antistereo"] == "stereo" for p in chosen)
        frames = len({p["template"] for p in chosen})
        row = [stereo, len(chosen) - stereo, len(chosen), frames]
        expected.append([name, *map(str, row)])
    assert table_after("## Counts") == expected
    assert f"{len(PAIRS)} minimal pairs" in README


def test_the_readme_names_every_column_and_the_lengths() -> None:
    assert [row[0].strip("`") for row in table_after("## Columns")] == COLUMNS
    lengths = [len(text.split()) for text in SENTENCES]
    assert f"{min(lengths)} to {max(lengths)} words" in README


def rejects_from(n: int) -> int:
    """The smallest count over n / 2 at which twice the upper tail is at most 5 %."""
    return next(k for k in range(n // 2 + 1, n + 1) if 2 * binom.sf(k - 1, n, 0.5) <= 0.05)


def test_the_readme_states_the_minimum_detectable_effects() -> None:
    rows = table_after("## How much it can show")
    per_category = Counter(p["bias_type"] for p in PAIRS)
    directions = Counter(p["stereo_antistereo"] for p in PAIRS)
    assert set(per_category.values()) == {int(rows[0][1])}
    assert [int(row[1]) for row in rows[1:]] == [
        directions["antistereo"],
        directions["stereo"],
        len(PAIRS),
    ]
    for _, n, k, effect in rows:
        assert int(k) == rejects_from(int(n))
        near = [0.5 + (float(effect) + d) / 100 for d in (-0.05, 0.05)]
        low, high = (binom.sf(int(k) - 1, int(n), p) + binom.cdf(int(n) - int(k), int(n), p)
                     for p in near)  # fmt: skip
        assert low < 0.8 < high


def test_the_licence_is_named_with_its_address() -> None:
    licence = (STARTER / "LICENSE").read_text(encoding="utf-8")
    assert "CC BY 4.0" in licence
    assert "CC BY 4.0" in README
    assert "https://creativecommons.org/licenses/by/4.0/" in licence


def rows_of(path: Path) -> Iterable[Row]:
    text = path.read_text(encoding="utf-8")
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    return csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def stereoset_sentences(path: Path) -> Iterator[str]:
    for clusters in json.loads(path.read_text(encoding="utf-8"))["data"].values():
        for cluster in clusters:
            yield from (sentence["sentence"] for sentence in cluster["sentences"])


def published_sentences() -> Iterator[str]:
    """Sentences of the published data sets that are at hand."""
    root = published.FOLDER
    if root is None:
        return
    for path in [*root.glob("crows_pairs/*.csv"), *root.glob("french_crows_pairs/*.csv")]:
        for row in rows_of(path):
            yield from (row[side] for side in SIDES if side in row)
    for path in root.glob("winobias/*type*"):
        yield from (re.sub(r"^\d+ |[\[\]]", "", line) for line in lines_of(path))
    for path in root.glob("winogender/all_sentences.tsv"):
        yield from (line.split("\t")[1] for line in lines_of(path))
    for path in root.glob("stereoset/*.json"):
        yield from stereoset_sentences(path)


@pytest.fixture(scope="module")
def theirs() -> set[str]:
    texts = {normalised(text) for text in published_sentences()}
    if not texts:
        pytest.skip("no published data set here; set TILTMETER_DATA to a folder that has some")
    return texts


def test_no_sentence_is_taken_from_a_published_set(theirs: set[str]) -> None:
    assert theirs.isdisjoint(map(normalised, SENTENCES))


def test_no_sentence_is_a_small_edit_of_a_published_one(theirs: set[str]) -> None:
    """No sentence shares seven tenths of its letters, in order, with one of theirs."""
    fuzz = pytest.importorskip("rapidfuzz.distance").Levenshtein
    process = pytest.importorskip("rapidfuzz.process")
    close = process.cdist(
        [normalised(text) for text in SENTENCES],
        sorted(theirs),
        scorer=fuzz.normalized_similarity,
        score_cutoff=0.7,
    ).max(axis=1)
    near = [text for text, score in zip(SENTENCES, close, strict=True) if score > 0]
    assert near == []


def test_the_licence_speaks_of_every_list() -> None:
    licence = (STARTER / "LICENSE").read_text(encoding="utf-8")
    files = [file for file in STARTER.iterdir() if file.name != "LICENSE"]
    assert [file.name for file in files if file.name not in licence] == []
