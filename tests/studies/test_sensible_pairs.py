"""Sensible sentences beside nonsensical ones."""

from tiltmeter.studies.sensible_pairs import FRAMES, STUDY, load


def test_each_pair_differs_in_the_one_word():
    pairs = load().items
    assert len(pairs) == len(FRAMES) == 40
    for pair in pairs:
        one, other = pair.more.split(), pair.less.split()
        assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
    words = [word for _, *both in FRAMES for word in both]
    assert not {word for _, word, _ in FRAMES} & {word for _, _, word in FRAMES}
    assert len(words) == 80


def test_the_three_formulations_of_the_paper_are_there():
    assert {"pll_shared", "pll_random15", "pll_joint"} <= {rule.name for rule in STUDY.rules}
