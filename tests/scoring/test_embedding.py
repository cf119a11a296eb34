"""Rules for association tests against slow, obvious code, on vectors that are made up here."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.made_up_vectors import Vectors, mean, slow_effect, slow_scores
from scoring.vectors_of_words import WORDS, scored
from tiltmeter.core.data.items import WordSets
from tiltmeter.core.errors import BadItems
from tiltmeter.core.finder import find
from tiltmeter.core.model.protocols import EmbedsTexts
from tiltmeter.core.model.requests import Passage
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.scoring.keywords import places_in
from tiltmeter.study_families.association_tests import targets_of

FRAMES = WordSets(
    "frames",
    ("This is Ann.", "Ann is here.", "This is Mary Lou.", "Mary Lou is here."),
    ("This is Bo.", "Bo is here.", "This is Jim.", "Jim is here."),
    ("This is joy.", "Joy is here."),
    ("This is dust.", "Dust is here."),
)


@pytest.mark.parametrize(
    "rule", ["sentence_vector", "start_token", "last_token", "mean_pool", "pooler"]
)
def test_scores_are_means_of_cosines_of_the_named_pooling(rule):
    model = Vectors()
    records, _ = scored(rule, model, WORDS)
    ((pooling, passages),) = model.asked
    expected = slow_scores(WORDS, lambda text: model.vector(text, pooling=pooling))
    assert {r.item: r.scores["association"] for r in records} == pytest.approx(expected)
    assert len(passages) == len(set(passages)) == 10
    assert records[0].groups == {
        "test": "flora", "side": "X", "concept": "X", "family": "nature",
    }  # fmt: skip


def test_a_text_of_several_tests_is_asked_once():
    model = Vectors()
    scored("sentence_vector", model, WORDS, replace(WORDS, name="again"))
    assert len(model.asked[0][1]) == 10


def test_the_study_s_effect_is_the_definition_s():
    study, model = find("studies", "weat", "STUDY"), Vectors()
    data = replace(study.sample(), items=targets_of(WORDS))
    chosen = choose(study, [EmbedsTexts], model="vectors")
    found = {e.name: e for e in measure(study, model, data, chosen=chosen).estimates}
    effect = slow_effect(WORDS, model.vector)
    assert found["effect_size"].value == pytest.approx(effect)
    assert found["effect_size"].groups == {"test": "flora"}
    assert found["mean_absolute_effect"].value == pytest.approx(abs(effect))
    assert found["mean_absolute_effect"].groups == {"family": "nature"}
    assert found["effect_size"].p == pytest.approx(
        round(found["effect_size"].p * 20) / 20
    )  # of C(6, 3)


def test_swapping_sides_or_attributes_changes_the_sign_and_scaling_nothing():
    found = slow_effect(WORDS, Vectors().vector)
    swapped = replace(WORDS, x=WORDS.y, y=WORDS.x)
    turned = replace(WORDS, a=WORDS.b, b=WORDS.a)
    for test, sign in ((swapped, -1), (turned, -1), (WORDS, 1)):
        records, _ = scored("sentence_vector", Vectors(scale=1000), test)
        x, y = ([r.scores["association"] for r in records if r.groups["side"] == s] for s in "XY")
        spread = np.std(x + y, ddof=1)
        assert (mean(x) - mean(y)) / spread == pytest.approx(sign * found)


def test_the_word_of_a_sentence_is_what_its_frame_holds():
    said = {text: text[at[0] : at[1]] for text, at in places_in(FRAMES).items()}
    assert said["This is Mary Lou."] == said["Mary Lou is here."] == "Mary Lou"
    assert said["Joy is here."] == "Joy"
    model = Vectors()
    scored("word_pieces", model, FRAMES)
    ((pooling, passages),) = model.asked
    assert pooling == "word"
    assert Passage("Bo is here.", (0, 2)) in passages
    model = Vectors()
    scored("word_pieces", model, WORDS)
    assert {p.at for p in model.asked[0][1]} == {(0, 0)}


def test_the_word_is_one_that_the_opposite_set_does_not_hold():
    """Each name of X has a verb of its own, which Y holds too: alone it would be as rare as the name."""
    x, y = ("Ann sings.", "Eve reads."), ("Bo sings.", "Al reads.", "They sings.", "They reads.")
    said = places_in(WordSets("t", x, y, ("joy",), ("war",)))
    assert [said[text] for text in x] == [(0, 3), (0, 3)]
    rare = places_in(WordSets("t", ("Ann sings.", "Ann reads."), y[:2], ("joy",), ("war",)))
    assert rare["Ann sings."] == (0, 3)


def test_a_sentence_whose_word_cannot_be_told_is_refused():
    odd = replace(FRAMES, x=("One after another is.", *FRAMES.x))
    with pytest.raises(BadItems, match="the word that it is about cannot be determined"):
        scored("word_pieces", Vectors(), replace(odd, x=("Red this blue.", *FRAMES.x[:3])))


def test_published_bert_reads_small_letters_without_special_tokens():
    model = Vectors()
    scored("bare_first_piece", model, FRAMES, convention="may2019")
    ((pooling, passages),) = model.asked
    assert pooling == "bare_first_piece"
    assert all(p.text == p.text.lower() for p in passages)
    model = Vectors()
    scored("sentence_vector", model, FRAMES, convention="may2019")
    assert Passage("This is Ann.") in model.asked[0][1]


def test_sentences_carry_the_word_they_are_about():
    clusters = {t.text: t.cluster for t in targets_of(FRAMES)}
    assert clusters["This is Mary Lou."] == clusters["Mary Lou is here."] == "mary lou"
    assert {t.cluster for t in targets_of(WORDS)} == {""}


def test_texts_that_are_too_long_or_have_no_direction_are_refused():
    with pytest.raises(BadItems, match="it has 9 tokens, and the model reads at most 8"):
        scored("mean_pool", Vectors(long=("lily",)), WORDS)
    with pytest.raises(BadItems, match="'lily' of X in flora: its vector is 0"):
        scored("mean_pool", Vectors(zero=("lily",)), WORDS)
    many = replace(WORDS, x=("rose", "lily", "tulip", "iris", "daisy"))
    records, context = scored("mean_pool", Vectors(zero=("lily",)), many, skip=True)
    assert len(records) == 7
    assert len(context.problems) == 1
