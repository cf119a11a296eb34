"""How the numbers of an alignment with people are computed, and what they mean, in paragraphs."""

from tiltmeter.analysis.people.alignment import Alignments

MEANING = (
    "People were asked, of each group, which of two opposite traits it is nearer to, {scale} from the left "
    "trait to the right one. A matrix has a number for the same question. Kendall’s τ compares the two "
    "orders: 1 is the same, 0 no relation, −1 the opposite. Only orders are compared, so the two need no "
    "common unit."
)
LIMITS = (
    "Agreement with people is not a virtue: it means that both have the same stereotypes. A low τ may "
    "mean a matrix without them, or one that was asked in a way that does not bring them out. These are the "
    "answers of these people, at their time and place{where}."
)
SHORT_LIMITS = (
    "Agreement with people is not a virtue: people were asked how others stereotype. A low τ may be a model "
    "without these stereotypes, or one that was asked in a way that does not bring them out."
)
WARNING = (
    "This page says how groups of people are stereotyped, by people and by models. Nothing on it says that "
    "this is true."
)
SOURCE = (
    "After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92; "
    "intervals, tests and what people reach are Tiltmeter’s."
)
TAU = (
    "τ is Kendall’s tau-b: of two cells that differ on both sides, how much likelier the same order is than "
    "the opposite one. Over all cells, cells of all groups are compared with each other; the mean over "
    "groups compares cells within a group only. Intervals resample whole groups (of one group: its pairs of "
    "traits); p of all cells takes cells as independent, which they are not, so read it with the interval."
)
PRECISION = (
    "Precision at {k}: the share of the {k} highest pairs of a group in which people are above the middle "
    "of their scale, the share of the {k} lowest in which they are below, and the mean of the two. Exactly "
    "in the middle counts half; pairs that are tied for the last of these places count in part. "
    "Permutations of people’s pairs within groups give p."
)
CEILING = (
    "What people reach: the people of each group are split in two at random, {splits:,} times, and one "
    "half’s means are compared with the other’s. Halves are noisier than the whole, so a matrix can come "
    "out above them. “Estimated for the mean of very many such people” is stepped up from the halves by the "
    "Spearman–Brown formula, as if scores were normal: an estimate of the highest τ that anything can be "
    "expected to have with these people. One person is compared with the mean of all others."
)
OWN = (
    "τ with a group’s own ratings less τ with other groups’: mean τ of each group with what people say of "
    "it, less mean τ with what they say of the others. It tells a matrix that distinguishes groups from one "
    "that says the same of all of them. p permutes people’s groups."
)


def method(made: Alignments) -> list[str]:
    """How it was computed; of the noise ceiling only where there is one."""
    ceiling = [CEILING.format(splits=made.wanted.splits)] if made.people.ratings else []
    return [TAU, PRECISION.format(k=made.wanted.k), *ceiling, OWN]


def limits(made: Alignments) -> str:
    """What an alignment does not show, and where these people come from."""
    return LIMITS.format(where=f": {made.people.limits}" if made.people.limits else "")
