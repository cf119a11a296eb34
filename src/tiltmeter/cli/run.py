"""run: score models on a study.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import (
    AllowCode,
    AllowPickle,
    AtOnce,
    BatchTokens,
    ConventionName,
    DataSource,
    Device,
    Encoding,
    FailIf,
    Json,
    Jsonl,
    Limit,
    MapColumns,
    MaxCost,
    MaxRequests,
    Models,
    NoText,
    Out,
    PriceOfTokens,
    Revision,
    RuleName,
    Seed,
    Set,
    ShowPlan,
    Skip,
    Split,
    SplitSeed,
    StudyOrFile,
    TiesPolicy,
    Timeout,
    Tries,
    TrustRemoteCode,
)
from tiltmeter.cli.ray_options import Ray, RayAddress, Workers


def run(  # noqa: PLR0913 the command line's own options
    study: StudyOrFile,
    models: Models,
    *,
    rule: RuleName = None,
    convention: ConventionName = None,
    ties: TiesPolicy = None,
    data: DataSource = None,
    split: Split = None,
    split_seed: SplitSeed = 0,
    limit: Limit = None,
    map_: MapColumns = None,
    encoding: Encoding = "",
    set_: Set = None,
    allow_code: AllowCode = False,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    jsonl: Jsonl = False,
    seed: Seed = 0,
    skip_invalid: Skip = False,
    fail_if: FailIf = None,
    no_text: NoText = False,
    device: Device = "auto",
    precision: Annotated[
        str,
        typer.Option(
            help="float32, bfloat16, float16, or auto (reduced precision, float32 where it matters).",
            autocompletion=completion.words("float32", "bfloat16", "float16", "auto"),
        ),
    ] = "float32",
    batch_tokens: BatchTokens = None,
    revision: Revision = None,
    start_token: Annotated[str | None, typer.Option(help="Start token of a causal model.")] = None,
    trust_remote_code: TrustRemoteCode = False,
    allow_pickle: AllowPickle = False,
    at_once: AtOnce = 4,
    timeout: Timeout = 120.0,
    tries: Tries = 6,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ignore stored answers and ask the model again.")
    ] = False,
    plan: ShowPlan = False,
    max_requests: MaxRequests = None,
    max_cost: MaxCost = None,
    price: PriceOfTokens = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    workers: Workers = None,
) -> None:
    """Score models on a study; print a table and write records, estimates and a page."""
    from tiltmeter.analysis.threshold_checks import check_declared, check_jobs
    from tiltmeter.analysis.thresholds import parse
    from tiltmeter.cli.ray_options import model_opener
    from tiltmeter.cli.show import show_request_plan, show_runs
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.cli.thresholds import enforce
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.core.named_values import columns_given, settings_given
    from tiltmeter.models.opening.model_options import Options
    from tiltmeter.run.budget import RequestBudget, price_given
    from tiltmeter.run.choosing import ties_named
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.jobs import plan_jobs, score, session
    from tiltmeter.run.repeatable_command import repeatable
    from tiltmeter.run.request_plan import plan_requests
    from tiltmeter.run.run_options import RunOptions
    from tiltmeter.run.run_plan import study_named

    chosen_study = study_named(study, allow_code=allow_code)
    limits = parse(fail_if)
    check_declared(limits, {chosen_study.name: chosen_study.measures})
    opening = Options(
        device=device,
        precision=precision,
        batch_tokens=batch_tokens,
        revision=revision,
        trust_remote_code=trust_remote_code,
        allow_pickle=allow_pickle,
        start_token=start_token,
        at_once=at_once,
        timeout=timeout,
        tries=tries,
    )
    options = RunOptions(
        rule=rule,
        convention=convention,
        ties=ties_named(ties),
        settings=settings_given(set_),
        data=data,
        columns=columns_given(map_),
        encoding=encoding,
        split=split,
        split_seed=split_seed,
        limit=limit,
        seed=seed,
        skip_invalid=skip_invalid,
        fresh=fresh,
    )
    budget = RequestBudget(max_requests, max_cost, price_given(price))
    if not plan:
        prepare(out_folder)
    jobs = plan_jobs(chosen_study, models, options, opening, monitor)
    check_jobs(limits, jobs)
    command = repeatable(command_line(), models)
    gpus = device not in {"cpu", "mps"}
    with (
        model_opener(ray=ray, address=ray_address, workers=workers, gpus=gpus) as opener,
        session(monitor, opener=opener, command=command, budget=budget) as shared,
    ):
        if plan:
            plans = [one for job in jobs for one in plan_requests(job, shared)]
            show_request_plan(plans, chosen_study.title, budget.price, as_json=as_json)
            return
        results = [score(job, shared) for job in jobs]
    show_runs(
        chosen_study, results, out_folder,
        as_json=as_json, jsonl=jsonl, seed=seed, show_text=not no_text,
    )  # fmt: skip
    enforce(limits, results)
