"""survey check, items, accept: what is wrong with a form, its items, and which of them are accepted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, say_file
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.cli.survey.database import FilesFolder
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.answer_options import ChoiceOptions
from tiltmeter.core.reading.options import READING_STUDY, Encoding, Option
from tiltmeter.core.text import counted, json_line
from tiltmeter.run.run_options import RunOptions

if TYPE_CHECKING:
    from tiltmeter.survey.acceptance.acceptance import Acceptance
    from tiltmeter.survey.form import Form


def check(
    form: Annotated[str | None, Option(
        "A form file or a built-in form; all of these by default.", argument=True)] = None,
    *,
    items: Annotated[Path | None, Option("Table of items, a row each, to check with the form.")] = None,
    show: Annotated[bool, Option("Print a built-in form's file.")] = False,
    encoding: Encoding = "",
    as_json: Json = False,
) -> None:  # fmt: skip
    """Check a form file and show what it asks; without a form, list the built-in ones."""
    from tiltmeter.survey.form_file import built_in, form_text, read_form, with_items

    if form is None:
        forms = [read_form(name) for name in built_in()]
        if as_json:
            print_json({"forms": [_form_as_object(built) for built in forms]})
            return
        for built in forms:
            languages = ", ".join(built.languages)
            out.print(f"{built.name}: {built.title[built.languages[0]]} ({languages})")
        return
    if show:
        text = form_text(form)  # of the package: nothing foreign
        typer.echo(text, nl=False)
        return
    read = read_form(form, encoding=encoding)
    read = with_items(read, items, encoding=encoding) if items else read
    if as_json:
        print_json(_form_as_object(read))
    else:
        _print_form(read)


def _form_as_object(form: "Form") -> dict[str, object]:
    from tiltmeter.survey.consent.board_questions import board_questions, unwritten
    from tiltmeter.survey.consent.study_size import quota_mismatches, study_size
    from tiltmeter.survey.languages.form_languages import language_reports
    from tiltmeter.survey.statements.order_statement import order_states

    size = study_size(form)
    return {
        "name": form.name, "version": form.version, "languages": list(form.languages),
        "sha256": form.sha256, "source": form.source,
        "pages": [
            {"name": page.name, "part": page.part,
             "questions": [{"name": q.name, "kind": q.kind} for q in page.questions]}
            for page in form.pages
        ],
        "items": len(form.items), "each": form.sampling.each, "votes": form.sampling.votes,
        "quotas": dict(form.sampling.quotas), "quota_mismatches": [*quota_mismatches(form)],
        "order": {state.what: state.state for state in order_states(form)},
        "checks": [check.kind for check in form.checks],
        "translations": [asdict(report) for report in language_reports(form)],
        "size": asdict(size) | {"pay": None if size.pay is None else str(size.pay)},
        "unwritten": list(unwritten(form)),
        "sliders_without_traits": list(form.sliders_without_traits),
        "board_questions": [asdict(question) for question in board_questions(form)],
    }  # fmt: skip


def _print_form(form: "Form") -> None:
    from tiltmeter.survey.consent.study_size import quota_mismatches
    from tiltmeter.survey.statements.order_statement import order_sentence

    out.print(f"{form.name}, version {form.version}: {form.title[form.languages[0]]}")
    out.print(f"  languages: {', '.join(form.languages)}")
    for page in form.pages:
        kinds = Counter(question.kind for question in page.questions)
        questions = ", ".join(counted(n, f"{kind} questions") for kind, n in kinds.items())
        out.print(f"  page {page.name} ({page.part}): {questions}")
    items = Counter(item.kind for item in form.items)
    shown = ", ".join(
        f"{n} {kind}" for kind, n in items.items() if kind != "real" or len(items) > 1
    )
    out.print(f"  items: {shown or len(form.items) or 'none'}")
    sampling = form.sampling
    out.print(f"  each person gets: {sampling.each or 'all'}")
    if sampling.quotas:
        wanted = ", ".join(f"{stratum} {count}" for stratum, count in sampling.quotas.items())
        out.print(f"  people per item by {sampling.stratum or 'stratum'}: {wanted}")
    if sampling.votes or not sampling.quotas:
        out.print(f"  people per item: {sampling.votes or 'no limit'}")
    for question, cells in sampling.people.items():
        wanted = ", ".join(f"{answer} {count}" for answer, count in cells.items())
        out.print(f"  people in all by {question}: {wanted}")
    if orders := order_sentence(form):
        out.print(f"  order: {orders}")
    if tests := "; ".join(_tests_of_care(form)):
        out.print(f"  tests: {tests}")
    if form.demographics.questions:
        how = "linked" if form.demographics.linked else "not linked"
        out.print(
            f"  demographics: {counted(len(form.demographics.questions), 'questions')}, {how}"
        )
    _print_size(form)
    for mismatch in quota_mismatches(form):
        out.print(f"  does not add up: {mismatch}")
    _print_board_questions(form)
    _print_gaps(form)


def _tests_of_care(form: "Form") -> Iterator[str]:
    """What tests whether people read and agree with themselves."""
    if asked := len(form.comprehension.questions):
        attempts = counted(form.comprehension.attempts, "attempts")
        yield f"{counted(asked, 'questions')} about the instructions ({attempts})"
    for check in form.checks:
        yield f"{check.kind} after item {check.after}"
    among = [
        question.name for page in form.pages for question in page.questions if question.is_test
    ]
    if among:
        yield f"attention among the questions ({', '.join(among)})"
    if repeat := form.repeat:
        yield f"{repeat.items} repeated ({repeat.rule}, at least {repeat.at_least:g})"


def _print_size(form: "Form") -> None:
    """How many people the design needs, and what they cost."""
    from tiltmeter.survey.consent.study_size import study_size

    size = study_size(form)
    if size.people is None:
        return
    needed = [f"{counted(size.people, 'people')} who finish"]
    if size.time:
        needed.append(f"{size.time} of their time")
    if size.pay is not None:
        needed.append(f"{size.pay:,.2f} {size.currency} without bonuses and a panel's fees")
    out.print(f"  takes: {', '.join(needed)}")


def _print_board_questions(form: "Form") -> None:
    """What a review board will ask and does not find in the form."""
    from tiltmeter.survey.consent.board_questions import board_questions, unwritten

    if todo := unwritten(form):
        out.print(f"Still to be written (TODO): {', '.join(todo)}")
    if questions := board_questions(form):
        out.print("A review board will ask what the form does not say:")
        width = max(len(question.key) for question in questions)
        for question in questions:
            out.print(f"  {question.key:{width}}  {question.question}")


def _print_gaps(form: "Form") -> None:
    """What is missing in which language, and what no native speaker has read."""
    from tiltmeter.survey.consent.board_questions import unwritten
    from tiltmeter.survey.languages.form_languages import language_reports, unread_note

    reports = language_reports(form)
    for report in reports:
        for gap in report.gaps():
            out.print(f"{report.language}: {gap}.")
        if report.missing_words:
            way = f"`tiltmeter survey words {report.language} --to words-{report.language}.toml`"
            out.print(f"{way} writes them to be translated.")
    if not any(report.gaps() for report in reports) and not unwritten(form):
        out.print("No text is missing.")
    if note := unread_note(form):
        err.print(note)
    if names := form.sliders_without_traits:
        err.print(
            f'Not named "left - right": {", ".join(names)}. Ratings are compared with a model, and between '
            "languages, by the two traits in a slider’s name."
        )


def new(to: Annotated[Path, Option("Form file to write: .toml.", argument=True)]) -> None:
    """Write a form to start from, with everything that a review board asks about."""
    from importlib.resources import files

    from tiltmeter.run.files.output_files import write_text

    if to.suffix.lower() != ".toml":
        raise BadInput(f"{to.name!r} is no form file", "give a name that ends in .toml")
    if to.exists():
        raise BadInput("exists already", "give another name", file=str(to))
    text = (files("tiltmeter.survey") / "templates" / "new_form.toml").read_text("utf-8")
    write_text(to, text)
    say_file(to)
    err.print(f"Replace each TODO, then: tiltmeter survey check {to}", style="dim")


def words(
    language: Annotated[str, Option("Language code, such as ar, pt-BR or zh-Hant.", argument=True)],
    *,
    form: Annotated[
        str,
        Option(
            "Form file or built-in form whose own words take precedence over the built-in ones."
        ),
    ] = "",
    to: Annotated[Path | None, Option("File to write: .toml (default: print it).")] = None,
    encoding: Encoding = "",
) -> None:
    """Write the words of buttons and notes in a language, to be translated: TOML for a form."""
    from tiltmeter.core.reading.typed_values import reader
    from tiltmeter.run.files.output_files import write_text
    from tiltmeter.survey.form_file import read_form
    from tiltmeter.survey.languages.interface_words import ENGLISH, missing_words
    from tiltmeter.survey.languages.language_codes import LanguageCode
    from tiltmeter.survey.languages.words_file import words_file

    try:
        reader(LanguageCode)(language)
    except ValueError as error:
        raise BadInput(f"LANGUAGE {error}", getattr(error, "way_out", "")) from None
    own = read_form(form, encoding=encoding).words if form else {}
    text = words_file(language, own)
    if to is None:
        typer.echo(text, nl=False)
    else:
        write_text(to, text)
        say_file(to)
    missing = missing_words(language, own)
    err.print(f"Translated: {len(ENGLISH) - len(missing)} of {len(ENGLISH)}.", style="dim")


def items(
    source: Annotated[str, Option(
        "Pairs or triples: a data set’s name, a file, or sample:STUDY.", argument=True)],
    to: Annotated[Path, Option("Table to write: .csv.", argument=True)] = Path("items.csv"),
    *,
    study: Annotated[str | None, READING_STUDY] = None,
    limit: Annotated[int, Option("Use a random sample of this many items (default: all).", min=0)] = 0,
    seed: Annotated[int, Option("Seed of the draw and of the order of candidates.", min=0)] = 0,
    reading: Annotated[RunOptions, only("columns", "encoding", "missing")],
    skip_invalid: Annotated[bool, Option("Leave out invalid items.")] = False,
) -> None:  # fmt: skip
    """Write pairs or triples of a data set as items of the form that validates them."""
    from tiltmeter.run.files.output_files import write_text
    from tiltmeter.run.planning.data_source import load_source
    from tiltmeter.run.planning.run_plan import study_named
    from tiltmeter.survey.acceptance.items_of_data import items_of_data
    from tiltmeter.survey.formats.cells import as_csv

    data = load_source(
        source,
        study=study_named(study) if study else None,
        columns=reading.columns,
        skip_invalid=skip_invalid,
        encoding=reading.encoding,
        missing=reading.missing,
    )
    form, rows = items_of_data(data.items, limit, seed)
    write_text(to, as_csv([*rows[0]], rows))
    say_file(to)
    err.print(f"Ask people: tiltmeter survey serve {form} --items {to}", style="dim")


def accept(
    export: Annotated[
        Path, Option("Folder of `survey export`: form.toml, items.csv, answers.csv.", argument=True)
    ] = Path("export"),
    *,
    needed: Annotated[int | None, Option(
        "Votes that an item needs (default: 3 of 6 people, the writer counted, for a pair; 3 of 5 on each "
        "label for a triple).", min=1)] = None,
    to: FilesFolder = Path("accepted"),
    choice: ChoiceOptions,
    encoding: Encoding = "",
    as_json: Json = False,
) -> None:  # fmt: skip
    """Accept written pairs or triples by the votes of those who validated them.

    Pairs: three of six people, the writer counted, find it valid in one order and minimally distant.
    Triples: three of five agree on each label. What is accepted is a file for `tiltmeter run`.
    """
    from tiltmeter.data.files.chosen_answers import chosen_answers
    from tiltmeter.derived.people.answer_choice import choice_of
    from tiltmeter.run.files.output_files import write_files
    from tiltmeter.survey.acceptance.acceptance import acceptance, read_export
    from tiltmeter.survey.formats.cells import as_csv

    judged = whole = acceptance(*read_export(export, encoding=encoding), needed)
    wanted = choice_of(choice, encoding=encoding)
    with chosen_answers(wanted) as choosing:
        judged = acceptance(*read_export(export, encoding=encoding), needed)
    left_out = choosing.summary if wanted.leaves_out else ""
    files = {}
    if judged.accepted:  # no CSV: a model is to see each sentence exactly as it is
        files[f"{judged.kind}.jsonl"] = "".join(json_line(row) for row in judged.accepted)
    if judged.rejected:
        files["rejected.csv"] = as_csv([*judged.rejected[0]], judged.rejected)
    if judged.verdicts:
        files["verdicts.csv"] = as_csv([*judged.verdicts[0]], judged.verdicts)
    write_files(to, files)
    if as_json:
        further = {"left_out": left_out, "accepted_of_all": len(whole.accepted)} if left_out else {}
        print_json(_accepted_as_object(judged) | further)
    else:
        _print_accepted(judged)
        if left_out:
            out.print(f"{left_out} With all answers, {len(whole.accepted)} would be accepted.")
    if choosing.bots_counted:
        err.print(choosing.bots_counted)
    for name in files:
        say_file(to / name)
    if judged.accepted and not as_json:
        command = f"tiltmeter run {judged.study} MODEL --data {to / judged.kind}.jsonl"
        err.print(f"Score them: {command}", style="dim")


def _accepted_as_object(judged: "Acceptance") -> dict[str, object]:
    return {
        "kind": judged.kind, "items": len(judged.accepted) + len(judged.rejected),
        "needed": judged.needed,
        "accepted": len(judged.accepted), "accepted_at_random": judged.chance,
        "average_majority": judged.agreement, "why": judged.why,
        "people": {str(n): items for n, items in judged.people.items()},
        "rejected": [dict(row) for row in judged.rejected], "reasons": dict(judged.reasons),
    }  # fmt: skip


def _print_accepted(judged: "Acceptance") -> None:
    every = len(judged.accepted) + len(judged.rejected)
    share = f"{100 * len(judged.accepted) / every:.1f} %" if every else "none to judge"
    votes = counted(judged.needed, "votes")
    out.print(
        f"{len(judged.accepted)} of {every} {judged.kind} accepted ({share}), by {votes} or more"
    )
    out.print(f"at random, {100 * judged.chance:.1f} % would be accepted")
    if judged.agreement is None:
        out.print(f"agreement: undefined ({judged.why})")
    else:
        what = "on whether a pair is valid" if judged.kind == "pairs" else "on each label"
        out.print(f"agreement {what}: {judged.agreement:.1f} % (average majority)")
    people = ", ".join(f"{items} by {n}" for n, items in judged.people.items())
    out.print(f"people who validated: {people}")
    for why, count in judged.reasons.most_common():
        out.print(f"rejected, {count}: {why}")
