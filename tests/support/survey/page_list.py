"""A form with every kind of page and question, and a visitor who shows each page in turn."""

import re

from support.browsers import follow
from tiltmeter.survey.form_file import form_of

EVERYTHING = """
name = "everything"
title = "@title"
warning = "@warning"
consent = "# One\\n\\n### Two\\n\\n- @consent\\n\\n[More](https://doi.org/10.1)"
instructions = "@instructions"
debriefing = "@debriefing"

[sampling]
familiar = 1

[[checks]]
kind = "name_item"
after = 1
text = "@check"

[demographics]
linked = true
consent = "@linked"
text = "@about"

[[demographics.questions]]
name = "age"
kind = "text"
required = false
text = "@age"

[[pages]]
name = "screening"
part = "screening"
text = "@before"

[[pages.questions]]
name = "adult"
kind = "choice"
text = "@adult"
options = [{ value = "yes", text = "@yes" }, { value = "no", text = "@no" }]

[[pages]]
name = "judge"
part = "item"
show = ["text", "second"]
text = "@page {item}"

[[pages.questions]]
name = "choice"
kind = "choice"
text = "@choice {item}"
options = [{ value = "one", text = "@one" }, { value = "two", text = "@two" }]
[[pages.questions]]
name = "many"
kind = "choice"
several = true
text = "@many"
options = [MANY]
[[pages.questions]]
name = "scale"
kind = "scale"
text = "@scale"
options = ["1", "2", "3", "4", "5"]
[[pages.questions]]
kind = "slider"
text = "@slider"
rows = [{ name = "cold - warm", left = "@cold", right = "@warm" }, { name = "b", left = "@l", right = "@r" }]
[[pages.questions]]
name = "text"
kind = "text"
text = "@text"
[[pages.questions]]
name = "pair"
kind = "pair"
warn_distance = 2
text = "@pair"
[[pages.questions]]
name = "triple"
kind = "triple"
required = false
text = "@triple"

[outcomes.finished]
text = "@completion"
url = "https://platform.test/{code}"

[[items]]
id = "training"
kind = "training"
text = "@training"
second = "@second"
expected = { choice = "one" }
why = "@why"

[[items]]
id = "real"
text = "@item"
second = "@other"

[study]
investigator = "Ann Ruiz"
contact = "ann\\u0040example.org"
minutes = 5
purpose = "@purpose"
risks = "@risks"
"""


def everything(texts=None, *, beside="", many=2):
    """The form.

    Args:
        texts: Maps a number to a text that is put in place of each @name, in order.
        beside: TOML that is added, with @names too.
        many: Options of a question.
    """
    number = iter(range(1000))

    def text(match):
        at = next(number)
        own = texts(at) if texts else f"{match[0][1:]} {at}"
        return "".join(f"\\U{ord(letter):08X}" for letter in own)

    options = ", ".join('"@option"' for _ in range(many))
    return form_of(re.sub(r"@\w+", text, EVERYTHING.replace("MANY", options) + beside))


def everything_in(language, word):
    """The form in one language, with one word and a number in the place of all its texts."""
    text = re.sub("One|Two|More|Ann Ruiz", word, everything(lambda at: f"{word} {at}").text)
    shown = 'show = ["text", "second"]'
    labels = f'{shown}\nlabels = {{ text = "{word}", second = "{word}" }}'
    return form_of(f'languages = ["{language}"]\n{text}'.replace(shown, labels))


FILL = """
(written) => {
  const entered = (field, value) => {
    field.value = value;
    for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  all('textarea').forEach((field, at) => entered(field, written[at]));
  const radios = all('[type=radio]');
  radios.filter((one) => one === radios.find(({ name }) => name === one.name)).forEach((one) => one.click());
  all('fieldset [type=checkbox]:not(:checked)').forEach((box) => box.click());
  all('[type=range]').forEach((slider) => entered(slider, slider.valueAsNumber + 1));
  all('fieldset .typed input').forEach((number) => entered(number, '40'));
}
"""


def fill(tab, written):
    """Answer everything on a page; `written` gives a text for each text field.

    By one script: the pages are what is looked at, and people who type are the business of `keyboard`.
    """
    tab.evaluate(FILL, [written() for _ in range(tab.locator("textarea").count())])


def participant_pages(tab, address, written=lambda: "some words"):
    """Go through the whole survey; gives the name of each page while the browser shows it."""
    tab.goto(f"{address}/")
    yield "welcome"
    follow(tab, "a.button")
    yield from screened(tab)
    follow(tab, "button[value=no]")
    yield "declined"
    follow(tab, "a.button.quiet")
    tab.check("[name=linked]")
    follow(tab, "button[value=yes]")
    yield "instructions"
    follow(tab, "a.button")
    for _ in range(20):
        if tab.locator("#code").count():
            break
        screen = tab.locator("form[data-screen]")
        if not screen.count():
            yield "feedback"
            follow(tab, "a.button")
            continue
        name = screen.get_attribute("data-page")
        yield name
        if name == "judge":
            follow(tab, "footer a[href='/stop']")
            yield "stop"
            follow(tab, "a.button")
            follow(tab, "form button")
            yield "judge, incomplete"
        fill(tab, written)
        yield f"{name}, filled in"
        follow(tab, "form button:not(.quiet)")
    yield "done"
    for path in ("/?invitation=forged", "/consent?passed=forged", "/page/none"):
        tab.goto(address + path)
        yield path
    for how, name in (("keep", "stopped"), ("erase", "withdrew")):
        tab.goto(f"{address}/")
        follow(tab, "a.button")
        for _ in screened(tab):
            pass
        follow(tab, "button[value=yes]")
        tab.goto(f"{address}/stop")
        follow(tab, f"button[value={how}]")
        yield name
    tab.goto(f"{address}/work")
    yield "without a session"


def screened(tab):
    """Answer the questions before the consent; gives the names of these pages and of the consent."""
    follow(tab, "form button")
    yield "screening, incomplete"
    tab.locator("[type=radio]").first.check()
    follow(tab, "form button")
    yield "consent"


def places(form):
    """How many texts the form takes."""
    count = 0

    def counted(number):
        nonlocal count
        count = number + 1
        return f"text {number}"

    form(counted)
    return count


def usable(texts):
    """Those that can be options of a form: without NUL, line breaks, space around them, words in braces."""
    return [
        text
        for text in texts
        if "\0" not in text and [text.strip()] == text.splitlines()
        and not re.search(r"\{[^\W\d]\w*\}", text)
    ]  # fmt: skip
