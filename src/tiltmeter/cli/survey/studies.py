"""survey: forms, and what people answered."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, say_file
from tiltmeter.cli.survey.database import (
    Database,
    FilesFolder,
    NewStudy,
    StudyName,
    collected_study,
    opened_database,
)
from tiltmeter.core.reading.options import Encoding, Option
from tiltmeter.core.text import counted, verb_for

if TYPE_CHECKING:
    from tiltmeter.survey.form import Sampling

Kind = Annotated[
    Literal["csv", "label-studio", "potato"], Option("csv, label-studio or potato.", name="format")
]


def status(
    study: StudyName = "", *, database: Database = "survey.db", as_json: Json = False
) -> None:
    """How many people and answers a study has, and which items are still short of people."""
    from tiltmeter.survey.leaving import time_out_people
    from tiltmeter.survey.places import filled_places
    from tiltmeter.survey.studies import form_of_study, study_named, study_status

    with opened_database(database) as store:
        number = store.read(study_named, study)
        store.save(time_out_people, number)
        status_of_study = store.read(study_status, number)
        sampling = store.read(form_of_study, number).sampling
        places = store.read(filled_places, number)
    if as_json:
        print_json(
            {
                "study": status_of_study.name, "form_sha256": status_of_study.form_sha256,
                "closed": status_of_study.closed is not None, "people": dict(status_of_study.people),
                "erased": status_of_study.erased, "answers": status_of_study.answers,
                "done": {place.item: place.people for place in places},
                "bots": status_of_study.bots, "identities": status_of_study.identities,
                "waiting": status_of_study.waiting,
            }
        )  # fmt: skip
        return
    people = (
        ", ".join(
            f"{n} {outcome.replace('_', ' ')}"
            for outcome, n in sorted(status_of_study.people.items())
        )
        or "nobody yet"
    )
    out.print(f"{status_of_study.name}: {'closed' if status_of_study.closed else 'open'}")
    out.print(f"  people: {people}")
    if status_of_study.erased:
        out.print(f"  people erased: {status_of_study.erased}")
    out.print(f"  answers: {status_of_study.answers}")
    short = sum(place.is_short(sampling) for place in places)
    state = f"{short} with {_what_is_open(sampling)}" if short else "all complete"
    out.print(f"  items: {len(places)}, {state}")
    out.print(f"  platform ids stored: {status_of_study.identities}")
    if status_of_study.bots:
        out.print(f"  not counted: {counted(status_of_study.bots, 'bots')}")


def _what_is_open(sampling: "Sampling") -> str:
    """What an item has that still needs people."""
    if sampling.quotas and not sampling.votes:
        return "an open quota"
    wanted = f"{sampling.votes} people" if sampling.votes else "one person"
    return f"fewer than {wanted}" + (" or an open quota" if sampling.quotas else "")


def export(
    study: StudyName = "",
    *,
    database: Database = "survey.db",
    to: FilesFolder = Path("export"),
    format_: Kind = "csv",
    exact_times: Annotated[
        bool, Option("Times to the millisecond instead of days; they may identify people.")
    ] = False,
    bots: Annotated[bool, Option("Keep the answers of bots, which have the mark bot.")] = False,
    overwrite: Annotated[
        bool, Option("Replace the export of another study in the folder.")
    ] = False,
) -> None:
    """Run the checks, and write answers, marks, data statement and datasheet into a folder."""
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.output_files import write_files

    prepare(to, "--out")
    with opened_database(database) as store:
        from tiltmeter.survey.accounts import COMMAND_LINE
        from tiltmeter.survey.formats.answer_files import (
            check_same_study,
            export_files,
            note_export,
        )

        collected = collected_study(store, study, bots=bots)
        if not overwrite:
            check_same_study(collected, to)
        store.save(note_export, collected.name, format_, actor=COMMAND_LINE)
        from tiltmeter.survey.formats.tables import tables_without_rows

    files = export_files(collected, format_, exact_times=exact_times)
    write_files(to, files)
    for name in files:
        say_file(to / name)
    # of an earlier export of this study: it would be taken for a part of this one, or outlive an erasure
    for name in tables_without_rows(collected) if format_ == "csv" else ():
        if (to / name).is_file():
            (to / name).unlink()
            err.print(f"Removed {to / name} of an earlier export: this one has no rows for it.")
    if collected.bots_left_out:
        err.print(
            f"Left out: {counted(collected.bots_left_out, 'bots')} (--bots keeps them, marked)."
        )


def import_(
    file: Annotated[Path, Option(
        "Folder of `survey export`; or answers, ratings, or another program's export.", argument=True)],
    *,
    form: Annotated[str | None, Option(
        "Form file or built-in form of these answers, if they are not a folder of `survey export`.")] = None,
    items: Annotated[Path | None, Option("Table of items, if they are not in the form.")] = None,
    study: NewStudy = "",
    database: Database = "survey.db",
    format_: Kind = "csv",
    encoding: Encoding = "",
) -> None:  # fmt: skip
    """Store answers that were collected elsewhere; what is stored already is left as it is.

    A folder of `survey export` is stored whole: people, answers, times on pages, demographics and outcomes.
    """
    from tiltmeter.core.errors import BadInput
    from tiltmeter.survey.form_file import read_form, with_items
    from tiltmeter.survey.formats.answer_files import left_out, read_item_answers
    from tiltmeter.survey.formats.own_export import is_own_export

    if is_own_export(file):
        if form or items or format_ != "csv":
            reason = "the folder of an export has its own form and items"
            raise BadInput(reason, "leave out --form, --items and --format", file=str(file))
        _import_export(file, study, database, encoding)
        return
    if not form:
        reason = "nothing says to which form these answers belong"
        raise BadInput(
            reason, "give it with --form, or give the folder of an export", file=str(file)
        )
    read = read_form(form, encoding="")
    read = with_items(read, items, encoding=encoding) if items else read
    answers_read = read_item_answers(file, read, format_, encoding=encoding)
    with opened_database(database, make=True) as store:
        from tiltmeter.survey.accounts import COMMAND_LINE, note_action
        from tiltmeter.survey.formats.item_answers import import_item_answers
        from tiltmeter.survey.studies import open_study

        name = study or read.name
        number = store.save(open_study, read, name=name)
        done = store.save(
            import_item_answers, study=number, form=read, answers=answers_read, platform=format_
        )
        store.save(note_action, actor=COMMAND_LINE, action="import answers", detail=name)
    _print_stored(done.answers, done.people, database)
    others = left_out(file, read, format_, encoding=encoding)
    if others:
        rows = counted(sum(others.values()), "rows")
        listed = ", ".join(f"{question} {count:,}" for question, count in others.items())
        err.print(f"Not stored: {rows} that are no answers about items ({listed}).")
    err.print("Checks, demographics, languages and groups of people are not imported.")
    if is_own_export(file.parent):
        err.print(
            f"All of it is in {file.parent}: tiltmeter survey import {file.parent}", style="dim"
        )


def _import_export(folder: Path, study: str, database: str, encoding: str) -> None:
    with opened_database(database, make=True) as store:
        from tiltmeter.survey.accounts import COMMAND_LINE, note_action
        from tiltmeter.survey.formats.own_export import import_export

        done = store.save(import_export, folder, name=study, encoding=encoding)
        if done.is_new:
            store.save(note_action, actor=COMMAND_LINE, action="import export", detail=done.study)
    if done.is_new:
        _print_stored(done.answers, done.people, database)
    else:
        out.print(
            f"The study {done.study} in {database} has these people already: nothing was stored"
        )
    for note in done.notes:
        err.print(note)


def _print_stored(answers: int, people: int, database: str) -> None:
    given, whose = counted(answers, "answers"), counted(people, "people")
    out.print(f"{given} of {whose} {verb_for(answers, 'are')} stored in {database}")
