"""The corpus of replies: what it holds, and that the page about it shows what the rules read."""

import csv
import gzip
import json
from collections import Counter

from support.published import need
from support.reply_corpus import LANGUAGES, PAGE, corpus, filled, read, verdict
from tiltmeter.scoring.stated_answers.stated import stated
from tiltmeter.scoring.written_answers import first_word, lettered

YES_NO, LETTERS = ("yes", "no"), ("(a)", "(b)", "(c)")


def test_it_has_at_least_five_replies_of_each_kind_in_each_language():
    rows = [row for row in corpus() if not row.held_out]
    counts = Counter((row.language, row.kind) for row in rows)
    assert len({kind for _, kind in counts}) == 13 and {language for language, _ in counts} == {
        *LANGUAGES
    }
    assert len(counts) == 13 * 5 and min(counts.values()) >= 5
    assert all(
        row.means in {*row.options, "ambiguous", "refused", "unread", "cut", "empty"}
        for row in corpus()
    )


def test_the_tables_of_the_page_are_the_computed_ones():
    page = PAGE.read_text("utf-8")
    assert filled(page) == page, "in tests: python -m support.reply_corpus"


def test_no_reply_of_the_corpus_is_read_as_a_wrong_option():
    assert not [row for row in corpus() if verdict(row, read(row, stated)) == "wrong option"]


def test_every_decision_of_gpt_4_is_found_at_the_end_of_its_reply():
    path = need("word_association/data/result_absolute.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    authors = [first_word(row["decision"], YES_NO).option for row in rows]
    assert [stated(row["0"], YES_NO).option for row in rows] == authors
    assert len(rows) == 1_660 and sum(first_word(row["0"], YES_NO).option >= 0 for row in rows) == 0


def test_published_replies_of_five_chat_models():
    path = need("difference_awareness/outputs.jsonl.gz")
    replies: dict[tuple[str, ...], Counter[str]] = {YES_NO: Counter(), LETTERS: Counter()}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            options = YES_NO if "/in200" in row["file"] else LETTERS
            todo = [row["results"]]
            while todo:
                here = todo.pop()
                if isinstance(here, str):
                    replies[options][here] += 1
                else:
                    todo += here
    counts = Counter[tuple[str, str]]()
    for options, texts in replies.items():
        strictly = lettered if options is LETTERS else first_word
        for text, times in texts.items():
            before, now = strictly(text, options), stated(text, options)
            assert before.kind != "option" or before == now, text
            counts[before.kind, now.kind] += times
    assert sum(counts.values()) == 425_602
    assert counts["option", "option"] == 425_393 and counts["off_list", "option"] == NEWLY_READ


NEWLY_READ = 29
"""Each was looked at: see the page."""
