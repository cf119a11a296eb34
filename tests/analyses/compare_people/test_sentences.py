"""What compare-people says of each matrix."""

from analyses.compare_people.examples import at


def test_each_matrix_has_its_finding_with_the_headline_first(made):
    headlines = [p.text for p in made.card.finding if p.kind == "headline"]
    assert [text.partition(" and ")[0] for text in headlines] == ["run", "table"]
    for name, text in zip(("run", "table"), headlines, strict=True):
        tau = at(made, "kendall_tau", matrix=name)
        assert f"agree with τ = {tau.value:.2f}" in text and "on 6 groups" in text
    said = " ".join(p.text for p in made.card.finding)
    assert "A significant positive relation" in said
    assert "All 5 templates are averaged; none was chosen." in said
    assert "Closest to people: " in said
