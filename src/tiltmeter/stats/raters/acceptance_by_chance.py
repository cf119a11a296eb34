"""How often written examples would be accepted if everybody who validates them answered at random.

Pairs as of Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154, section 2, and triples as of
Nadeem et al. 2021, doi:10.18653/v1/2021.acl-long.416, section 4.3.
"""

from fractions import Fraction
from math import comb, factorial


def chance_of_acceptance(people: int = 5, needed: int = 3) -> float:
    """Probability that a pair is accepted if everybody who validates it answers at random.

    Each picks one of three answers for each sentence and one of two for minimal distance, and so agrees
    with either order with probability 1/6. The type is left aside, as in the paper's 23 %. By hand:
    P(Bin(5, 1/6) ≥ 2) + P(Bin(5, 1/6) ≥ 3) = 0.1962 + 0.0355 = 0.2317, less 10 / 6⁵ for two votes in one
    order and three in the other, which the sum counts twice.

    >>> round(chance_of_acceptance(), 4)
    0.2305
    """
    total = 0
    for same in range(people + 1):  # in the writer's order
        for swapped in range(people + 1 - same):
            if same + 1 >= needed or swapped >= needed:
                ways = comb(people, same) * comb(people - same, swapped)
                total += ways * 4 ** (
                    people - same - swapped
                )  # sixths: 1 for either order, 4 for none
    return float(Fraction(total, 6**people))


def chance_of_triple(people: int = 5, needed: int = 3) -> float:
    """Probability that a triple is kept if everybody labels its continuations at random.

    By hand, for five people: three or more give one label with probability 3 · (40 + 10 + 1) / 243 =
    0.6296, any of the three labels alike; the labels of the continuations differ in 3! of 3³ cases; so
    0.6296³ · 6 / 27 = 0.0555.

    >>> round(chance_of_triple(), 4)
    0.0555
    """
    enough = 0
    for first in range(people + 1):
        for second in range(people + 1 - first):
            if max(first, second, people - first - second) >= needed:
                enough += comb(people, first) * comb(people - first, second)
    return float(Fraction(enough, 3**people) ** 3 * Fraction(factorial(3), 3**3))
