"""survey board: leaderboards with hidden labels."""

import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_table, say_file
from tiltmeter.cli.survey.database import USUAL_DATABASE, Database, FilesFolder, opened_database
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.core.reading.options import Option
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.survey.boards.standings import BoardRow
    from tiltmeter.survey.boards.store import BoardSummary

BoardName = Annotated[str, Option("Name of the board.", metavar="NAME", argument=True)]


def create(
    name: BoardName,
    *,
    labels: Annotated[Path, Option("Contexts with labels: StereoSet's layout, or a table of triples.")],
    publish_part: Annotated[bool, Option(
        "Publish 25% of the target terms with labels; hide the rest.")] = False,
    split_seed: Annotated[int, Option("Seed for choosing these terms.", min=0)] = 0,
    per_day: Annotated[int, Option("Scored submissions of a submitter per day (UTC).", min=1)] = 3,
    max_models: Annotated[int, Option("Models that a submitter may name.", min=1)] = 5,
    seconds: Annotated[float, Option(
        "Time limit for the check of a submission.", min=1, max=3600)] = 60.0,
    database: Database = USUAL_DATABASE,
) -> None:  # fmt: skip
    """Make a board from a file with labels. The labels stay in the file: keep it where it is."""
    from importlib.util import find_spec

    from tiltmeter.models import baseline
    from tiltmeter.survey.accounts import COMMAND_LINE
    from tiltmeter.survey.boards.store import FEW_TERMS, BoardSettings, create_board

    lexicon = find_spec("vaderSentiment") is not None
    names = [name for name in baseline.NAMES if lexicon or name != "sentiment"]
    seed = split_seed if publish_part else None
    settings = BoardSettings(str(labels), seed, per_day=per_day, models=max_models, seconds=seconds)
    with opened_database(database, make=True) as store:
        made = create_board(
            store, name, settings, actor=COMMAND_LINE, baselines=[*map(baseline.load, names)]
        )
    out.print(
        f"The board {name} is open: {counted(made.contexts, 'contexts')} about "
        f"{counted(made.terms, 'target terms')}, "
        f"{per_day} submissions per day. Baselines: {', '.join(names)}."
    )
    if not lexicon:
        err.print("The baseline sentiment needs the extra [analysis].")
    if made.terms < FEW_TERMS:
        err.print(
            "With so few target terms a single context may move the scores and reveal its label. "
            f"Hide at least {FEW_TERMS} terms."
        )
    if made.random_ids:
        err.print("The file's ids would reveal labels: sentences have new ids in the contexts.")
    where = "" if database == USUAL_DATABASE else f" --database {shlex.quote(database)}"
    err.print(f"Next: tiltmeter survey board export-contexts {name}{where}", style="dim")


def export_contexts(
    name: BoardName, *, to: FilesFolder = Path(), database: Database = USUAL_DATABASE
) -> None:
    """Write what submitters need: contexts without labels, and the development part if there is one."""
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.output_files import write_text

    prepare(to, "--out")
    from tiltmeter.survey.boards.store import board_files

    with opened_database(database) as store:
        files = store.read(board_files, name)
    for file, text in files.items():
        write_text(to / f"{name}-{file}", text)
        say_file(to / f"{name}-{file}")


def submit(
    name: BoardName,
    file: Annotated[Path, Option("Predictions, in StereoSet's layout (JSON).", argument=True)],
    *,
    submitter: Annotated[str, Option("Who submits them.", name="as", metavar="SUBMITTER")],
    model: Annotated[str, Option("Their name for the model: its row in the standings.")],
    receipt: Annotated[Path | None, Option("File for the signed receipt.")] = None,
    database: Database = USUAL_DATABASE,
    as_json: Json = False,
) -> None:
    """Check and score a file of predictions; one with faults does not count."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.run.files.output_files import check_file, write_text

    if receipt is not None:
        check_file(receipt)
    from tiltmeter.survey.boards.receipts import receipt_text
    from tiltmeter.survey.boards.store import opened_board

    if not file.is_file():
        raise BadInput(
            "there is no such file", way_to_file(file, "name a prediction file"), file=str(file)
        )
    with opened_database(database) as store:
        made = opened_board(store, name).submit(submitter, model, file)
    text = receipt_text(made)
    if receipt is not None:
        write_text(receipt, text)
    if as_json:
        typer.echo(text, nl=False)
        return
    moved = "new" if made.moved else "as before: no improvement by a standard error"
    out.print(f"{model} of {submitter} on {name} ({moved}): {_listed(made.scores)}")
    if receipt is not None:
        say_file(receipt)


def list_(
    name: Annotated[str, Option("Show its standings.", metavar="NAME", argument=True)] = "",
    *,
    csv: Annotated[Path | None, Option("File for the standings as a table.")] = None,
    database: Database = USUAL_DATABASE,
    as_json: Json = False,
) -> None:
    """List the boards, or the standings of one."""
    from tiltmeter.run.files.output_files import check_file, write_text

    if csv is not None:
        check_file(csv)
    from tiltmeter.survey.boards.standings import standings_csv
    from tiltmeter.survey.boards.store import board_rows, boards

    with opened_database(database) as store:
        if not name:
            _print_boards(store.read(boards), as_json=as_json)
            return
        rows = board_rows(store, name)
    if csv is not None:
        write_text(csv, standings_csv(rows))
        say_file(csv)
    elif as_json:
        print_json({"board": name, "standings": [row.cells() for row in rows]})
    else:
        _print_standings(rows)


def verify(
    receipt: Annotated[Path, Option("A receipt, as a submitter downloaded it.", argument=True)],
    *,
    file: Annotated[Path | None, Option("Also check that it is about these predictions.")] = None,
    database: Database = USUAL_DATABASE,
) -> None:
    """Check that a board of this database issued a receipt, and that nothing in it was changed."""
    import hashlib

    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.files.plain_text import lines
    from tiltmeter.survey.boards.receipts import read_receipt
    from tiltmeter.survey.boards.receipts import verify as is_genuine
    from tiltmeter.survey.boards.store import opened_board

    issued = read_receipt("".join(lines(receipt, "")), file=receipt.name)
    with opened_database(database) as store:
        key = opened_board(store, issued.board).key
    if not is_genuine(issued, key):
        why = f"the board {issued.board!r} of this database did not issue it, or it was changed"
        raise BadInput(why, "ask for the file as it was downloaded", file=receipt.name)
    if file is not None and not file.is_file():
        raise BadInput(
            "there is no such file", way_to_file(file, "name a prediction file"), file=str(file)
        )
    if file is not None and hashlib.sha256(file.read_bytes()).hexdigest() != issued.digest:
        raise BadInput("the receipt is about another file", "name that file", file=str(file))
    whose = f"{issued.model} of {issued.submitter} on {issued.board}, {issued.at.date()}"
    out.print(f"genuine: {whose}: {_listed(issued.scores)}")


def close(name: BoardName, *, database: Database = USUAL_DATABASE) -> None:
    """Close a board: it takes no more submissions, and its standings stay."""
    from tiltmeter.survey.accounts import COMMAND_LINE
    from tiltmeter.survey.boards.store import close_board

    with opened_database(database) as store:
        store.save(close_board, name, actor=COMMAND_LINE)
    out.print(f"The board {name} is closed.")


def _print_standings(rows: "Collection[BoardRow]") -> None:
    """Scores with their 95% intervals, and ranks with their 95% ranges."""

    def cell(row: "BoardRow", name: str) -> str:
        low, high = row.intervals[name]
        return f"{row.scores[name]:.1f} ({low:.0f}–{high:.0f})"

    from tiltmeter.survey.boards.standings import SCORES

    lines = [
        (
            f"{row.rank} ({row.ranks[0]}–{row.ranks[1]})" if row.ranks else "–", row.model,
            row.submitter if row.at else "baseline", *(cell(row, name) for name in SCORES),
        )
        for row in rows
    ]  # fmt: skip
    print_table(("rank", "model", "submitter", *SCORES), lines, {"rank", *SCORES})
    err.print("Scores in %. In parentheses: 95% intervals, and 95% ranges of ranks.", style="dim")
    if not any(row.at for row in rows):
        err.print("No submissions yet.", style="dim")


def _print_boards(boards: "list[BoardSummary]", *, as_json: bool) -> None:
    if as_json:
        listed = [
            {
                "name": board.name, "opened": _day(board.opened), "closed": board.closed is not None,
                "submitters": board.submitters, "submissions": board.submissions,
                "per_day": board.settings.per_day, "labels": board.settings.labels,
            }
            for board in boards
        ]  # fmt: skip
        print_json({"boards": listed})
        return

    for board in boards:
        state = "closed" if board.closed else f"open since {_day(board.opened)}"
        who = counted(board.submitters, "submitters")
        out.print(f"{board.name}: {state}; {who}, {counted(board.submissions, 'submissions')}")
    if not boards:
        err.print("No boards yet: tiltmeter survey board create NAME --labels FILE", style="dim")


def _day(milliseconds: int) -> str:
    from tiltmeter.survey.keys import date_of

    return str(date_of(milliseconds).date())


def _listed(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in scores.items())
