"""run and score: models on studies, and on single sentences."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from tiltmeter.cli import arguments
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.core.reading.options import Option
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.asking.budget import RequestBudget
from tiltmeter.run.run_options import AllowCode, RunOptions


def run(  # noqa: PLR0913 groups of options
    study: arguments.StudyOrFiles,
    models: arguments.Models = (),
    *,
    names: arguments.ModelNames = (),
    options: RunOptions,
    allow_code: AllowCode = False,
    output: arguments.RunOutput,
    fail_if: arguments.FailIf = (),
    opening: Options,
    plan: arguments.ShowPlan = False,
    budget: RequestBudget,
    workers: arguments.RayOptions,
) -> None:
    """Score models on a study; a TOML file lists several of both.

    It prints a table, and writes records, estimates and a page for each model.
    With a TOML file of studies and models, each model is scored on each study;
    --plan shows what would be scored. After a stop, the same command continues.
    """
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce, show_request_plan, show_runs
    from tiltmeter.cli.sweep import SWEEP_FILE, refuse_beside_file, run_file
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.model.model_names import names_given
    from tiltmeter.derived.audits.threshold_checks import check_compared, check_jobs
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.run.asking.request_plan import plan_requests
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import plan_jobs, score, session
    from tiltmeter.run.measuring.imported_scores import result_of_data
    from tiltmeter.run.measuring.measure import all_measures
    from tiltmeter.run.planning.run_plan import study_named

    if study.endswith(SWEEP_FILE):
        refuse_beside_file(
            study, models, options, opening, budget,
            allow_code=allow_code, everything=output.everything, named=bool(names),
        )  # fmt: skip
        run_file(
            Path(study), output, fail_if=fail_if, plan=plan, fresh=options.fresh, workers=workers
        )
        return
    chosen_study = study_named(study, allow_code=allow_code)
    limits = parse(fail_if)
    check_compared(limits, chosen_study, all_measures(chosen_study), models=len(models))
    budget.check_price(planned=plan)
    if not plan:
        prepare(output.folder)
    command = repeatable(command_line(), models)
    if not models:
        names_given(names, ())  # for its error
        results = [result_of_data(chosen_study, options, monitor, command=command)]
        enforce(limits, show_runs(chosen_study, results, output, seed=options.seed))
        return
    jobs = plan_jobs(chosen_study, models, options, opening, monitor, names=names)
    check_jobs(limits, jobs)
    with (
        arguments.model_opener(workers, gpus=opening.device not in {"cpu", "mps"}) as opener,
        session(monitor, opener=opener, command=command, budget=budget) as shared,
    ):
        if plan:
            plans = [planned for job in jobs for planned in plan_requests(job, shared)]
            show_request_plan(plans, chosen_study.title, budget.price, as_json=output.as_json)
            return
        results = [score(job, shared) for job in jobs]
    enforce(limits, show_runs(chosen_study, results, output, seed=options.seed))


WAY_OUT = "Change the sentences, or score each by itself: --rule pll_all, or log_likelihood."


def score(
    model: arguments.Model,
    sentences: Annotated[
        list[str] | None,
        Option(
            "One sentence or more; two are compared.",
            metavar="SENTENCE…",
            argument=True,
            may_be_empty=True,
        ),
    ] = None,
    *,
    file: Annotated[Path | None, Option("Text file of sentences, one a line.")] = None,
    options: Annotated[RunOptions, only("rule", "encoding", "seed", "fresh")],
    opening: Annotated[
        Options,
        only(
            "device",
            "precision",
            "trust_remote_code",
            "allow_pickle",
            "revision",
            "start_token",
            "tokenizer",
        ),
    ],
    as_json: arguments.Json = False,
) -> None:
    """Score sentences; of two, show which tokens make the difference."""
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import BadInput, BadItems
    from tiltmeter.core.reading.file_names import is_file, similar_paths
    from tiltmeter.data.files.plain_text import lines
    from tiltmeter.report.documents.scores import scores_document, scores_value
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.measuring.scored_items import items_of_sentences, score_only

    if sentences and file:
        raise BadInput("there are sentences and a file of sentences", "give one or the other")
    if options.encoding and not file:
        raise BadInput("--encoding has no effect without a file of sentences", "add --file")
    texts = [line.strip() for line in lines(file, options.encoding)] if file else sentences or []
    texts = [text for text in texts if text] if file else texts
    if len(texts) == 1 and not file and is_file(texts[0]):
        raise BadInput(f"{texts[0]} is a file, not a sentence", "give it with --file")
    if len(texts) == 1 and not file and Path(texts[0]).suffix and " " not in texts[0]:
        near = similar_paths(texts[0])
        if near:
            way_out = f"did you mean --file {near[0]}?"
            raise BadInput(f"{texts[0]} is neither a sentence nor a file", way_out)
    study, items = items_of_sentences(texts, options.rule)
    options = replace(options, data=items, encoding="")
    try:
        scored = score_only(study, model, options, opening, monitor, per_token=True)
    except BadItems as error:
        raise BadItems(error.problems, way_out=WAY_OUT) from error
    if as_json:
        print_json(scores_value(scored))
    else:
        print_document(scores_document(scored), out)
