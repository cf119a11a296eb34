"""Two users, one request: whose reply is better by people who do not know who asked, and who is refused."""

import csv

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.model.protocols import Writes
from tiltmeter.models.fake import FakeWriter
from tiltmeter.report.rows import item_rows
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.first_person.requests import FirstPersonFile, load_first_person
from tiltmeter.studies.first_person.rule import ASKS, PAIR, QUESTIONS
from tiltmeter.studies.first_person.study import STUDY

RACE = "Black and White"
GROUPS = {group.name: group.users for group in FirstPersonFile.named().groups}


class Scripted(FakeWriter):
    """Says what a script says."""

    __slots__ = ("script",)

    def __new__(cls, *_, **__):
        return object.__new__(cls)

    def write(self, requests):
        return [self.script(r.prompt.plain) for r in requests]


def scored(script, **settings):
    model = Scripted("scripted")
    object.__setattr__(model, "script", script)
    chosen = choose(STUDY, (Writes,), model="scripted", settings={"comparisons": RACE, **settings})
    return measure(STUDY, model, load_first_person(settings=chosen.settings), chosen=chosen)


def value(result, name, **groups):
    return next(e for e in result.estimates if e.name == name and e.groups == groups)


def is_black(prompt):
    return any(name in prompt for sex in ("women", "men") for name in GROUPS[f"Black {sex}"])


def more_words(prompt):
    """Black users are greeted by their first name and get a longer reply."""
    first = prompt.split("My name is ")[1].split()[0]
    return Reply(
        f"{first.upper()}, take your time and ask him again." if is_black(prompt) else "No idea."
    )


def answered(path, result, say, people=3, question="better"):
    """Answers of people to what a survey shows of a run."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("person", "item", "question", "kind", "round", "value"))
        for n, row in enumerate(item_rows(result.records).to_polars().to_dicts()):
            for person in range(people):
                said = say(row["reply_1"], row["reply_2"], n + person)
                for name in ("better", "stereotype"):
                    cell = (
                        said if name == question else "neither" if name == "stereotype" else "same"
                    )
                    writer.writerow((f"p{person}", row["id"], name, "choice", 1, cell))
    return str(path)


def longer(first, second, _):
    return "first" if len(first) > len(second) else "second"


def test_people_see_neither_names_nor_pronouns_and_both_orders():
    rows = item_rows(scored(more_words).records).to_polars().to_dicts()
    assert len(rows) == 48
    assert {row["reply_1"] for row in rows} == {
        "[user], take your time and ask them again.",
        "No idea.",
    }
    words = {
        w for row in rows for text in ("request", "reply_1", "reply_2") for w in row[text].split()
    }
    assert words.isdisjoint(
        name for users in GROUPS.values() for user in users for name in user.split()
    )
    orders = {row["order"]: row["reply_1"] == "No idea." for row in rows}
    assert orders == {"1 2": False, "2 1": True}
    sample = item_rows(scored(more_words).records, sample=24).to_polars()["order"].to_list()
    assert 6 <= sample.count("1 2") <= 18


def test_the_difference_is_peoples_and_no_difference_is_an_answer(tmp_path):
    bare = scored(more_words)
    assert any(note.text.startswith("Nobody has judged these replies") for note in bare.card.notes)
    lacking = {"reply_preference", "lowest_preference", "people_preference", "judge_preference"}
    assert {e.name for e in bare.estimates}.isdisjoint(lacking)
    assert bare.headline.name == "refusal_difference" and bare.headline.value == 0
    people = answered(tmp_path / "a.csv", bare, longer)
    judged = scored(more_words, people=people)
    made = value(judged, "reply_preference")
    assert judged.headline == made and not any("Nobody" in n.text for n in judged.card.notes)
    assert (made.value, made.n, made.high) == (100, 48, 100) and 0 < made.low < 100
    people = answered(
        tmp_path / "b.csv", bare, lambda a, b, n: "same" if n % 2 else longer(a, b, n)
    )
    half = scored(more_words, people=people)
    assert value(half, "reply_preference").value == pytest.approx(50)
    assert value(half, "reply_preference", comparison=RACE).value == pytest.approx(50)
    assert value(half, "people_agreement").value == pytest.approx(100 / 3)
    assert value(half, "stereotype_difference").value == 0
    people = answered(tmp_path / "c.csv", bare, lambda *_: "first")  # whoever likes the first place
    assert value(scored(more_words, people=people), "reply_preference").value == 0


def test_refusals_are_an_outcome_with_bounds_and_equal_replies_are_not_compared(tmp_path):
    """Black users are refused a loan, nobody gets advice on tea, all else differs."""

    def script(prompt):
        if "lend me" in prompt and is_black(prompt):
            return Reply("I cannot help with that.")
        return (
            Reply("Here you are.")
            if "poem" in prompt or "derivative" in prompt
            else more_words(prompt)
        )

    bare = scored(script)
    first, second = (value(bare, "refusal_rate", user=user).value for user in ("first", "second"))
    assert (first, second) == (pytest.approx(100 / 24), 0)
    assert value(bare, "refusal_difference").value == pytest.approx(100 / 24)
    assert value(bare, "same_rate").value == pytest.approx(100 / 24)
    assert value(bare, "missing_rate").value == pytest.approx(100 / 24)
    result = scored(script, people=answered(tmp_path / "a.csv", bare, longer))
    assert value(result, "reply_preference").n == 44
    assert value(result, "lowest_preference").value == pytest.approx(100 * (44 - 2) / 46)
    assert value(result, "highest_preference").value == 100


def test_where_everybody_is_refused_no_group_is_treated_like_another():
    refused = value(scored(lambda _: Reply("I cannot help with that.")), "refusal_difference")
    assert (refused.value, refused.why) == (None, "every user is refused")
    half = scored(lambda prompt: Reply("Sorry, I cannot." if "poem" in prompt else "Fine."))
    assert value(half, "refusal_difference").value == 0


def test_only_pairs_that_were_drawn_at_random_count(tmp_path):
    bare = scored(more_words)
    people = answered(tmp_path / "a.csv", bare, longer)
    asked = tmp_path / "asked.jsonl"
    reasons = ("start", "test item", "most uncertain")
    lines = [
        f'{{"item": "{r.item}", "reason": "{reasons[n % 3]}"}}' for n, r in enumerate(bare.records)
    ]
    asked.write_text("\n".join(lines), "utf-8")
    assert value(scored(more_words, people=people, asked=str(asked)), "reply_preference").n == 32
    asked.write_text('{"a": 1}\n', "utf-8")
    with pytest.raises(BadInput, match=r"asked.jsonl.*is no asked.jsonl"):
        scored(more_words, people=people, asked=str(asked))


def test_a_lexicon_helps_as_far_as_it_agrees(tmp_path):
    pytest.importorskip("vaderSentiment")

    def script(prompt):
        return Reply("A great, lovely idea." if is_black(prompt) else "A terrible idea.")

    bare = scored(script)
    people = answered(tmp_path / "a.csv", bare, longer)
    lines = (tmp_path / "a.csv").read_text("utf-8").splitlines()
    (tmp_path / "a.csv").write_text(
        "\n".join(lines[: 1 + 6 * 24]), "utf-8"
    )  # the first 24 of 48 pairs
    result = scored(script, people=people, judge="lexicon")
    assert value(result, "judge_preference").value == value(result, "judge_agreement").value == 100
    assert (
        value(result, "reply_preference").n == 24 and value(result, "reply_preference").value == 100
    )


def test_a_model_is_asked_both_questions_in_both_orders(tmp_path):
    """A judge that always takes the longer reply, and of one pair says what it is not asked."""
    bare = scored(more_words)
    people = answered(tmp_path / "a.csv", bare, longer)
    with (tmp_path / "judge.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("prompt", "reply"))
        for row in item_rows(bare.records).to_polars().to_dicts()[:-1]:
            for name, question in QUESTIONS.items():
                pair = PAIR.format(row["request"], row["reply_1"], row["reply_2"], question)
                better = "1." if len(row["reply_1"]) > len(row["reply_2"]) else "2"
                said = "same" if name == "stereotype" else better
                writer.writerow((ASKS.format(text=pair, labels="1, 2 or same"), said))
        last = item_rows(bare.records).to_polars().to_dicts()[-1]
        for question in QUESTIONS.values():
            pair = PAIR.format(last["request"], last["reply_1"], last["reply_2"], question)
            writer.writerow((ASKS.format(text=pair, labels="1, 2 or same"), "Reply 1 or 2"))
    judge = f"model:replay:{tmp_path / 'judge.csv'}"
    result = scored(more_words, people=people, judge=judge)
    assert value(result, "judge_preference").value == value(result, "judge_agreement").value == 100
    assert (value(result, "judge_preference").n, value(result, "judge_agreement").n) == (47, 3 * 47)
    assert abs(value(result, "judge_position").value) == pytest.approx(100 / 47)
    assert "no answer that can be read to 2 questions" in " ".join(map(str, result.card.notes))
    assert value(result, "reply_preference").value == 100


@pytest.mark.parametrize(
    ("settings", "error", "why"),
    [
        ({"comparisons": "cats and dogs"}, UnknownName, "cats and dogs"),
        ({"max_tokens": "0"}, BadInput, "max_tokens"),
        ({"judge": "oracle"}, UnknownName, "oracle"),
        ({"people": "none.csv"}, BadInput, "none.csv"),
    ],
)
def test_what_cannot_be_used_is_named(settings, error, why):
    with pytest.raises(error, match=why):
        scored(more_words, **settings)


def test_answers_to_another_form_or_run_are_refused(tmp_path):
    bare = scored(more_words)
    path = answered(tmp_path / "a.csv", bare, lambda *_: "left")
    with pytest.raises(BadInput, match="left is no answer to the question better"):
        scored(more_words, people=path)
    text = (tmp_path / "a.csv").read_text("utf-8").replace("/2/", "/9/").replace("left", "same")
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(BadInput, match="nobody judged a pair of this run"):
        scored(more_words, people=path)
