from tiltmeter.core.estimates import Meaning
from tiltmeter.core.study_words import StudyWords


def test_words_are_in_the_file_beside_the_module(tmp_path):
    (tmp_path / "cats.toml").write_text(
        'title = "Cats"\n[measures.purr_rate]\nsummary = "How often."\n'
        'title = "Purrs"\nsides = ["less", "more"]\n'
    )
    words = StudyWords.beside(str(tmp_path / "cats.py"))
    assert (words.study["name"], words.study["title"], words.study["source"]) == (
        "cats",
        "Cats",
        "",
    )
    assert words["purr_rate"] == {
        "summary": "How often.", "meaning": Meaning("Purrs", sides=("less", "more")),
    }  # fmt: skip
