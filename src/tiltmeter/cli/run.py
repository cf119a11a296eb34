"""run: score models on a study."""

from tiltmeter.cli.arguments import FailIf, Models, RunOutput, ShowPlan, StudyOrFile
from tiltmeter.cli.ray_options import RayOptions
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.budget import RequestBudget
from tiltmeter.run.run_options import AllowCode, RunOptions


def run(  # noqa: PLR0913 groups of options
    study: StudyOrFile,
    models: Models,
    *,
    options: RunOptions,
    allow_code: AllowCode = False,
    output: RunOutput,
    fail_if: FailIf = (),
    opening: Options,
    plan: ShowPlan = False,
    budget: RequestBudget,
    workers: RayOptions,
) -> None:
    """Score models on a study; print a table and write records, estimates and a page."""
    from tiltmeter.analysis.threshold_checks import check_declared, check_jobs
    from tiltmeter.analysis.thresholds import parse
    from tiltmeter.cli.ray_options import model_opener
    from tiltmeter.cli.show import show_request_plan, show_runs
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.cli.thresholds import enforce
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.jobs import plan_jobs, score, session
    from tiltmeter.run.repeatable_command import repeatable
    from tiltmeter.run.request_plan import plan_requests
    from tiltmeter.run.run_plan import study_named

    chosen_study = study_named(study, allow_code=allow_code)
    limits = parse(fail_if)
    check_declared(limits, {chosen_study.name: chosen_study.measures})
    if not plan:
        prepare(output.folder)
    jobs = plan_jobs(chosen_study, models, options, opening, monitor)
    check_jobs(limits, jobs)
    command = repeatable(command_line(), models)
    with (
        model_opener(workers, gpus=opening.device not in {"cpu", "mps"}) as opener,
        session(monitor, opener=opener, command=command, budget=budget) as shared,
    ):
        if plan:
            plans = [planned for job in jobs for planned in plan_requests(job, shared)]
            show_request_plan(plans, chosen_study.title, budget.price, as_json=output.as_json)
            return
        results = [score(job, shared) for job in jobs]
    show_runs(chosen_study, results, output, seed=options.seed)
    enforce(limits, results)
