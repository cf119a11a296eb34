import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.studies.first_person.requests import load_first_person


def test_a_file_of_the_users_with_mistakes_lists_all_of_them(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        """requests = [{ id = "a", text = "What is tea?" }, { id = "a", text = "What is milk?" }]
        groups = [{ name = "bakers", users = ["Ada"], says = "I bake." }]
        comparisons = [{ name = "all", sides = [["bakers", "sailors"]] }]""", "utf-8",
    )  # fmt: skip
    with pytest.raises(BadItems) as wrong:
        load_first_person(path)
    told = str(wrong.value)
    for why in ("'a' occurs 2 times", "write {user} in it", "no group 'sailors'"):
        assert why in told
