"""What a form says of its outcomes is read, and which code each person is shown."""

import pytest

from support.survey.browsing import TEXTS
from tiltmeter.core.errors import BadItems
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.outcomes import OUTCOMES
from tiltmeter.survey.persons import code_shown


def a_form(outcomes):
    return form_of(f"{TEXTS}\n{outcomes}")


def test_a_form_that_says_nothing_gives_a_code_to_those_who_finish_alone():
    form = a_form("")
    codes = {o: code_shown(form, o, secret="s", person="ann") for o in OUTCOMES}
    assert [outcome for outcome, code in codes.items() if code] == ["finished"]


def test_every_declared_outcome_has_a_code_of_the_form_or_of_the_person():
    tables = "".join(f"[outcomes.{o}]\n" for o in OUTCOMES if o != "full")
    form = a_form(f'{tables}[outcomes.full]\ncode = "C1"')
    codes = {o: code_shown(form, o, secret="s", person="ann") for o in OUTCOMES}
    assert codes["full"] == "C1" and len({*codes.values()}) == len(OUTCOMES)
    assert codes["stopped"] != code_shown(form, "stopped", secret="s", person="ben")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('[outcomes.gone]\ncode = "1"', "unknown key 'gone'"),
        ('[outcomes.full]\nurl = "http://a.b"', "that begins with https://"),
        ("[outcomes.timed_out]\nminutes = -1", "minutes is -1"),
        ("[outcomes.failed_checks]\nafter = 0", "after is 0"),
        (
            "[pay]\namount = 2.00\n[outcomes.finished]\npay = 1.50",
            r"pays 1.50 USD for finishing, and \[pay\] promises 2.00",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(table, message):
    with pytest.raises(BadItems, match=message):
        a_form(table)


@pytest.mark.parametrize(
    ("table", "address"),
    [
        (
            'template = "prolific"\nfinished = { code = "C1A" }',
            "https://app.prolific.com/submissions/complete?cc=C1A",
        ),
        (
            'template = "sona"\nfinished = { url = "https://x.sona-systems.com/w.aspx?survey_code={id}" }',
            "https://x.sona-systems.com/w.aspx?survey_code=77",
        ),
        (
            'template = "cloudresearch"\nfinished = { url = "https://connect.example/complete/abc" }',
            "https://connect.example/complete/abc",
        ),
        ('template = "mturk"', ""),
        ('template = "none"\nfinished = { code = "C1A" }', ""),
    ],
)
def test_a_template_sends_people_where_the_panel_expects_them(table, address):
    outcomes = a_form(f"[outcomes]\n{table}").outcomes
    code = outcomes.finished.code or "OWN"
    assert outcomes.address("finished", code=code, platform_id="77") == address
    assert outcomes.address("full", code=code, platform_id="77") == ""


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('template = "prolific"', "finished has no code: Prolific knows only"),
        ('template = "prolific"\nfinished.code = "A"\n[outcomes.full]', "full has no code"),
        ('template = "cloudresearch"', "finished has no code: Connect knows only"),
        ('template = "sona"', "finished has no {id} in its url"),
        ('template = "qualtrics"', '"prolific" or "cloudresearch"'),
    ],
)
def test_what_a_panel_could_do_nothing_with_is_refused(table, message):
    with pytest.raises(BadItems, match=message):
        a_form(f"[outcomes]\n{table}")
