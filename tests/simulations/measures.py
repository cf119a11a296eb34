"""How often intervals of the studies' measures contain the true value, whatever pattern it is drawn from."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
from scipy.special import expit

from simulations.cases import PatternCase
from simulations.control_questions import CONTROL_QUESTION_CASES
from simulations.intervals import M, N
from simulations.item_tables import ITEM_CASES
from simulations.patterns import (
    CONCENTRATED,
    DENSE,
    HELD_OUT,
    LARGE,
    NONE,
    ONE_SIDED,
    PATTERNS,
    RARE,
    SKEWED,
    SPARSE,
    TAILS,
    UNEQUAL,
    UNEVEN,
)
from simulations.seeds import SEED_CASES
from simulations.speakers import SPEAKER_CASES
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.metrics import (
    classified,
    context_association,
    context_association_inference,
    hypotheses,
    labels,
    offensive,
    perplexity,
    preference,
    preference_difference,
    preference_inference,
    probabilities,
    traits,
)
from tiltmeter.metrics.label_intervals import compare_probabilities, infer_labelled
from tiltmeter.metrics.paired_difference import compare_resampled
from tiltmeter.studies.bbq import metrics as bbq
from tiltmeter.studies.completions import metrics as judged_texts
from tiltmeter.studies.counterfactual import metrics as probability_changes
from tiltmeter.studies.decisions import effects, ratios
from tiltmeter.studies.descriptors import metrics as descriptors
from tiltmeter.studies.difference_awareness import metrics as difference_awareness
from tiltmeter.studies.fairness_gaps import gap_inference, group_gaps
from tiltmeter.studies.first_person import metrics as first_person
from tiltmeter.studies.misspellings import metrics as flips
from tiltmeter.studies.story_choice import metrics as choices
from tiltmeter.studies.word_association import metrics as word_association
from tiltmeter.study_families.logged_tasks import infer_mean_share, mean_score

PATTERN = {pattern.name: pattern for pattern in (*PATTERNS, *CONCENTRATED, *HELD_OUT)}


def pairs(items):
    """Scores of both sentences: log-probabilities."""
    less = -20 - 5 * items.rng.random(items.n)
    return [np.minimum(less + items.x, -0.1), less]


def three_kinds(items):
    return [*pairs(items), (items.code % 3).astype(str)]


def identities(items):
    return [*pairs(items), (np.arange(items.n) % 10).astype(str)]


def contexts(items):
    more, less = pairs(items)
    return [more, less, -21 - 6 * items.rng.random(items.n), items.code.astype(str)]


def texts(items):
    """Random labels, what is said by a model that is a little off, and its probability."""
    odds = 1.5 * items.x - 0.5
    chance = expit(1.4 * (odds + 0.5 * items.rng.normal(size=items.n)) - 0.3)
    return [(items.rng.random(items.n) < expit(odds)) * 1.0, (chance > 0.5) * 1.0, chance]


def two(items):
    return texts(items)[:2]


def chances(items):
    return texts(items)[::2]


def asked(items):
    """As the written studies have it: options, then the label asked about."""
    return [np.full(items.n, -1.0), np.full(items.n, -1.0), *two(items)]


def three_labels(items):
    """Options on a par."""
    noise = items.rng.normal(size=(2, items.n))
    both = (np.digitize(items.x + part, (-0.7, 0.7)) * 1.0 for part in (0.5 * noise[0], noise[1]))
    return [*both, np.full(items.n, -1.0)]


def flags(items):
    return [(items.x > 0) * 1.0]


def edited(items):
    """What is said before and after an edit."""
    before = (items.rng.random(items.n) < 0.5) * 1.0
    after = np.where(items.rng.random(items.n) < expit(items.x - 1.5), 1.0, before)
    return [1 - before, 1 - after, before, after]


def moved(items):
    """Probabilities before and after."""
    odds = items.rng.normal(size=items.n)
    return [expit(odds), expit(odds + 0.5 * items.x)]


def decided(items):
    return [(chance > 0.5) * 1.0 for chance in moved(items)]


def points(items):
    return [100 * np.tanh(items.x)]


def scores(items):
    return [np.zeros(items.n), items.x]


def sentences(items):
    """Log-probabilities of sentences of so many tokens or bytes, documents of unlike difficulty."""
    size = items.rng.integers(10, 60, size=items.n) * 1.0
    return [-size * (3 + 0.5 * np.tanh(items.x)), size]


def chosen(items):
    right = (items.x > 0) * 1.0
    return [1 - right, right]


def choice(items):
    return chosen(items)[1:]


def questions(items):
    """Which option is right (each person in a quarter, unknown in half) and which is answered, if any is."""
    truth = np.array([0, 1, 2, 2])[np.arange(items.n) % 4]
    known = np.where(truth == 0, items.x > -0.8, items.x > 0.8)
    unsure = np.where(np.abs(items.x) < 0.8, 2, items.x < 0)
    answers = np.where(truth < 2, np.where(known, 0, 1), unsure)
    return [truth * 1.0, np.where(items.rng.random(items.n) < 0.05, -1.0, answers)]


def placed(items):
    """At which of three places the answer is listed; few are missing."""
    return [np.where(items.rng.random(items.n) < 0.05, -1.0, np.digitize(items.x, (-0.5, 0.5)))]


def word_lists(items):
    """How many of eight words of each kind have each group, one word in twenty none."""
    none = items.rng.binomial(8, 0.05, size=(2, items.n))
    fit = items.rng.binomial(8 - none, expit(1.5 * items.x))
    negative, positive = fit * 1.0
    return [negative, 8 - none[1] - positive, 8 - none[0] - negative, positive, *none * 1.0]


def two_topics(items):
    """Who gets which topic; both topics go to one person in one reply of ten."""
    along = (items.x > 0) * 1.0
    both = (items.rng.random(items.n) < 0.1) * 1.0
    return [along, np.maximum(1 - along, both), 1 - along, along * (1 - both), 0 * along, 0 * along]


def judged(items, asked=0.25):
    """What a judge says whose errors are those of its clusters too, and people of some."""
    rng = items.rng
    flagged = (items.x + rng.normal(size=items.n) > 0.7) * 1.0
    people = np.where(rng.random(items.n) < asked, items.x > 1.0, np.nan)
    return [flagged, people, np.full(items.n, np.nan)]


def verdicts(items):
    return judged(items)[:1]


def which_reply(items):
    """For which of two replies somebody is, if for any."""
    lean = items.x + items.rng.normal(size=items.n)
    return [np.where(np.abs(lean) < 0.5, 0.0, np.sign(lean))]


def judged_by_people(items):
    """What a judge says, and what three of twelve people say of half of the items."""
    votes = np.stack([which_reply(items)[0] for _ in range(3)])
    votes[:, items.rng.random(items.n) < 0.5] = np.nan
    return [*which_reply(items), *votes, *(items.rng.integers(0, 12, size=votes.shape) * 1.0)]


def refused(items):
    """Whether each of two users is."""
    return [(items.x + items.rng.normal(size=items.n) > 1) * 1.0 for _ in range(2)]


def in_both_orders(items):
    first = (items.rng.random(items.n) < expit(items.x)) * 1.0
    return [first, (np.arange(items.n) % 2).astype(str)]


def alone(items):
    """A position on a scale from 0 to 1, status and attribute of each."""
    status = np.where(items.code % 2, M, N)
    return [expit(items.x), status, np.full(items.n, "kind")]


def position(items):
    return alone(items)[:1]


SHARED = {two: 1, asked: 3, chances: 1, three_labels: 1}
"""How many of the first columns are the items' and not the model's."""


def of_two_models(columns, items, other):
    """The second model leans half as much and by `other` more, in the same texts with the same labels."""
    state = items.rng.bit_generator.state
    a = columns(items)
    after, items.rng.bit_generator.state = items.rng.bit_generator.state, state
    b = columns(replace(items, x=0.5 * items.x + other))
    items.rng.bit_generator.state = after
    kept = SHARED.get(columns, 0)
    return a, [*a[:kept], *b[kept:]]


@cache
def true_value(metric, columns, pattern, each):
    """On very many clusters."""
    return metric(*columns(PATTERN[pattern].items(np.random.default_rng(17), LARGE // each, each)))


@cache
def true_difference(metric, columns, pattern, each, other):
    items = PATTERN[pattern].items(np.random.default_rng(18), LARGE // each, each)
    a, b = of_two_models(columns, items, other)
    return metric(*a) - metric(*b)


def inferred(infer, metric, columns, pattern, rng, *, clusters, each):
    items = PATTERN[pattern].items(rng, clusters, each)
    code = items.code if each > 1 else np.arange(items.n)
    sure = infer(Sample(metric, columns(items), code, rng))
    return sure.low, sure.high, true_value(metric, columns, pattern, each)


def compared(compare, metric, columns, pattern, rng, *, clusters, each, other=0.4):
    items = PATTERN[pattern].items(rng, clusters, each)
    sample = PairedSample(metric, *of_two_models(columns, items, other), items.code, rng)
    sure = compare(sample)[1]
    return sure.low, sure.high, true_difference(metric, columns, pattern, each, other)


def of_groups(pattern, rng, first, second, each):
    """Texts of two groups, of which the second leans half as much; of each its side and its cluster."""
    sides = []
    for side, (factor, clusters) in enumerate(((1.0, first), (0.5, second))):
        items = PATTERN[pattern].items(rng, clusters, each)
        columns = texts(replace(items, x=factor * items.x))
        sides.append([*columns, np.full(items.n, side), items.code + side * LARGE])
    return [np.concatenate(part) for part in zip(*sides, strict=True)]


def worse(chance, rng):
    """Another model's probabilities, and what it says."""
    other = expit(np.log(chance / (1 - chance)) + rng.normal(size=len(chance)))
    return [(other > 0.5) * 1.0, other]


@cache
def true_gap(metric, pattern, each, of_two):
    truth, said, chance, side, _ = of_groups(
        pattern, np.random.default_rng(19), LARGE // each, LARGE // each, each
    )
    value = metric(truth, said, chance, side)
    return value - of_two * metric(truth, *worse(chance, np.random.default_rng(20)), side)


def grouped(metric, pattern, rng, *, of_two, first, second, each):
    truth, said, chance, side, code = of_groups(pattern, rng, first, second, each)
    columns = [truth, said, chance]
    if of_two:
        other = [truth, *worse(chance, rng), side]
        sure = gap_inference.compare_gaps(PairedSample(metric, [*columns, side], other, code, rng))[
            1
        ]
        low, high = sure.low, sure.high
    else:
        a, b = ([column[side == s] for column in columns] for s in (0, 1))
        seed = (int(rng.integers(1e6)),)
        sides = TwoSides(a, code[side == 0], b, code[side == 1], seed)
        low, high, _ = gap_inference._interval(metric, sides)  # without the deals of its test
    return low, high, true_gap(metric, pattern, each, of_two)


def groups_apart(columns, pattern, rng, clusters, each, lean):
    """Texts of two groups that complete the same prompts, half of them each, of which one leans more."""
    items = PATTERN[pattern].items(rng, clusters, each)
    side = np.arange(items.n) % 2
    made = columns(replace(items, x=items.x + lean * side))
    parts = [([column[side == s] for column in made], items.code[side == s]) for s in (1, 0)]
    return TwoSides(*parts[0], *parts[1])


@cache
def true_gap_of_groups(metric, columns, pattern, each, lean):
    rng = np.random.default_rng(21)
    sides = groups_apart(columns, pattern, rng, LARGE // each, each, lean)
    return metric(*sides.a) - metric(*sides.b)


def groups_compared(metric, columns, pattern, rng, *, clusters, each, lean=0.4):
    sides = groups_apart(columns, pattern, rng, clusters, each, lean)
    sure = judged_texts.contrast_shares(ContrastSample(metric, sides, rng))[1]
    return sure.low, sure.high, true_gap_of_groups(metric, columns, pattern, each, lean)


def candidates(items):
    """Who is chosen, of four groups that are chosen ever less often."""
    group = np.arange(items.n) % 4
    return [(items.x > np.array([0.0, 0.2, 0.4, 0.8])[group]) * 1.0, group.astype(str)]


def sides_of(columns, first, code):
    a, b = ([column[here] for column in columns] for here in (first, ~first))
    return TwoSides(a, code[first], b, code[~first])


def last_group(pattern, rng, *, clusters, each):
    """The ratio of the group that is chosen least often, whose true value is that of `min_max_ratio`."""
    items, metric = PATTERN[pattern].items(rng, clusters, each), ratios.min_max_ratio
    columns, code = candidates(items), items.code if each > 1 else np.arange(items.n)
    sample = ContrastSample(metric, sides_of(columns, columns[1] == "3", code), rng)
    sure = ratios.infer_impact_ratio(sample)[1]
    return sure.low, sure.high, true_value(metric, candidates, pattern, each)


def asked_about(items):
    """Log-odds of yes, which differ between questions and more so for one race; and who is asked about."""
    people = np.arange(items.n) % 12
    age, race, gender = np.array(["60", "80"])[people % 2], people // 4, people // 2 % 2
    odds = items.x + (race == 2) * (0.3 + 0.5 * items.x)
    return odds, [
        age,
        np.array(["white", "Asian", "Black"])[race],
        np.array(["male", "other"])[gender],
    ]


def effect_on(odds, effect):
    if effect.name == "rate_effect":
        return [(odds > 0) * 1.0]
    nothing = np.full(len(odds), -np.inf)
    return [-np.logaddexp(0, -odds), -np.logaddexp(0, odds), nothing, nothing]


def questioned(effect, pattern, rng, *, clusters):
    odds, people = asked_about(items := PATTERN[pattern].items(rng, clusters, 12))
    sides = sides_of([*effect_on(odds, effect), *people], people[1] == "Black", items.code)
    sure = effects.infer_effect(ContrastSample(effect, sides, rng))[1]
    return sure.low, sure.high, true_effect(effect, pattern)


@cache
def true_effect(effect, pattern):
    items = PATTERN[pattern].items(np.random.default_rng(17), LARGE // 12, 12)
    odds, people = asked_about(items)
    values = effect.value(effect_on(odds, effect))
    return values[people[1] == "Black"].mean() - values[people[1] == "white"].mean()


def about_people(pattern, rng):
    """Sentences of 24 descriptors on three axes, 6 templates and 6 nouns; what each descriptor costs."""
    axis, place, template, noun = (part.ravel() for part in np.indices((3, 8, 6, 6)))
    mine = 8 * axis + place
    lean, noise = PATTERN[pattern].lean(rng, 24), PATTERN[pattern].noise(rng, 24)
    in_template, with_noun = 0.5 * rng.normal(size=(24, 6)), 0.3 * rng.normal(size=(24, 6))
    nats = 9 + lean[mine] + in_template[mine, template] + with_noun[mine, noun] + template
    nats += 0.5 * noise[mine] * PATTERN[pattern].shape(rng, len(mine))
    tokens = rng.integers(6, 12, size=len(mine)) * 1.0
    return [-nats * tokens, tokens, axis, mine, template, noun], lean.reshape(3, 8)


def spread_of(lean):
    apart = lean - lean.mean(axis=1, keepdims=True)
    return ((apart**2).sum() / 21) ** 0.5


def spread(pattern, rng):
    columns, lean = about_people(pattern, rng)
    sample = Sample(descriptors.descriptor_spread, columns, columns[4], rng)
    sure = descriptors.infer_spread(sample)
    return sure.low, sure.high, spread_of(lean)


def spreads(pattern, rng):
    (a, lean_a), (b, lean_b) = about_people(pattern, rng), about_people(pattern, rng)
    sample = PairedSample(descriptors.descriptor_spread, a, b, a[4], rng)
    sure = descriptors.compare_spreads(sample)[1]
    return sure.low, sure.high, spread_of(lean_a) - spread_of(lean_b)


def cost(pattern, rng):
    columns, lean = about_people(pattern, rng)
    first, others = columns[3] == 0, (columns[3] > 0) & (columns[3] < 8)
    sides = [[columns[i][rows] for i in (0, 1, 4, 5)] for rows in (first, others)]
    two = TwoSides(sides[0], sides[0][2], sides[1], sides[1][2])
    sure = descriptors.contrast_costs(ContrastSample(descriptors.nats_per_token, two, rng))[1]
    return sure.low, sure.high, lean[0, 0] - lean[0, 1:].mean()


MIXED = (DENSE, SPARSE, NONE, TAILS, SKEWED, UNEQUAL, UNEVEN)
ALL = (*MIXED, ONE_SIDED, RARE)
FEW = (DENSE, SPARSE, UNEQUAL)
SIZES = {
    "150 alone": (150, 1), "13 alone": (13, 1), "20 clusters of 5": (20, 5),
    "12 clusters of 8": (12, 8), "30 clusters of 4": (30, 4), "100 alone": (100, 1), "20 alone": (20, 1),
    "40 clusters of 5": (40, 5), "4 clusters of 50": (4, 50), "20 clusters of 10": (20, 10),
}  # fmt: skip
WILSON, SCORE, BOOTSTRAP = "Wilson", "score interval", "stretched bootstrap"
GAFFKE = "Gaffke"
RESAMPLED = "score interval, bootstrap"


def named(metric):
    if metric is labels.accuracy:
        return "accuracy of replies"
    return getattr(metric, "name", getattr(metric, "__name__", ""))


def of_one(kind, metric, columns, sizes, infer=None, patterns=ALL, trials=1000):
    """Intervals of one model's value on data of these sizes."""
    for n in sizes:
        clusters, each = SIZES[n]
        by = infer or metric.infer
        trial = partial(inferred, by, metric, columns, clusters=clusters, each=each)
        yield PatternCase(kind, named(metric), n, trial, patterns, trials)


def of_both(kind, metric, columns, sizes, compare=None, patterns=MIXED, trials=1000):
    """Intervals of the difference of two models."""
    for n in sizes:
        clusters, each = SIZES[n]
        by = compare or metric.compare
        trial = partial(compared, by, metric, columns, clusters=clusters, each=each)
        yield PatternCase(kind, f"{named(metric)} of two models", n, trial, patterns, trials)


ALONE, CLUSTERS, FEW_CLUSTERS = "100 alone", "20 clusters of 5", "12 clusters of 8"
MANY = "40 clusters of 5"
CLASSIFIED = (
    classified.accuracy, classified.true_positive_rate, classified.false_positive_rate,
    classified.positive_predictive_value, classified.selection_rate,
)  # fmt: skip
WRITTEN = (
    (labels.accuracy, asked), (labels.strict_accuracy, asked), (labels.recall, two),
    (labels.precision, two), (labels.specificity, two), (labels.rate, flags),
    (labels.opposite_rate, flags), (flips.flip_rate, edited),
)  # fmt: skip
OF_ALL_LABELS = (
    (classified.f1_positive, two), (classified.f1_macro, two), (classified.f1_weighted, two),
)  # fmt: skip
OF_CHANCES = (probabilities.brier, probabilities.average_precision, probabilities.roc_auc)
OF_TERMS = (("ss", SCORE, 1000), ("lms", SCORE, 1000), ("icat", SCORE, 1000))
CHANGES = (
    (probability_changes.mean_change, moved), (probability_changes.mean_absolute_change, moved),
    (probability_changes.decisions_flipped, decided),
)  # fmt: skip
OF_QUESTIONS = (
    bbq.bbq_score_ambiguous, bbq.bbq_score_disambiguated, bbq.bias_difference, bbq.nonalignment_cost,
    bbq.unknown_rate, bbq.right_rate,
)  # fmt: skip
OF_GROUPS = [
    metric
    for name, metric in difference_awareness.SHARES.items()
    if not name.startswith(("low", "high"))
]
MEDIANS = (
    (preference.median_confidence_more, preference_inference.infer_median),
    (preference.median_confidence_less, preference_inference.infer_median),
    (preference.confidence_gap, preference_inference.infer_gap),
)
TABLE = (
    *((of_one, WILSON, metric, two, (ALONE, FEW_CLUSTERS), infer_labelled) for metric in CLASSIFIED),
    *((of_one, WILSON, metric, columns, (ALONE, FEW_CLUSTERS)) for metric, columns in WRITTEN),
    *((of_both, SCORE, metric, two, (ALONE, CLUSTERS), None, MIXED, 400) for metric in CLASSIFIED),
    *((of_both, SCORE, metric, columns, (ALONE, CLUSTERS), None, MIXED, 400) for metric, columns in WRITTEN),
    (of_both, SCORE, classified.positive_share, two, (ALONE,), None, FEW, 200),
    *((of_one, RESAMPLED, metric, columns, ("150 alone",), infer_labelled, MIXED, 400)
      for metric, columns in OF_ALL_LABELS),
    *((of_one, RESAMPLED, metric, columns, ("150 alone",), None, MIXED, 400)
      for metric, columns in ((labels.f1, two), (labels.macro_f1, three_labels))),
    *((of_both, RESAMPLED, metric, columns, ("150 alone",), None, MIXED, 400)
      for metric, columns in (*OF_ALL_LABELS, (labels.f1, two), (labels.macro_f1, three_labels))),
    *((of_one, RESAMPLED, metric, chances, ("150 alone",), infer_labelled, FEW, 300)
      for metric in OF_CHANCES),
    *((of_both, RESAMPLED, metric, chances, ("150 alone",), compare_probabilities, FEW, 300)
      for metric in OF_CHANCES),
    (of_one, WILSON, preference.stereotype_rate, pairs, (ALONE,), preference_inference.infer_rate),
    (of_one, WILSON, preference.stereotype_rate_untied, pairs, (ALONE,), preference_inference.infer_rate),
    (of_one, WILSON, preference.stereotype_rate, pairs, (FEW_CLUSTERS, CLUSTERS),
     preference_inference.infer_rate_clustered),
    (of_one, BOOTSTRAP, preference.macro_rate, three_kinds, ("30 clusters of 4",),
     preference_inference.infer_rate_clustered, MIXED, 400),
    *((of_one, "ranks", metric, pairs, ("100 alone",), infer, (DENSE, NONE, TAILS, SKEWED), 400)
      for metric, infer in MEDIANS),
    *((of_both, SCORE, metric, columns, ("13 alone", ALONE, CLUSTERS), preference_difference.compare_rates)
      for metric, columns in ((preference.stereotype_rate, pairs), (offensive.sos_rate, identities))),
    *((of_one, GAFFKE, getattr(context_association, name), contexts, (CLUSTERS,),
       getattr(context_association_inference, f"infer_{name}"), FEW, 100)
      for name, _, _ in OF_TERMS),
    *((of_both, kind, getattr(context_association, name), contexts, (CLUSTERS,),
       getattr(context_association_inference, f"compare_{name}"), MIXED, trials)
      for name, kind, trials in OF_TERMS),
    (of_one, WILSON, hypotheses.hypothesis_share, flags, (ALONE, FEW_CLUSTERS),
     hypotheses.infer_hypothesis_share),
    (of_both, SCORE, hypotheses.hypothesis_share, flags, (CLUSTERS,),
     hypotheses.compare_hypothesis_shares, (DENSE, UNEVEN), 100),
    (of_one, GAFFKE, hypotheses.mean_gap, points, (CLUSTERS,), hypotheses.infer_mean_gap, FEW, 100),
    (of_both, BOOTSTRAP, hypotheses.mean_gap, points, (CLUSTERS,), compare_resampled, (DENSE, SKEWED), 200),
    *((of_one, SCORE, metric, columns, (ALONE, "40 clusters of 5"), probability_changes.infer_changes, MIXED)
      for metric, columns in CHANGES),
    *((of_both, SCORE, metric, columns, (ALONE, "40 clusters of 5"), probability_changes.compare_changes)
      for metric, columns in CHANGES),
    (of_one, SCORE, flips.edit_effect, edited, (ALONE, FEW_CLUSTERS), flips.infer_effect),
    (of_both, SCORE, flips.edit_effect, edited, (ALONE, CLUSTERS)),
    *((of_one, "Student’s t", metric, columns, ("100 alone", MANY), traits.infer_over_templates,
       MIXED, 400)
      for metric, columns in ((traits.association, scores), (traits.pole, points))),
    (of_one, WILSON, choices.trait_share, choice, (ALONE,), choices.infer_replies),
    (of_one, WILSON, choices.trait_difference, chosen, (ALONE,), choices.infer_replies),
    (of_one, BOOTSTRAP, choices.first_named_rate, in_both_orders, (CLUSTERS,), choices.infer_first_named,
     MIXED, 400),
    *((of_one, BOOTSTRAP, metric, sentences, (ALONE, MANY), infer, MIXED, 400)
      for metric, infer in ((perplexity.perplexity, perplexity.infer_perplexity),
                            (perplexity.bits_per_byte, perplexity.infer_bits))),
    (of_one, GAFFKE, offensive.static_sos, position, ("20 alone",), offensive.infer_static_sos, FEW, 200),
    (of_one, "Student’s t", offensive.static_sos_gap, alone, ("20 alone",), offensive.infer_static_sos_gap,
     FEW, 200),
)  # fmt: skip
TABLE += (
    *((of_one, SCORE, metric, questions, ("40 clusters of 5",), None, MIXED, 400)
      for metric in (*OF_QUESTIONS, bbq.lowest_score, bbq.highest_score)),
    *((of_one, WILSON, metric, placed, ("40 clusters of 5",), None, MIXED, 400)
      for metric in bbq.PLACES.values()),
    *((of_both, BOOTSTRAP, metric, questions, ("40 clusters of 5",), None, MIXED, 400)
      for metric in OF_QUESTIONS),
    *((of_one, WILSON, metric, questions, ("40 clusters of 5",), None, MIXED, 400)
      for metric in difference_awareness.SHARES.values()),
    *((of_both, BOOTSTRAP, metric, questions, ("40 clusters of 5",), None, MIXED, 400)
      for metric in OF_GROUPS),
)  # fmt: skip
LISTS = (
    word_association.word_association, word_association.lowest_association,
    word_association.highest_association,
)  # fmt: skip
DECISIONS = (
    word_association.decision_bias, word_association.lowest_decision_bias,
    word_association.highest_decision_bias,
)  # fmt: skip
TABLE += (
    *((of_one, GAFFKE, metric, word_lists, (ALONE, CLUSTERS), None, FEW, 100) for metric in LISTS),
    (of_one, GAFFKE, LISTS[0], word_lists, ("4 clusters of 50",), None, (DENSE, UNEQUAL), 100),
    *((of_one, WILSON, metric, two_topics, (CLUSTERS, "4 clusters of 50"), None, MIXED, 400)
      for metric in DECISIONS),
    (of_one, WILSON, word_association.one_sided_rate, word_lists, (CLUSTERS,), None, MIXED, 400),
    (of_both, BOOTSTRAP, LISTS[0], word_lists, (CLUSTERS,), compare_resampled, (DENSE, SKEWED), 60),
    *((of_both, SCORE, metric, columns, (CLUSTERS,), None, FEW, 200)
      for metric, columns in ((DECISIONS[0], two_topics), (word_association.one_sided_rate, word_lists))),
)  # fmt: skip
TABLE += ((of_one, SCORE, judged_texts.corrected_share, judged, ("40 clusters of 5", "20 clusters of 10"),
           judged_texts.infer_corrected, MIXED, 400),)  # fmt: skip
TABLE += (
    *((of_one, SCORE, metric, judged_by_people, ("40 clusters of 5",), None, MIXED, 400)
      for metric in (first_person.preference, first_person.people_preference, first_person.stereotype,
                     first_person.judge_agreement, first_person.people_agreement)),
    *((of_one, SCORE, metric, which_reply, ("40 clusters of 5",), None, MIXED, 400)
      for metric in (first_person.judge_preference, first_person.judge_position)),
    (of_one, SCORE, first_person.refusal_difference, refused, ("40 clusters of 5",), None, MIXED, 400),
    (of_both, SCORE, first_person.refusal_difference, refused, ("40 clusters of 5",), None, MIXED, 400),
)  # fmt: skip
TABLE += ((of_one, "ratios to all groups", ratios.min_max_ratio, candidates,
           (ALONE, CLUSTERS, FEW_CLUSTERS), ratios.infer_min_max, MIXED, 400),)  # fmt: skip
TABLE += (
    (
        of_one,
        GAFFKE,
        mean_score,
        position,
        (ALONE, CLUSTERS, FEW_CLUSTERS),
        infer_mean_share,
        FEW,
        100,
    ),
)
PEOPLE = "24 descriptors"
ABOUT_PEOPLE = (
    PatternCase("Student’s t", "descriptor_spread", PEOPLE, spread, MIXED, 400),
    PatternCase("Student’s t", "descriptor_spread of two models", PEOPLE, spreads, MIXED, 400),
    PatternCase(BOOTSTRAP, "descriptor_cost", PEOPLE, cost, MIXED, 200),
)
EVEN = (DENSE, NONE, TAILS, SKEWED, UNEQUAL)
PATTERN_CASES = (
    *(PatternCase("ratios to all groups", "impact_ratio", n,
                  partial(last_group, clusters=SIZES[n][0], each=SIZES[n][1]), MIXED, 400)
      for n in (ALONE, CLUSTERS, FEW_CLUSTERS)),
    *(PatternCase("Student’s t", effect.name, "40 questions of 12", partial(questioned, effect, clusters=40),
                  EVEN, 400)
      for effect in (effects.LOGIT_EFFECTS[1], effects.RATE_EFFECTS[1])),
    *ABOUT_PEOPLE,
    *(case for make, *told in TABLE for case in make(*told)),
    *(PatternCase("score intervals of two groups", f"{metric.name}{' of two models' * of_two}",
                  "80 and 160 texts", partial(grouped, metric, of_two=of_two, first=80, second=160, each=1),
                  FEW, 60)
      for metric in (*group_gaps.GAPS, *group_gaps.AREAS) for of_two in (False, True)),
    *(PatternCase("score intervals, combined", f"{name}, contrast_shares", "40 clusters of 10",
                  partial(groups_compared, metric, columns, clusters=40, each=10), MIXED, 400)
      for name, metric, columns in (("corrected_share", judged_texts.corrected_share, judged),
                                    ("rate", labels.rate, verdicts))),
    *SPEAKER_CASES,
    *ITEM_CASES,
    *SEED_CASES,
    *CONTROL_QUESTION_CASES,
)  # fmt: skip

OF_ANY_SIZE = {"association", "pole", "perplexity", "bits_per_byte"}
UNBOUNDED = {"static_sos_gap", "bnsp_auc"}
"""Numbers that are of few identities, or of areas: these have a caution instead."""
OF_PARTS = {
    "true_positive_rate",
    "false_positive_rate",
    "positive_predictive_value",
    "recall",
    "precision",
    "specificity",
}
"""Shares of some of the texts of a cluster, of which a cluster that is not seen may have far more."""
CONCENTRATED_CASES = tuple(
    replace(case, patterns=CONCENTRATED, trials=min(case.trials, 200))
    for case in PATTERN_CASES
    if "two models" not in case.of
    and case.of not in UNBOUNDED
    and (case.kind in {WILSON, GAFFKE, SCORE} or (case.n == MANY and case.of in OF_ANY_SIZE))
    and (case.n not in {FEW_CLUSTERS, "4 clusters of 50"} or case.of in OF_PARTS)
)
"""Intervals of one model where few clusters stand out, or there are few and unequal ones."""
