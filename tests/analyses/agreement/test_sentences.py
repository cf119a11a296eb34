"""What is said of the agreement, and of annotators who answer in another way than the others."""

import numpy as np

import tiltmeter as tm


def paragraphs(tmp_path, **answers):
    """What is said of questions that annotators a, b, c … answered, shape (items, annotators)."""
    raters = next(iter(answers.values())).shape[1]
    lines = [",".join(("annotator", "item", *answers))]
    for item in range(len(next(iter(answers.values())))):
        for rater in range(raters):
            row = [f"{table[item, rater]:g}" for table in answers.values()]
            lines.append(",".join(("abcdef"[rater], str(item), *row)))
    (tmp_path / "made.csv").write_text("\n".join(lines), "utf-8")
    result = tm.analyse.agreement(tmp_path / "made.csv", question=tuple(answers))
    return result, [(p.kind, p.text) for p in result.card.finding]


def panel(raters, turned=(), moved=()):
    rng = np.random.default_rng(0)
    table = np.clip(np.round(rng.uniform(1, 5, (80, 1)) + rng.normal(0, 0.5, (80, raters))), 1, 5)
    table[:, list(turned)] = 6 - table[:, list(turned)]
    table[:, list(moved)] += 2
    return table


def test_the_highest_and_the_lowest_question_are_named(tmp_path):
    noise = np.random.default_rng(1).integers(1, 6, (80, 3)).astype(float)
    _, ((_, headline), *_) = paragraphs(tmp_path, clear=panel(3), noise=noise)
    assert headline.startswith("3 annotators, 80 items, 2 questions.")
    assert "highest on clear" in headline and "lowest on noise" in headline


def test_questions_are_not_ranked_on_fewer_than_five_items(tmp_path):
    _, ((_, headline), *_) = paragraphs(tmp_path, clear=panel(3)[:4], other=panel(3)[4:8])
    assert headline == (
        "3 annotators, 4 items, 2 questions. That is too few items to say how far people agree."
    )


def test_a_reversed_scale_is_a_warning_with_its_effect(tmp_path):
    result, said = paragraphs(tmp_path, tone=panel(4, turned=[2]))
    ((_, warning),) = [p for p in said if p[0] == "warning"]
    assert warning.startswith("c uses a reversed scale")
    assert "of items as given" in warning
    assert "c reversed" in warning and "without c" in warning
    rows = {t.name: t.rows for t in result.document().tables() if t.name != "estimates"}
    assert rows["reversed"] == 3 and rows["annotators"] == 4
    assert "labels" not in rows  # a scale, not labels


def test_two_annotators_are_both_marked_and_none_is_blamed(tmp_path):
    result, said = paragraphs(tmp_path, tone=panel(2, turned=[0]))
    warnings = [text for kind, text in said if kind == "warning"]
    assert len(warnings) == 2
    assert all("cannot show who is reversed" in text for text in warnings)
    assert "With and without reversed scales" not in {s.title for s in result.document().sections}


def test_a_shifted_scale_is_named(tmp_path):
    _, said = paragraphs(tmp_path, tone=panel(4, moved=[1]))
    assert ("plain", "Shifted scales: tone (b).") in said


def test_without_a_value_the_reason_is_given(tmp_path):
    result, ((_, headline), *_) = paragraphs(tmp_path, tone=np.ones((5, 2)))
    assert "Agreement is undefined: all ratings are the same" in headline
    table = next(t for t in result.document().tables() if t.name == "questions")
    assert any("α" in note and "all ratings are the same" in note for note in table.notes)


def test_nothing_is_said_of_scales_that_have_no_value(tmp_path):
    _, texts = paragraphs(tmp_path, tone=np.ones((5, 2)))
    assert not any("reversed" in text for _, text in texts)


def test_one_question_with_a_value_is_not_the_highest_and_the_lowest(tmp_path):
    _, ((_, headline), *_) = paragraphs(tmp_path, clear=panel(3), flat=np.ones((80, 3)))
    assert headline.startswith("3 annotators, 80 items, 2 questions. clear has α = ")
    assert headline.endswith("; the others have none.")


def test_a_reason_that_many_rows_share_is_given_once(tmp_path):
    result, _ = paragraphs(tmp_path, a=panel(4)[:2], b=panel(4)[2:4])
    tables = {t.name: t for t in result.document().tables()}
    assert "all 8 rows: r: only 2 items shared with others" in tables["annotators"].notes
    reasons = [note.partition(": ")[2] for note in tables["questions"].notes]
    assert len(reasons) == len(set(reasons))


def test_of_few_answers_it_is_said_that_they_cannot_tell(tmp_path):
    noise = np.random.default_rng(1).integers(1, 6, (4, 4)).astype(float)
    _, said = paragraphs(tmp_path, tone=noise, fits=noise[::-1])
    texts = [text for _, text in said]
    assert not any("scale is reversed" in text for text in texts)
    assert any(text.startswith("Nothing shows whether ") for text in texts)


def test_the_effect_of_several_reversed_scales_is_said_once(tmp_path):
    _, said = paragraphs(tmp_path, tone=panel(6, turned=[0, 4]))
    warnings = [text for kind, text in said if kind == "warning"]
    assert [text[:2] for text in warnings] == ["a ", "e "]
    assert ["of items as given" in text for text in warnings] == [False, True]
