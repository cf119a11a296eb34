"""active live: a survey whose next item is chosen by a strategy."""

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.active.encoders.encoder_training import EncoderTrainingOptions
from tiltmeter.active.settings import EVERY, LiveSettings
from tiltmeter.cli.console import err, out, print_path
from tiltmeter.cli.heartbeats import heartbeat
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.cli.survey.database import USUAL_DATABASE, Database, ServerOptions
from tiltmeter.core.reading.options import Encoding, Option, Seed
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.active.live import LiveRound
    from tiltmeter.active.live_plan import LivePlan
    from tiltmeter.survey.form import Form
    from tiltmeter.survey.store import SurveyStore
PAUSE = 0.5
"""Seconds between two looks at the answers."""


def live(  # noqa: PLR0913 the command line’s own options
    form: Annotated[str, Option(
        "A form file or a built-in form, such as label_text.", metavar="STUDY", argument=True)],
    *,
    items: Annotated[Path | None, Option("Table of items with the columns id and text.")] = None,
    strategy: Annotated[str, Option("Query strategy.")] = "daal",
    settings: Annotated[
            LiveSettings, only("budget", "entropy_items", "votes_each", "encoder", "pooling", "predictor",
            "entropy_predictor", EncoderTrainingOptions)
        ],
    every: Annotated[int | None, EVERY] = None,
    test_items: Annotated[int, Option(
        "Items on which the model is evaluated; their votes are not part of the budget.", min=0)] = 50,
    per_person: Annotated[int | None, Option(
        "Items per person, 0 for all (default: as the form says).", min=0)] = None,
    database: Database = USUAL_DATABASE,
    out_folder: Annotated[Path, Option("Folder for the runs.", name="out")] = Path("active"),
    server: ServerOptions,
    end: Annotated[bool, Option("End the round with the votes collected so far.")] = False,
    encoding: Encoding = "",
    seed: Seed = 0,
) -> None:  # fmt: skip
    """Ask people to label the items that a strategy picks. After a stop, it continues."""
    from tiltmeter.active.live import LiveRound
    from tiltmeter.active.live_plan import check_live
    from tiltmeter.active.predictor_settings import settled
    from tiltmeter.cli.survey.web import open_form, read_items
    from tiltmeter.survey.store import SurveyStore
    from tiltmeter.survey.web.app import survey_app
    from tiltmeter.survey.web.serving import served

    read = read_items(form, items, encoding)
    if per_person is not None:
        read = replace(read, sampling=replace(read.sampling, each=per_person))
    settings = settled(settings, every)
    check_live(strategy, settings)
    plan = _plan(read, strategy, settings, test_items, seed)
    round_ = LiveRound(plan, out_folder / f"{read.name}-live")
    if round_.files.is_finished:
        out.print(f"{read.name}: this round is finished")
        print_path(round_.folder)
        return
    with SurveyStore(database) as store:
        study = open_form(store, read, "")
        _look(round_, store, study, read)
        if end:
            _finish(round_, read, "ended early")
            return
        app = survey_app(store, study, signed=server.signed, order=round_)
        with served(app, server.host, server.port) as address:
            out.print(f"{read.name}: {address}/")
            heartbeat.rest()
            err.print("Stop with Ctrl+C; the same command continues.", style="dim")
            _until_over(round_, store, study, read)
            _finish(round_, read, round_.end)
            err.print("The survey stays open for those who are still answering.", style="dim")
            with suppress(KeyboardInterrupt):
                while True:
                    time.sleep(PAUSE)


def _plan(
    form: "Form", strategy: str, settings: LiveSettings, test_items: int, seed: int
) -> "LivePlan":
    """What the round is about.

    Raises:
        BadInput: The form allows an item fewer votes than are needed, or has too few items.
    """
    from tiltmeter.active.encoders.features import run_features
    from tiltmeter.active.live_plan import LivePlan
    from tiltmeter.core.errors import BadInput
    from tiltmeter.survey.form_file import needed_texts
    from tiltmeter.survey.people_answers import vote_question

    most = form.sampling.votes
    if form.sampling.quotas:
        places = sum(form.sampling.quotas.values())
        most = min(most, places) if most else places
    if most and most < settings.votes_each:
        raise BadInput(
            f"the form allows {most} votes on an item, and {settings.votes_each} are needed on some",
            "raise `votes` under [sampling], or lower --votes-each",
        )
    question = vote_question(form)
    real = [item for item in form.items if item.kind == "real"]
    shown = needed_texts(form)
    texts = tuple("\n\n".join(form.say(item.texts[name]) for name in shown) for item in real)
    labels = tuple(option.value for option in question.options)
    return LivePlan(
        form.name, tuple(item.key for item in real), texts, run_features(texts, settings), labels,
        ordered=False, strategy=strategy, settings=settings, test_items=test_items,
        per_person=form.sampling.each, most_votes=most, seed=seed,
    )  # fmt: skip


def _finish(round_: "LiveRound", form: "Form", why: str) -> None:
    """Measure what was learned, and say why no more is asked."""
    round_.finish()
    out.print(f"{form.name}: {counted(len(round_.bought), 'votes')}; {why}")
    print_path(round_.folder)


def _until_over(round_: "LiveRound", store: "SurveyStore", study: int, form: "Form") -> None:
    """Look at the answers again and again, and say how far it is now and then."""
    text = -1
    while not round_.end:
        time.sleep(PAUSE)
        _look(round_, store, study, form)
        if len(round_.bought) // 50 > text:
            text = len(round_.bought) // 50
            err.print(f"{len(round_.bought)} of {round_.plan.settings.budget} votes")


def _look(round_: "LiveRound", store: "SurveyStore", study: int, form: "Form") -> None:
    """Tell the round what was answered and what is being answered."""
    from tiltmeter.active.live_plan import LiveVote
    from tiltmeter.survey.people_answers import under_way, vote_question, votes_of

    name = vote_question(form).name
    votes, pending = store.read(
        lambda session: (votes_of(session, study, name), under_way(session, study))
    )
    round_.update([LiveVote(*vote) for vote in votes], pending)
