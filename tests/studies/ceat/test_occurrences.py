"""Contexts of words: found whole, cut around the word, drawn with equal chances."""

from collections import Counter
from dataclasses import replace

import pytest

from tiltmeter.core.data.items import WordSets
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.requests import Passage
from tiltmeter.studies.ceat.draws import Draws
from tiltmeter.studies.ceat.occurrences import cut, occurrences


def corpus(tmp_path, text, words, **how):
    file = tmp_path / "corpus.txt"
    file.write_text(text, encoding="utf-8")
    return occurrences(file, words, **{"most": 100, **how})


def said(passage):
    return passage.text[passage.at[0] : passage.at[1]]


def test_words_are_found_whole_and_once_a_sentence(tmp_path):
    text = "Love and love. Gloves are warm. A lovely day. She is in love, he said.\nNo sentence"
    found = corpus(tmp_path, text, ["love", "absent"])
    assert found.counts == {"love": 2, "absent": 0}
    assert [said(p) for p in found.contexts["love"]] == ["Love", "love"]
    assert found.sentences == 5
    assert found.name == "corpus.txt"


def test_capitals_are_found_as_they_are_written(tmp_path):
    text = "Brad came. The brad broke. BRAD shouted. Rose grew. A rose grew. ROSE is an acronym."
    assert corpus(tmp_path, text, ["Brad", "rose"]).counts == {"Brad": 1, "rose": 2}


def test_names_of_several_words_stand_side_by_side(tmp_path):
    text = "Two European American writers. European and American writers. A well-known writer."
    found = corpus(tmp_path, text, ["European American", "well-known", "known"])
    assert found.counts == {"European American": 1, "well-known": 1, "known": 0}
    assert said(found.contexts["European American"][0]) == "European American"


def test_what_stands_between_and_around_words_counts(tmp_path):
    text = "Is he European, American or Asian? A European  American. U.S. law, not u s. It is C. It is C++."
    found = corpus(tmp_path, text, ["European American", "U.S.", "C++", "+", "(C)"])
    assert found.counts == {"European American": 1, "U.S.": 1, "C++": 1, "+": 0, "(C)": 0}
    assert [said(found.contexts[word][0]) for word in ("European American", "U.S.", "C++")] == [
        "European  American", "U.S.", "C++",
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["w0", "w3", "w10", "w18", "w19"])
def test_long_sentences_are_cut_around_the_word(word):
    sentence = " ".join(f"w{i}" for i in range(20))
    start = f"{sentence} ".index(f"{word} ")
    found = cut(sentence, (start, start + len(word)), 9)
    assert said(found) == word
    words = found.text.split()
    assert len(words) == 9
    assert found.text in sentence
    middle = min(max(int(word[1:]), 4), 15)
    assert words[4] == f"w{middle}"


def test_a_name_of_many_words_stays_whole():
    found = cut("one two three four five", (4, 18), 1)
    assert (found.text, said(found)) == ("two three four", "two three four")


def test_of_many_contexts_each_is_as_likely_to_be_kept(tmp_path):
    text = "\n".join(f"rose number {i}" for i in range(6))
    drawn = Counter(
        p.text
        for seed in range(600)
        for p in corpus(tmp_path, text, ["rose"], most=2, seed=seed).contexts["rose"]
    )
    assert len(drawn) == 6
    assert all(abs(n - 200) < 60 for n in drawn.values())  # 200 of 600, standard deviation 12


def test_what_is_kept_of_a_word_depends_on_no_other(tmp_path):
    text = "\n".join(f"rose and ant number {i}" for i in range(50))
    alone = corpus(tmp_path, text, ["rose"], most=5, seed=3)
    both = corpus(tmp_path, text, ["ant", "rose"], most=5, seed=3)
    assert alone.contexts["rose"] == both.contexts["rose"]
    assert alone.contexts["rose"] != corpus(tmp_path, text, ["rose"], most=5).contexts["rose"]


def test_a_folder_is_read_as_a_whole(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("b.txt", "in/a.tokens", "c.csv"):
        (tmp_path / name).write_text("A rose.\n", encoding="utf-8")
    found = occurrences(tmp_path, ["rose"], most=5)
    assert found.counts == {"rose": 2}
    assert len(found.sha256) == 64


def test_what_is_no_corpus_is_refused(tmp_path):
    with pytest.raises(BadInput, match="contains no text"):
        corpus(tmp_path, "\n \n", ["rose"])
    with pytest.raises(BadInput, match="no such file"):
        occurrences(tmp_path / "missing.txt", ["rose"], most=1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"contains no \.tokens or \.txt file"):
        occurrences(tmp_path / "empty", ["rose"], most=1)


TEST = WordSets("t", ("x1", "x2"), ("y",), ("a",), ("b",), groups={"test": "t"})
POOL = {
    word: tuple(Passage(f"{word} {i}", (0, len(word))) for i in range(n))
    for word, n in (("x1", 3), ("x2", 1), ("y", 4), ("a", 2), ("b", 2))
}


def test_a_draw_has_one_context_of_every_word():
    draws = Draws([TEST, TEST], POOL, draws=40, seed=1)
    assert len(draws) == 80
    assert [draw.id for draw in draws[38:42]] == ["t/39", "t/40", "t/1", "t/2"]
    assert draws[-1] == draws[79]
    for draw in draws:
        assert [said(p) for p in draw.passages] == ["x1", "x2", "y", "a", "b"]
    assert {draw.y[0].text for draw in draws} == {f"y {i}" for i in range(4)}
    with pytest.raises(IndexError):
        draws[80]


def test_what_a_test_draws_depends_on_its_name_and_on_no_other_test():
    other = replace(TEST, name="other")
    both, alone = Draws([TEST, other], POOL, draws=40), Draws([other], POOL, draws=40)
    texts = [
        [p.text for draw in some for p in draw.passages] for some in (both[40:], alone, both[:40])
    ]
    assert texts[0] == texts[1] != texts[2]


def test_one_group_is_one_context_of_any_of_its_words():
    lone = WordSets("t", ("x1", "x2"), (), ("a",), ("b",))
    draws = Draws([lone], POOL, draws=200)
    assert {len(draw.x) for draw in draws} == {1}
    counts = Counter(said(draw.x[0]) for draw in draws)
    assert abs(counts["x1"] - 150) < 30  # three of four contexts, standard deviation 6
