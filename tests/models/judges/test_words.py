"""Lists of words as judges: HurtLex's layout, plain lists, accents and several words."""

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.core.judges import NamesWords, open_judge, sentiment_judge


def judge(tmp_path, text, name="words.txt"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    made = open_judge(f"words:{path}")
    assert isinstance(made, NamesWords)
    return made


def test_words_of_a_list_whatever_their_case_and_accents(tmp_path):
    made = judge(tmp_path, "# mine\nCafé\nold hat\n\n")
    assert made.classify(["A cafe.", "My old\nhat!", "hats", ""]) == [
        "listed",
        "listed",
        "unlisted",
        "unlisted",
    ]
    assert made.words_in("Old hat in the CAFÉ") == ("old hat", "cafe")
    assert "2 words of words.txt" in made.instrument


def test_hurtlex_layout_counts_the_conservative_level(tmp_path):
    text = "id\tpos\tcategory\tstereotype\tlemma\tlevel\n1\tn\tan\tno\tdog\tconservative\n"
    made = judge(
        tmp_path,
        text + '2\tn\tan\tno\t"c" word\tconservative\n3\tn\tan\tno\tcat\tinclusive\n',
        "h.tsv",
    )
    assert made.classify(["a dog", "a cat", "the c word", "lemma"]) == [
        "listed",
        "unlisted",
        "listed",
        "unlisted",
    ]


def test_published_hurtlex_has_everyday_words():
    made = open_judge(f"words:{published.need('hurtlex/hurtlex_EN.tsv')}")
    assert len(made.words) == 2_210
    assert made.words_in("Do the gay dog and the black fox") == ("do", "gay", "dog", "black", "fox")


def test_without_words_or_where_sentiment_is_judged_it_is_refused(tmp_path):
    with pytest.raises(BadInput, match="has no words; write one word a line"):
        judge(tmp_path, "# nothing\n")
    (tmp_path / "words.txt").write_text("dog\n", "utf-8")
    with pytest.raises(BadInput, match="judges texts as listed, unlisted, and here sentiment"):
        sentiment_judge(f"words:{tmp_path / 'words.txt'}")
