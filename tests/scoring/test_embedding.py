"""Rules for association tests against slow, obvious code, on vectors that are made up here."""

from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np
import pytest

from tiltmeter.core.draws import Draw
from tiltmeter.core.errors import BadItems, CannotAnswer
from tiltmeter.core.finder import find
from tiltmeter.core.items import Target, WordSets
from tiltmeter.core.protocols import EmbedsTexts, EmbedsTokens
from tiltmeter.core.requests import Passage
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context
from tiltmeter.families.association_tests import CONVENTIONS, targets_of
from tiltmeter.run.choosing import choose
from tiltmeter.run.measure import measure
from tiltmeter.scoring import contextual
from tiltmeter.scoring.embedding import RULES
from tiltmeter.scoring.keywords import places_in

BY_NAME = {rule.name: rule for rule in RULES}
WORDS = WordSets(
    "flora", ("rose", "lily", "tulip"), ("ant", "moth", "flea"), ("joy", "peace"), ("pain", "dust"),
    family="nature",
)  # fmt: skip
FRAMES = WordSets(
    "frames",
    ("This is Ann.", "Ann is here.", "This is Mary Lou.", "Mary Lou is here."),
    ("This is Bo.", "Bo is here.", "This is Jim.", "Jim is here."),
    ("This is joy.", "Joy is here."),
    ("This is dust.", "Dust is here."),
)


@dataclass
class Vectors:
    """A vector for every text and way of pooling; what was asked is remembered."""

    unknown: tuple[str, ...] = ()
    zero: tuple[str, ...] = ()
    long: tuple[str, ...] = ()
    scale: float = 1.0
    limit: int | None = 8
    batch_tokens: int = 64
    name: str = "vectors"
    fingerprint: str = "vectors"
    about: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, list[Passage]]] = field(default_factory=list)

    def passage_lengths(self, passages):
        return [0 if p.text in self.unknown else 9 if p.text in self.long else 3 for p in passages]

    def embed(self, passages, *, pooling):
        self.asked.append((pooling, list(passages)))
        return np.stack([self.vector(p.text, p.at, pooling) for p in passages])

    def vector(self, text, at=(0, 0), pooling="own"):
        if text in self.zero:
            return np.zeros(6)
        seed = [*map(ord, text), *at, *map(ord, pooling)]
        return np.random.default_rng(seed).normal(size=6) * self.scale


def mean(values):
    return sum(values) / len(values)


def cosine(u, v):
    return sum(u * v) / sqrt(sum(u * u) * sum(v * v))


def slow_scores(test, vector):
    return {
        f"{test.name}/{side}/{i}": mean([cosine(vector(w), vector(t)) for t in test.a])
        - mean([cosine(vector(w), vector(t)) for t in test.b])
        for side, words in (("X", test.x), ("Y", test.y))
        for i, w in enumerate(words, start=1)
    }


def slow_effect(test, vector):
    scores = slow_scores(test, vector)
    x, y = ([v for k, v in scores.items() if f"/{side}/" in k] for side in "XY")
    both = x + y
    return (mean(x) - mean(y)) / sqrt(sum((v - mean(both)) ** 2 for v in both) / (len(both) - 1))


def scored(rule, model, *tests, convention="paper", skip=False):
    how = next(c for c in CONVENTIONS if c.name == convention)
    context = Context(how, skip_invalid=skip)
    targets = [target for test in tests for target in targets_of(test)]
    return BY_NAME[rule].score(model, targets, context), context


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


def test_words_without_a_vector_stop_the_run_or_are_left_out():
    x = ("rose", "lily", "tulip", "iris", "daisy", "aster")
    wide = replace(WORDS, x=x, a=("joy", "peace", "gift", "sun", "hope"))
    model = Vectors(unknown=("aster", "gift"))
    with pytest.raises(BadItems, match=r"(?s)'aster' of X in flora: it has no vector.*'gift' of A"):
        scored("sentence_vector", model, wide)
    records, context = scored("sentence_vector", model, wide, skip=True)
    assert "flora/X/6" not in {r.item for r in records}
    assert len(records) == 8
    assert context.notes == [Note("coverage", "flora leaves out 1 of 5 texts of A: 'gift'.")]
    assert [p.item for p in context.problems] == ["flora/X/6"]
    left = replace(wide, x=wide.x[:5], a=tuple(w for w in wide.a if w != "gift"))
    expected = slow_scores(left, model.vector)
    assert {r.item: r.scores["association"] for r in records} == pytest.approx(expected)


def test_a_test_that_lost_too_much_has_no_result():
    model = Vectors(unknown=("rose",))
    records, context = scored(
        "sentence_vector", model, WORDS, replace(WORDS, name="other", x=("iris",)), skip=True
    )
    assert {r.groups["test"] for r in records} == {"other"}
    assert {p.item.split("/")[0] for p in context.problems} == {"flora"}
    assert "1 of 3 texts of X are missing, 'rose'" in context.problems[0].reason


def test_texts_that_are_too_long_or_have_no_direction_are_refused():
    with pytest.raises(BadItems, match="it has 9 tokens, and the model reads at most 8"):
        scored("mean_pool", Vectors(long=("lily",)), WORDS)
    with pytest.raises(BadItems, match="'lily' of X in flora: its vector is 0"):
        scored("mean_pool", Vectors(zero=("lily",)), WORDS)
    many = replace(WORDS, x=("rose", "lily", "tulip", "iris", "daisy"))
    records, context = scored("mean_pool", Vectors(zero=("lily",)), many, skip=True)
    assert len(records) == 7
    assert len(context.problems) == 1


# ── In context ───────────────────────────────────────────────────────────────────────────────────


def contexts(*words):
    return tuple(Passage(f"The {word} again.", (4, 4 + len(word))) for word in words)


DRAWS = [
    Draw("t/1", contexts("rose", "lily"), contexts("ant", "moth"), contexts("joy"), contexts("pain"),
         {"test": "t"}),
    Draw("t/2", contexts("iris", "lily"), contexts("ant", "flea"), contexts("joy"), contexts("dust"),
         {"test": "t"}),
    Draw("g|p/1", contexts("rose"), (), contexts("joy", "sun"), contexts("pain", "dust"),
         {"group": "g", "pair": "p"}),
]  # fmt: skip


def in_context(model, draws=DRAWS, **settings):
    rule = next(r for r in contextual.RULES if r.name == "word_pieces")
    return rule.score(model, draws, Context(settings=settings))


def test_each_draw_has_weat_s_effect_size():
    model = Vectors(limit=9)
    records = in_context(model)
    assert [r.item for r in records] == ["t/1", "t/2", "g|p/1"]

    def vector(passage):
        return model.vector(passage.text, passage.at, "word")

    for draw, record in zip(DRAWS[:2], records[:2], strict=True):
        sets = WordSets("t", draw.x, draw.y, draw.a, draw.b)
        assert record.scores["effect"] == pytest.approx(slow_effect(sets, vector))
        values = list(slow_scores(sets, vector).values())
        assert record.scores["variance"] == pytest.approx(np.var(values, ddof=1))
    (g,) = map(vector, DRAWS[2].x)
    near, far = ([cosine(g, vector(p)) for p in words] for words in (DRAWS[2].a, DRAWS[2].b))
    expected = (mean(near) - mean(far)) / np.std(near + far, ddof=1)
    assert records[2].scores["effect"] == pytest.approx(expected)
    usual = in_context(model, variance="effect_size")
    effect = usual[0].scores["effect"]
    assert usual[0].scores["variance"] == pytest.approx(1 + effect**2 / 8)


def test_contexts_that_cannot_be_read_are_refused():
    with pytest.raises(BadItems, match=r"t/1.*--set longest"):
        in_context(Vectors(long=("The rose again.",)))
    with pytest.raises(CannotAnswer, match="a zero vector"):
        in_context(Vectors(zero=("The rose again.",)))


def test_rules_in_context_need_tokens():
    assert {r.needs for r in contextual.RULES} == {EmbedsTokens}
    assert isinstance(targets_of(WORDS)[0], Target)
