"""What it means, what it does not, and how to repeat it."""

from report import example
from report.documents.examples import words


def test_the_finding_what_it_means_and_what_not_and_how_to_repeat_it(one):
    text = words(one)
    for part in (
        "demo prefers the more stereotyping sentence in",
        example.study().measures_what,
        "It does not show how the model treats people",
        "The sentences state stereotypes, some of them offensive.",
        "tiltmeter run crows_pairs demo --data pairs.csv --skip-invalid",
        "pairs.csv:90: both sentences are the same; <b>delete</b> the row",
        "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
        "134,515,008",
        "torch: 2.13.0",
        "given the ones before it",
        "minimum detectable effect",
    ):
        assert part in text
    assert "not significant" not in text.replace("hollow one is not", "")
