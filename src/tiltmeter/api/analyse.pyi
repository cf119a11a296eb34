"""All analyses as functions. In `tests`, `python -m goldens.of_analyse --write` writes this file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from tiltmeter.api.analysis_calls import AnalysisInput
from tiltmeter.api.items import Table
from tiltmeter.api.results import RunResult
from tiltmeter.run.monitor import Monitor

def active_report(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    against: str = "passive",
    convention: str = "baumler2023",
    queries: int = 20,
    all_queries: bool = False,
    seed: int = 0,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Compare strategies: votes to a target, learning curves, queries, verdicts on a paper’s claims.

    A ratio of 1.25 means that the other strategy needs 25 % more votes, or this one 20 % fewer.

    What it does not show: How strategies would do with another model, other items or other people.

    Source: Baumler, Sotnikova and Daumé 2023, doi:10.18653/v1/2023.findings-acl.658.

    >>> import tiltmeter as tm
    >>> tm.analyse.active_report("baumler2023_curves").headline
    <saving_strategies: 0, n 0>

    Args:
        *inputs: Run folders, a folder of them, or published learning curves (baumler2023_curves);
            several, or one list. A table in memory stands for a file.
        against: Strategy to compare the others with.
        convention: Paper whose claims are judged.
        queries: Queries per strategy to list on the page.
        all_queries: Keep every query, in records.parquet and queries.csv.
        seed: Seed of bootstraps and random masks.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `saving_strategies`: Strategies that save votes
        - `borne_out`: Claims borne out
        - `votes`: Votes to the target
        - `ratio`: Votes of the other strategy for each vote of this one, neutral value 1
        - `not_reached`: Resamples in which the target is not reached, in %, 0 to 100
        - `target_loss`: Loss of the target, in nats
        - `baseline_ratio`: Votes of a baseline for each vote of the strategy, by the paper’s rule,
            neutral value 1
        - `mean_loss_difference`: Difference in mean loss, in nats, neutral value 0
        - `mean_loss_difference_items`: Difference in mean loss, in nats, neutral value 0
        - `macro_f1_difference`: Difference in mean macro-F1, neutral value 0
        - `full_data_loss`: Loss after training on every vote, in nats
        - `noise_floor`: Noise floor, in nats
        - `asked_again`: Asked again
        - `f_ent_above_h`: f_ent > H
        - `asked_again_growth`: Asked again, change, neutral value 0
        - `f_ent_above_h_growth`: f_ent > H, change, neutral value 0
        - `f_ent_skill`: Skill of f_ent, neutral value 0
        - `f_ent_correlation`: Correlation of f_ent with the entropy of all votes
        - `f_ent_mse`: Mean squared error of f_ent, in nats²
        - `disagreement`: Probability that two votes on an item differ

    Raises:
        TiltmeterError: As the command line.
    """

def agreement(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    question: str | Sequence[str] = (),
    annotator: str = "",
    item_column: str = "",
    columns: Mapping[str, str] = ...,
    annotators: str | Sequence[str] = (),
    level: Literal["nominal", "ordinal", "interval", "ratio"] | None = None,
    agree: int | None = None,
    scale: str | None = None,
    categories: str | Sequence[str] = (),
    order: str | Sequence[str] = (),
    fold_case: bool = False,
    judge: str | Sequence[str] = (),
    epsilon: float = 0.1,
    text_column: str = "",
    by: str | Sequence[str | Sequence[str]] = (),
    encoding: str = "",
    missing: str | None = None,
    seed: int = 0,
    without: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    participants: str | Path | Table | None = None,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Agreement of annotators: percent, α, κ, Gwet's AC; reversed scales, true labels, judges.

    What it does not show: Marks do not show why answers differ, and nothing was deleted. Annotators who
    agree can share an error.

    >>> import polars as pl, tiltmeter as tm
    >>> answers = pl.DataFrame({
    ...     "item": ["a", "a", "b", "b", "c", "c", "d", "d"],
    ...     "annotator": ["ann", "bob"] * 4,
    ...     "tone": [1, 1, 2, 2, 4, 5, 5, 5],
    ... })
    >>> tm.analyse.agreement(answers, question="tone").estimate("alpha", question="tone")
    <alpha of question tone: 0.9103 (0.08666 to 0.9998), n 4>

    Args:
        *inputs: A table with a row per annotator and item, or single ratings as for compare-people;
            several, or one list. A table in memory stands for a file.
        question: Column of answers; several in a list.
        annotator: Column of annotators (default annotator).
        item_column: Column of items (default item).
        columns: The column of your answers, or the question of an export, for a field; COLUMN:OLD=NEW,…
            maps its values.
        annotators: Columns with the answers of one annotator each, separated by commas.
        level: Level of all questions (default: words and two numbers are nominal, up to ten numbers
            ordinal, more an interval scale).
        agree: How many answers of a panel must be equal for m-of-n agreement (default: more than half).
        scale: Scale of the answers: of single ratings (default 0:100), or whole numbers such as 1:5.
        categories: All possible answers, separated by commas, for all questions or for one; several in
            a list. Changes AC where nobody chose one of them.
        order: All answers from low to high, separated by commas: they become ordinal; several in a
            list.
        fold_case: Count labels that differ only in case or spaces as one.
        judge: A judge to be compared with the people: an annotator of the table, a file with its
            answers, or model:MODEL, classifier:MODEL and the like, which is asked about text_column;
            several in a list.
        epsilon: How much worse than an annotator a judge may be, as a share of items: .2 for experts,
            .15 for skilled people, .1 for crowds.
        text_column: Column with the text of each item, for judges that read it.
        by: Also report agreement within and between the groups of annotators in this column; several in
            a list. COLUMN,COLUMN crosses columns.
        encoding: File encoding (default UTF-8).
        missing: Words for missing values, separated by commas (default: NA, N/A, None, null and
            others).
        seed: Seed of bootstraps and random masks.
        without: Leave out answers with these marks (a survey's checks), separated by commas; the main
            numbers are also given for all answers.
        only: Only answers with any of these marks.
        participants: Table of people, with a column person or annotator: only their answers count. Its
            marks are theirs: annotators_overall.csv of agreement has some.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `lowest_alpha`: Lowest Krippendorff’s α of a question
        - `all_agree`: All annotators agree, in %, 0 to 100
        - `m_of_n_agree`: m annotators agree, in %, 0 to 100
        - `pairs_agree`: Two annotators agree, in %, 0 to 100
        - `alpha`: Krippendorff’s α, −1 to 1
        - `kappa`: Fleiss’ κ, −1 to 1
        - `gwet`: Gwet’s AC, −1 to 1
        - `answer_pairs`: Pairs of answers to the same item
        - `panel`: Answers of a full panel
        - `m`: Equal answers for m-of-n agreement
        - `annotators_marked`: Annotators by mark
        - `answers_r`: Correlation with the others, over all answers, −1 to 1
        - `random_noticed`: Probability that random answers, as many, would be marked as unrelated, in
            %, 0 to 100
        - `answers_shift`: Shift from the others, over all answers, in per cent of the range, in %, −100
            to 100
        - `same_answer`: Answers to all items that are one and the same
        - `equal_answers`: Common answers that are all equal to another annotator’s
        - `pace`: Time beside the usual time on the same items
        - `scale_r`: Correlation with the mean of the others, −1 to 1
        - `scale_slope`: Slope on the mean of the others
        - `scale_shift`: Shift from the others
        - `alpha_without`: α without this annotator
        - `accuracy`: Accuracy against the estimated true labels, in %, 0 to 100
        - `given_share`: Share of answers with this label, in %, 0 to 100
        - `true_share`: Share of items whose true label is estimated to be this one, in %, 0 to 100
        - `winning_rate`: Winning rate of the judge (ω)
        - `advantage_probability`: Advantage probability of the judge (ρ), 0 to 1
        - `judge_as_good`: Judge at least as good, in %, 0 to 100
        - `annotator_as_good`: Annotator at least as good, in %, 0 to 100
        - `annotator_less_judge`: Advantage of the annotator minus that of the judge, in points
        - `judge_accuracy`: Answers that the judge gives too, in %, 0 to 100
        - `judge_sensitivity`: Sensitivity of the judge, in %, 0 to 100
        - `judge_specificity`: Specificity of the judge, in %, 0 to 100
        - `group_people`: People
        - `between_agree`: Agreement between people of two groups, in %, 0 to 100
        - `between_kappa`: κx between two groups, −1 to 1
        - `judge_agrees`: Agreement of the judge with the group, in %, 0 to 100
        - `judge_agrees_more`: Agreement of the judge with the group minus that with everybody else, in
            points

    Raises:
        TiltmeterError: As the command line.
    """

def annotations(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    convention: Literal["harmonised", "sotnikova2021"] = "harmonised",
    seed: int = 0,
    without: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    participants: str | Path | Table | None = None,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Judgments of generated hypotheses: shares by domain and group, agreement, reversed scales.

    What it does not show: The published judgments are those of four authors of one paper; other people
    would judge otherwise. Whether something is a stereotype was left to each annotator.

    Source: Sotnikova et al. 2021, doi:10.18653/v1/2021.findings-acl.355.

    >>> import polars as pl, tiltmeter as tm
    >>> judged = pl.DataFrame([
    ...     {"ID": f"SNLI{n}", "Premise": "A man needs help.", "Hypothesis": f"He is number {n}.",
    ...      "Annotator ID": f"Annotator {who}", "Valid": 1, "Plausible": 1, "Identity": 1 if n % 2 else 5,
    ...      "Situtation": 1, "Neg(1)-Pos(5)": 3, "Stereotype": 5, "Anti-stereotype?": 5}
    ...     for n in range(6) for who in (1, 2)
    ... ])
    >>> tm.analyse.annotations(judged).headline
    <not_valid_or_not_plausible: 0 % (0 to 39.03), n 12>

    Args:
        *inputs: Files in the published layout, or answers.csv of a survey with the form inference7
            (default: the published ones); several, or one list. A table in memory stands for a file.
        convention: harmonised (one scale, all judgments) or sotnikova2021 (codes as published, one
            judgment per hypothesis).
        seed: Seed of bootstraps and random masks.
        without: Leave out answers with these marks (a survey's checks), separated by commas; the main
            numbers are also given for all answers.
        only: Only answers with any of these marks.
        participants: Table of people, with a column person or annotator: only their answers count. Its
            marks are theirs: annotators_overall.csv of agreement has some.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `not_valid_or_not_plausible`: Not valid or not plausible, in %, 0 to 100
        - `based_on_identity`: Based on identity, in %, 0 to 100
        - `based_on_the_situation`: Based on the situation, in %, 0 to 100
        - `identity_without_situation`: Identity without situation, in %, 0 to 100
        - `stereotype_yes_or_maybe`: Stereotype, yes or maybe, in %, 0 to 100
        - `stereotype_yes`: Stereotype, yes, in %, 0 to 100
        - `negative`: Negative, in %, 0 to 100
        - `neutral`: Neutral, in %, 0 to 100
        - `positive`: Positive, in %, 0 to 100
        - `negative_of_those_not_neutral`: Negative, of those not neutral, in %, 0 to 100
        - `all_four`: All four agree, in %, 0 to 100
        - `three`: Three answers drawn at random are equal, in %, 0 to 100
        - `pair`: Two answers drawn at random are equal, in %, 0 to 100
        - `alpha`: Krippendorff’s α of the five ordered codes
        - `ac1`: Gwet’s AC1 of the three answers
        - `scale_r`: Correlation with the mean of the others

    Raises:
        TiltmeterError: As the command line.
    """

def before_after(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    after: str | Path | Sequence[str | Path] = (),
    studies: str | None = None,
    data: str | Sequence[str] = (),
    rule: str | Sequence[str] = (),
    settings: str | Sequence[str] = (),
    limit: int | None = None,
    t_test: bool = False,
    margin: str | Sequence[str] = (),
    seed: int = 0,
    skip_invalid: bool = False,
    fresh: bool = False,
    study_file: str | None = None,
    allow_code: bool = False,
    device: str = "auto",
    precision: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
    batch_tokens: int | None = None,
    trust_remote_code: bool = False,
    allow_pickle: bool = False,
    at_once: int = 4,
    timeout: float = 120.0,
    tries: int = 6,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Compare a model before and after: what moved closer to neutral or farther away, and the cost.

    Both models were asked about the same items, by the same rules. Closer and farther describe the
    distance to the neutral value, whatever the sign of the change. A significant change means that the
    value moved; that it also moved closer is as certain only where both values are clearly on one side.
    Crossed: now on the other side of the neutral value.

    What it does not show: That the model does less harm. A measure that is closer to neutral describes
    that measure only; others, and what people meet in use, may be unchanged or worse. No significant
    change does not mean no change.

    >>> import tiltmeter as tm
    >>> before, after = (tm.run("starter_pairs", model) for model in ("fake", "fake:masked"))
    >>> tm.analyse.before_after(before, after).estimate("stereotype_rate_difference")
    <stereotype_rate_difference: 0 percentage points (-1.403 to 1.403), n 270>

    Args:
        *inputs: Run folders of a model before and after, in any order; or with studies, two models;
            several, or one list. A table in memory stands for a file.
        after: A run of the model after the change; all others count as before.
        studies: Run both models on these studies first, separated by commas.
        data: With studies: the data for a study.
        rule: With studies: the rule for a study.
        settings: With studies: a setting of a study.
        limit: With studies: a random sample of this many items.
        t_test: Also run the t-test of Elsafoury 2023, which treats groups as samples.
        margin: Largest difference that counts as equivalent: 2 (points), 2% (of the reference),
            MEASURE=2 or MEASURE=2%; several in a list.
        seed: Seed of bootstraps and random masks.
        skip_invalid: Leave out items that cannot be scored, and list them.
        fresh: Ignore stored answers and ask the model again.
        study_file: The Python file that the study of the runs was read from; needs allow_code.
        allow_code: Run the code of the Python file that has the study.
        device: Device: auto, cpu, cuda, cuda:1, mps.
        precision: auto (float32 where it fits into free memory), float32, bfloat16, float16.
        batch_tokens: Tokens in a forward pass; limits memory use.
        trust_remote_code: Run Python code that comes with the model.
        allow_pickle: Load weights that are not safetensors.
        at_once: Concurrent requests to a server.
        timeout: Seconds to wait for a server's answer.
        tries: Attempts for a request to a server.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `closer_studies`: Studies closer to neutral over all items
        - `changed_cells`: Cells of a matrix that changed significantly
        - `elsafoury2023_t`: t of the groups’ scores before and after, as independent samples, neutral
            value 0

    Raises:
        TiltmeterError: As the command line.
    """

def compare_people(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    people: str | Path | Table = ...,
    scale: str = "0:100",
    columns: Mapping[str, str] = ...,
    pilot: str | Sequence[str] | None = None,
    with_pilot: bool = False,
    k: int = 3,
    by: str | Sequence[str | Sequence[str]] = (),
    group: str | Sequence[str] = (),
    alias: Mapping[str, str] = ...,
    middle: float = 0.0,
    encoding: str = "",
    missing: str | None = None,
    seed: int = 0,
    without: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    participants: str | Path | Table | None = None,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Compare groups × traits with what people say: Kendall's τ, precision at k, a noise ceiling.

    People were asked, of each group, which of two opposite traits it is nearer to, on a scale from the
    left trait to the right one. A matrix has a number for the same question. Kendall’s τ compares the
    two orders: 1 is the same, 0 no relation, −1 the opposite. Only orders are compared, so the two need
    no common unit.

    What it does not show: Agreement with people is not a virtue: it means that both have the same
    stereotypes. A low τ may mean a matrix without them, or one that was asked in a way that does not
    bring them out. These are the answers of these people, at their time and place.

    Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92.

    >>> import polars as pl, tiltmeter as tm
    >>> cells = [(g, p) for g in ("nurse", "pilot", "judge") for p in ("cold - warm", "poor - wealthy")]
    >>> people = pl.DataFrame([
    ...     {"annotator": who, "group": group, "pair": pair, "rating": 10 * n + shift}
    ...     for who, shift in (("ann", 0), ("bob", 5), ("cem", 9)) for n, (group, pair) in enumerate(cells)
    ... ])
    >>> matrix = pl.DataFrame([{"group": g, "pair": p, "value": n % 4} for n, (g, p) in enumerate(cells)])
    >>> tm.analyse.compare_people(matrix, people=people, pilot=()).headline
    <kendall_tau: 0.2148 (-1 to 1), p 0.5588, n 6>

    Args:
        *inputs: A run folder with a matrix, or a table: group, pair, value, or wide. Several are shown
            side by side; several, or one list. A table in memory stands for a file.
        people: us_stereotypes, or a file: single ratings or means, JSON or a table.
        scale: Rating scale of the people's file.
        columns: The column of your answers, or the question of an export, for a field; COLUMN:OLD=NEW,…
            maps its values.
        pilot: Groups on which templates are chosen, separated by commas, or none (default: Asian,
            Black, Hispanic, immigrant).
        with_pilot: Report on the pilot groups too, as the paper does, though templates were chosen on
            them.
        k: Pairs at either end for precision at k.
        by: Also report agreement and means for each value of this column about annotators; several in a
            list. COLUMN,COLUMN crosses columns.
        group: Also print this group's profile: top and bottom traits of people and of each matrix;
            several in a list.
        alias: Two names of one group, pair or trait; several in a list.
        middle: Neutral value of MATRIX tables.
        encoding: File encoding (default UTF-8).
        missing: Words for missing values, separated by commas (default: NA, N/A, None, null and
            others).
        seed: Seed of bootstraps and random masks.
        without: Leave out answers with these marks (a survey's checks), separated by commas; the main
            numbers are also given for all answers.
        only: Only answers with any of these marks.
        participants: Table of people, with a column person or annotator: only their answers count. Its
            marks are theirs: annotators_overall.csv of agreement has some.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `aligned_matrices`: Matrices in significant positive agreement with people
        - `kendall_tau`: Kendall’s τ, all cells, −1 to 1, neutral value 0
        - `mean_kendall_tau`: Kendall’s τ, mean over groups, −1 to 1, neutral value 0
        - `precision_at_3`: Precision at 3, 0 to 1, neutral value 0.5
        - `precision_at_3_top`: Precision of the 3 highest, 0 to 1
        - `precision_at_3_bottom`: Precision of the 3 lowest, 0 to 1
        - `own_less_other_groups`: Kendall’s τ, own ratings minus other groups’, −2 to 2, neutral value
            0
        - `raters`: People who rated
        - `pilot_kendall_tau`: Kendall’s τ of the chosen templates on the pilot groups
        - `tried_templates`: Single templates and pairs of templates tried on the pilot
        - `kendall_tau_split_half`: Halves of the people: τ, all cells, −1 to 1, neutral value 0
        - `kendall_tau_reachable`: Very many people (estimated): τ, all cells, −1 to 1, neutral value 0
        - `mean_kendall_tau_split_half`: Halves of the people: τ, mean over groups, −1 to 1, neutral
            value 0
        - `mean_kendall_tau_reachable`: Very many people (estimated): τ, mean over groups, −1 to 1,
            neutral value 0
        - `mean_kendall_tau_one_person`: One person and the others: τ, mean over groups, −1 to 1,
            neutral value 0
        - `precision_at_3_split_half`: Halves of the people: P@3, 0 to 1, neutral value 0.5
        - `precision_at_3_one_person`: One person and the others: P@3, 0 to 1, neutral value 0.5
        - `kendall_tau_one_person`: One person and the others: τ, all cells, −1 to 1, neutral value 0
        - `kendall_tau_difference`: Difference of τ, all cells, −2 to 2, neutral value 0
        - `mean_kendall_tau_difference`: Difference of τ, mean over groups, −2 to 2, neutral value 0
        - `precision_at_3_difference`: Difference of precision at 3, −1 to 1, neutral value 0
        - `kendall_tau_between`: Kendall’s τ between the two, all cells, −1 to 1, neutral value 0
        - `mean_kendall_tau_between`: Kendall’s τ between the two, mean over groups, −1 to 1, neutral
            value 0

    Raises:
        TiltmeterError: As the command line.
    """

def correlate(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    table: str | Path | Table | Sequence[str | Path | Table] = (),
    published: str | Sequence[str] = (),
    over: Literal["models", "groups", "cells"] = "models",
    measure: str | Sequence[str] = (),
    between: bool = False,
    axis: str | Sequence[str] = (),
    alias: Mapping[str, str] = ...,
    reliability: Mapping[str, float] = ...,
    family: Mapping[str, str] = ...,
    method: Literal["pearson", "spearman"] = "pearson",
    encoding: str = "",
    missing: str | None = None,
    study_file: str | None = None,
    allow_code: bool = False,
    seed: int = 0,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Correlate measures over models, groups or cells: exact tests, intervals and statistical power.

    A correlation says how closely two measures agree on which points are high and low: 1 is perfect
    agreement, 0 no relation, −1 perfect disagreement.

    What it does not show: That one measure causes the other, or that both measure the same thing.

    >>> import polars as pl, tiltmeter as tm
    >>> measures = pl.DataFrame({"model": [*"abcde"], "bias": [1, 2, 3, 4, 5], "error": [2, 1, 4, 3, 5]})
    >>> tm.analyse.correlate(table=measures).estimate("spearman", x="bias", y="error")
    <spearman of x bias, y error: 0.8, p (Holm) 0.1333, n 5>

    Args:
        *inputs: Run folders of any studies; several, or one list. A table in memory stands for a file.
        table: Other numbers: one row per point (columns `model`, `group`), one column per measure.
        published: A published table: elsafoury2023_sos, elsafoury2023_f1, …
        over: What the points are: models, groups, or each group of each model.
        measure: The estimate to use from each run: NAME or NAME:AXIS=VALUE (default: the headline).
            Each one given is a measure.
        between: Only correlate measures of different sources: studies, files, published tables.
        axis: Over groups and cells: the axis of the runs, `category` for each study’s kinds of bias,
            `a,b` for intersections; of several, the first that a run has (default: `category` for
            several studies, else the one that shares most with the other sources).
        alias: Another name of a model or group, as used in another source.
        reliability: A measure's reliability, if known from elsewhere.
        family: Family of a model, if its name does not show it; models of one family are not
            independent.
        method: Which correlation is shown first.
        encoding: File encoding (default UTF-8).
        missing: Words for missing values, separated by commas (default: NA, N/A, None, null and
            others).
        study_file: The Python file that the study of the runs was read from; needs allow_code.
        allow_code: Run the code of the Python file that has the study.
        seed: Seed of bootstraps and random masks.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `significant_pairs`: Pairs of measures that correlate significantly
        - `pearson`: Pearson’s r, neutral value 0
        - `spearman`: Spearman’s ρ, neutral value 0
        - `kendall`: Kendall’s τ-b, −1 to 1, neutral value 0
        - `pearson_corrected`: Pearson’s r without the noise of both measures, neutral value 0
        - `reliability`: Split-half reliability

    Raises:
        TiltmeterError: As the command line.
    """

def data_check(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    study: str | None = None,
    columns: Mapping[str, str] = ...,
    encoding: str = "",
    missing: str | None = None,
    reference: str | Path | Table | None = None,
    sentiment: str = "lexicon",
    sentiment_label: str | Sequence[str] = (),
    device: str = "auto",
    revision: str | None = None,
    allow_pickle: bool = False,
    item: str | Sequence[str] = (),
    show_text: bool = False,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Describe a data set: composition, checks, and annotations, if any.

    What it does not show: Checks find forms that often go with mistakes, not mistakes; counts do not
    show how good an item is.

    >>> import tiltmeter as tm
    >>> tm.analyse.data_check("sample:sos").headline
    <items: 36, n 36>

    Args:
        *inputs: A data set's name, a file, or sample:STUDY; several, or one list. A table in memory
            stands for a file.
        study: The study that reads the data (default: one that knows their layout).
        columns: The column of your file for a field of the study; COLUMN:OLD=NEW,… maps its values.
        encoding: File encoding (default UTF-8).
        missing: Words for missing values, separated by commas (default: NA, N/A, None, null and
            others).
        reference: Word frequencies to compare keywords with: word, count.
        sentiment: What judges the sentiment of triples: lexicon (VADER), or classifier:MODEL.
        sentiment_label: With a classifier: the class of a label (positive, neutral, negative); several
            in a list.
        device: Device: auto, cpu, cuda, cuda:1, mps.
        revision: Hub branch, tag or commit.
        allow_pickle: Load weights that are not safetensors.
        item: Also list this item; several in a list.
        show_text: Also show the sentences.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `items`: Items, 0 or more
        - `share`: Share of all items, in %, 0 to 100
        - `flagged`: Pairs flagged by the checks, in %, 0 to 100
        - `marked`: Pairs that a check marks
        - `agreement_named`: Agreement on naming a bias type, in %, 0 to 100
        - `agreement_type`: Agreement on which bias type, in %, 0 to 100
        - `alpha_type`: Krippendorff’s α on which bias type
        - `chance_of_acceptance`: Accepted if everybody answered at random, in %, 0 to 100
        - `annotated`: Pairs by annotations
        - `people`: Writers and annotators
        - `distant`: Pairs that differ in more than 13 characters, in %, 0 to 100
        - `terms`: Target terms
        - `words`: Words of a candidate with its context
        - `odd`: Contexts of an unusual form
        - `positive`: Positive sentences, in %, 0 to 100
        - `neutral`: Neutral sentences, in %, 0 to 100
        - `negative`: Negative sentences, in %, 0 to 100
        - `not_negative`: Sentences that are positive or neutral, in %, 0 to 100
        - `positive_difference`: Stereotypes minus anti-stereotypes that are positive, in percentage
            points, −100 to 100, neutral value 0
        - `neutral_difference`: Stereotypes minus anti-stereotypes that are neutral, in percentage
            points, −100 to 100, neutral value 0
        - `negative_difference`: Stereotypes minus anti-stereotypes that are negative, in percentage
            points, −100 to 100, neutral value 0
        - `agreement`: Agreement with the published label, in %, 0 to 100
        - `alpha`: Krippendorff’s α
        - `kappa`: Fleiss’ κ
        - `answers`: Labels that people gave
        - `passing`: Triples with so many agreeing labels on every sentence

    Raises:
        TiltmeterError: As the command line.
    """

def intersections(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    findings: str | Path | Table | None = None,
    traits: Literal["pairs", "poles"] = "pairs",
    top: int = 50,
    seed: int = 0,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Intersectional groups (Black women) and their components: order, domains, emergent traits.

    What it does not show: What is listed is what the model’s numbers say, not what is true of anybody.

    Source: After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92,
    on what is asked; intervals and tests are Tiltmeter’s.

    >>> import tiltmeter as tm
    >>> crossed = {"cross": "both", "groups": "woman, man, Black, veteran"}
    >>> run = tm.run(
    ...     "group_traits", "fake:masked", settings={**crossed, "templates": "Most [group] are [trait]."}
    ... )
    >>> tm.analyse.intersections(run).headline
    <groups: 7, n 4>

    Args:
        *inputs: A run folder with intersectional groups and their components (run group_traits
            settings={'cross': 'both)'}, or one of each (cross=no and cross=only); several, or one list.
            A table in memory stands for a file.
        findings: Human associations with intersectional groups: TOML, CSV or JSONL (default: the few
            findings that the paper names).
        traits: Compare groups by pair scores, or by both traits of each pair.
        top: How many emergent traits to list.
        seed: Seed of bootstraps and random masks.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `groups`: Intersectional groups
        - `order_difference`: second minus first, neutral value 0
        - `tau_first`: component named first, neutral value 0
        - `tau_second`: component named second, neutral value 0
        - `tau_nearer`: the more similar component, neutral value 0
        - `tau_reversed`: the reverse order, neutral value 0
        - `domain_difference`: difference of mean τ, neutral value 0
        - `tau_domain`: mean τ with its component, neutral value 0
        - `tau_other`: mean τ with the other’s, neutral value 0
        - `tau_component`: mean τ with the domain’s component, in groups of both domains, neutral value
            0
        - `significant_above`: Significant emergent traits above both components
        - `significant_below`: Significant emergent traits below both components
        - `predicted_cells`: Cells where the trait emerges
        - `true_cells`: Cells that people were found to associate
        - `hits`: Predicted cells that are true
        - `precision`: Precision
        - `chance_precision`: Precision by chance
        - `recall`: Recall
        - `chance_recall`: Recall by chance
        - `hits_beyond_chance`: Hits beyond chance

    Raises:
        TiltmeterError: As the command line.
    """

def items(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    measure: str = "",
    family: Mapping[str, str] = ...,
    study_file: str | None = None,
    allow_code: bool = False,
    seed: int = 0,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Which items distinguish models: item–rest correlation, reliability, items needed.

    A reliability of 1 means that other items like these would order the models in the same way, 0 that
    their differences are due to the choice of items.

    What it does not show: Whether the items measure what they should: models can differ reliably in
    something else. Items that go against the rest may be the only ones that are right.

    >>> import tiltmeter as tm
    >>> runs = [tm.run("starter_pairs", model) for model in ("fake:masked", "fake:causal", "fake")]
    >>> tm.analyse.items(runs).headline
    <pairs_apart: 0, n 3>

    Args:
        *inputs: Run folders of one study, of three models or more, or a folder of them; several, or one
            list. A table in memory stands for a file.
        measure: The measure to analyse (default: the study’s main one).
        family: Family of a model, if its name does not show it; models of one family are not
            independent.
        study_file: The Python file that the study of the runs was read from; needs allow_code.
        allow_code: Run the code of the Python file that has the study.
        seed: Seed of bootstraps and random masks.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `pairs_apart`: Pairs of models that differ
        - `model_reliability`: Reliability of differences
        - `split_half_reliability`: Split-half reliability
        - `items_needed`: Items for reliability .80
        - `items_without_variation`: Items on which models agree
        - `items_below_zero`: Items with r below 0
        - `items_against_rest`: Items against the rest
        - `median_item_rest`: Median item–rest r, −1 to 1

    Raises:
        TiltmeterError: As the command line.
    """

def leak(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    monolingual: AnalysisInput | Sequence[AnalysisInput] = (),
    people: Mapping[str, str | Path | Table] | None = None,
    scale: str = "-50:50",
    convention: Literal["tiltmeter", "sotnikova2023", "cao2023_code"] = "tiltmeter",
    unit: Literal["poles", "pairs"] | None = None,
    unrated: Literal["complete", "available", "zero"] | None = None,
    min_raters: int | None = None,
    coefficients: Literal["standardised", "paper"] | None = None,
    k: int = 3,
    held: float = 0.5,
    polarity: str | Path | Table | None = None,
    placebos: int = 100,
    encoding: str = "",
    seed: int = 0,
    without: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    participants: str | Path | Table | None = None,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Leakage between languages: flows from each country's people into a model, leaked traits.

    Each model score (a group and a trait, in one language) is compared with what people of several
    countries say of the same group and trait. If the ratings of another country explain the scores
    beyond those of the language’s own country, stereotypes may have leaked from one language to the
    other.

    What it does not show: A cause: no language was taken out of the training data. Countries share
    stereotypes, and a few raters per group are an imprecise picture of a country. A flow that is not
    significant may exist all the same.

    Source: Sotnikova 2023, chapter 5; Cao et al. 2025, https://aclanthology.org/2025.nlp4pi-1.15.

    >>> from random import Random
    >>> import polars as pl, tiltmeter as tm
    >>> random = Random(1)
    >>> templates = {"en": "Most [group] are [trait].", "ru": "Многие [group] очень [trait]."}
    >>> groups = ["woman", "man", "immigrant", "veteran"]
    >>> runs = [
    ...     tm.run("group_traits", "fake:masked", data=f"leakage_{language}",
    ...            settings={"groups": ", ".join(groups), "templates": template})
    ...     for language, template in templates.items()
    ... ]
    >>> pairs = ["cold - warm", "poor - wealthy", "traditional - modern"]
    >>> ratings = pl.DataFrame([
    ...     {"annotator": f"{language} {n}", "language": language, "group": group, "pair": pair,
    ...      "rating": random.randint(-50, 50)}
    ...     for language in templates for n in range(5) for group in groups for pair in pairs
    ... ])
    >>> tm.analyse.leak(runs, people={"": ratings}, placebos=0).headline
    <solid_flows: 0, n 2>

    Args:
        *inputs: Run folders of one model, each in another language; several, or one list. A table in
            memory stands for a file.
        monolingual: A run of a model of one of these languages only, as a covariate; several in a list.
        people: Single ratings in one language, LANGUAGE=FILE; several in a list. Or one FILE with a
            column language. Default: the published ratings, stereotype_leakage.
        scale: Rating scale of people.
        convention: How it is computed: tiltmeter, sotnikova2023 (the paper) or cao2023_code (its
            script).
        unit: What the cells are: single traits, or signed pairs (default: as in the convention).
        unrated: Groups that too few people of a country rated: left out, each country alone on those
            that it has, or 0 (default: as in the convention).
        min_raters: Fewest raters of a group in a language (default 4).
        coefficients: Coefficients shown: standardised, or of scores multiplied as in the paper
            (default: as in the convention).
        k: Leaked traits are among this many strongest traits of a group.
        held: Quantile of a group's traits from which people hold a trait.
        polarity: Table of traits: columns trait, polarity (positive, negative, non-polar).
        placebos: Draws of the placebo of each language; 0 for none.
        encoding: File encoding (default UTF-8).
        seed: Seed of bootstraps and random masks.
        without: Leave out answers with these marks (a survey's checks), separated by commas; the main
            numbers are also given for all answers.
        only: Only answers with any of these marks.
        participants: Table of people, with a column person or annotator: only their answers count. Its
            marks are theirs: annotators_overall.csv of agreement has some.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `solid_flows`: Solid flows from other countries
        - `significant_flows`: Significant flows from other countries
        - `coefficient`: Standardised coefficient, neutral value 0
        - `corrected`: Standardised coefficient without the raters’ noise, neutral value 0
        - `placebo`: Standardised coefficient where nothing leaked
        - `without_covariate`: Standardised coefficient without the monolingual model, neutral value 0
        - `covariate_change`: Standardised coefficient without the monolingual model minus with it,
            neutral value 0
        - `coefficient_raw`: Coefficient in the paper’s scale, neutral value 0
        - `corrected_raw`: Coefficient in the paper’s scale without the raters’ noise, neutral value 0
        - `placebo_raw`: Coefficient in the paper’s scale where nothing leaked
        - `without_covariate_raw`: Coefficient in the paper’s scale without the monolingual model,
            neutral value 0
        - `covariate_change_raw`: Coefficient in the paper’s scale without the monolingual model minus
            with it, neutral value 0
        - `placebo_significant`: Draws of the placebo in which the coefficient is above 0 with p < .05,
            in %, 0 to 100
        - `degrees_of_freedom`: Satterthwaite’s degrees of freedom
        - `variance_inflation`: Variance inflation factor
        - `groups`: Groups in the regression
        - `traits`: Traits in the regression
        - `explained`: Variance within traits and groups that ratings explain, in %, 0 to 100
        - `trait_sd`: Standard deviation of traits’ intercepts
        - `group_sd`: Standard deviation of groups’ intercepts
        - `residual_sd`: Standard deviation of residuals
        - `leaked_traits`: Leaked traits
        - `no_judgment`: Traits about which the target’s people were not asked
        - `raters`: Raters
        - `groups_rated`: Groups that anybody rated
        - `groups_with_enough_raters`: Groups that enough people rated
        - `median_raters`: Raters of a group, median

    Raises:
        TiltmeterError: As the command line.
    """

def order_effects(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    encoding: str = "",
    without: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    participants: str | Path | Table | None = None,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Whether people's answers depend on sides, places and what came first.

    0 means that answers do not depend on the order.

    What it does not show: Orders that were the same for everybody; why people answer so.

    >>> import polars as pl, tiltmeter as tm
    >>> answers = pl.DataFrame([
    ...     {"person": f"p{person}", "item": item, "page": "rate", "question": "warm", "kind": "slider",
    ...      "swapped": ("no", "yes")[swapped], "value": 50 + person + (8 + person % 5) * swapped}
    ...     for person in range(20) for item, swapped in (("a", person % 2), ("b", 1 - person % 2))
    ... ])
    >>> tm.analyse.order_effects(answers).estimate("order_difference", order="swapped ends")
    <order_difference of order swapped ends: 10 (9.283 to 10.72), p (Holm) 2.993e-17, n 40>

    Args:
        *inputs: answers.csv of a survey's export, or its folder; several, or one list. A table in
            memory stands for a file.
        encoding: File encoding (default UTF-8).
        without: Leave out answers with these marks (a survey's checks), separated by commas; the main
            numbers are also given for all answers.
        only: Only answers with any of these marks.
        participants: Table of people, with a column person or annotator: only their answers count. Its
            marks are theirs: annotators_overall.csv of agreement has some.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `orders_that_matter`: Orders with a significant effect
        - `order_difference`: Difference by order, neutral value 0
        - `first_text_difference`: Difference by which text came first, in percentage points, −100 to
            100, neutral value 0
        - `first_option_excess`: First option above chance, in percentage points, −100 to 100, neutral
            value 0
        - `first_option_share`: Share of the first option, in %, 0 to 100
        - `first_option_chance`: Share of the first option by chance, in %, 0 to 100

    Raises:
        TiltmeterError: As the command line.
    """

def placebo(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    columns: Mapping[str, str] = ...,
    base: str = "baseline",
    placebo: str = "placebo",
    separator: str = "_",
    within: str | Sequence[str] = (),
    models: str | Sequence[str] = (),
    min_replies: int = 1,
    convention: Literal["equal", "cells"] = "equal",
    encoding: str = "",
    missing: str | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Do edits of groups change scores more than edits that cannot matter?

    An edit that cannot matter changes scores too. The effect minus placebo is what edits of groups
    change beyond that; 0 means that the group matters no more than the weather.

    What it does not show: Whether a change is unfair: a school or a gap in a career may be about the
    job. Absence of an effect minus placebo in few clusters does not show that there is none. Intervals
    are about other texts (clusters), with these edits, these models and this way of asking.

    Source: Controls by irrelevant edits: Szabo 2026, github.com/re-cinq/hiring-bias.

    >>> import polars as pl, tiltmeter as tm
    >>> scores = pl.DataFrame({
    ...     "text": ["a", "a", "a", "b", "b", "b", "c", "c", "c"],
    ...     "edit": ["baseline", "name_Ann", "placebo_weather"] * 3,
    ...     "score": [5, 7, 5, 6, 7, 6, 4, 6, 5],
    ... })
    >>> tm.analyse.placebo(scores).headline
    <effect_less_placebo: 1.333, n 3>

    Args:
        *inputs: A table of scores with a row per text, edit and run; several, or one list. A table in
            memory stands for a file.
        columns: The column of your file for text, edit, score, axis, model, cluster or run.
        base: Name of the unedited text among the edits.
        placebo: The axis of placebo edits, or the name of the placebo edit.
        separator: Separates the axis from the value in the name of an edit.
        within: Compare scores only where they agree in this column, such as how a model was asked;
            several in a list.
        models: Only this model; several in a list.
        min_replies: The fewest replies that an edit, and a text before it, needs to count.
        convention: equal: changes at equal numbers of replies; cells: each edit of a text by all its
            replies, as in szabo2026.
        encoding: File encoding (default UTF-8).
        missing: Words for missing values, separated by commas (default: NA, N/A, None, null and
            others).
        seed: Seed of bootstraps and random masks.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `effect_less_placebo`: Effect minus placebo, neutral value 0
        - `effect`: Mean size of the change, 0 or more
        - `placebo_effect`: Mean size of the change by placebo edits, 0 or more
        - `share_of_placebo`: Share of the effect that placebo explains, in % of the effect, 0 or more
        - `wins_over_placebo`: How often a group edit changes more than a placebo edit, in %, 0 to 100,
            neutral value 50
        - `magnitude_less_placebo`: Effect minus placebo, without noise, neutral value 0
        - `mean_change`: Mean change, neutral value 0
        - `mean_square_change`: Mean square of the change, without noise

    Raises:
        TiltmeterError: As the command line.
    """

def ratings(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    scale: str = "0:100",
    columns: Mapping[str, str] = ...,
    by: str | Sequence[str | Sequence[str]] = (),
    group: str | Sequence[str] = (),
    encoding: str = "",
    missing: str | None = None,
    without: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    participants: str | Path | Table | None = None,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""What people say of groups: mean ratings and profiles, by language and by who was asked.

    People were asked, of each group, which of two opposite traits it is nearer to, on a scale from the
    left trait to the right one.

    What it does not show: What the groups are like. These are the answers of these people, at their
    time and place, on how others see a group.

    Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92; Sotnikova 2023, chapter 5.

    >>> import polars as pl, tiltmeter as tm
    >>> answers = pl.DataFrame(
    ...     {"annotator": ["ann", "bob"], "group": "nurse", "pair": "cold - warm", "rating": [70, 80]}
    ... )
    >>> tm.analyse.ratings(answers).estimates[1]
    <mean_rating of group nurse, pair cold - warm: 75 (11.47 to 100), n 2>

    Args:
        *inputs: us_stereotypes, stereotype_leakage, or a file of ratings or means; several, or one
            list. A table in memory stands for a file.
        scale: Rating scale of the people's file.
        columns: The column of your answers, or the question of an export, for a field; COLUMN:OLD=NEW,…
            maps its values.
        by: Also the means of each value of this column about annotators; several in a list.
            COLUMN,COLUMN crosses columns.
        group: Also print what people say of this group; several in a list.
        encoding: File encoding (default UTF-8).
        missing: Words for missing values, separated by commas (default: NA, N/A, None, null and
            others).
        without: Leave out answers with these marks (a survey's checks), separated by commas; the main
            numbers are also given for all answers.
        only: Only answers with any of these marks.
        participants: Table of people, with a column person or annotator: only their answers count. Its
            marks are theirs: annotators_overall.csv of agreement has some.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `raters`: People who rated
        - `mean_rating`: Mean rating, from 0 (left trait) to 100 (right trait), 0 to 100, neutral value
            50
        - `language_correlation`: Pearson’s r of what people of two languages say of a group, mean, −1
            to 1, neutral value 0

    Raises:
        TiltmeterError: As the command line.
    """

def seeds(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    measure: str | Sequence[str] = (),
    checkpoints: Mapping[str, str] = ...,
    against: str = "",
    study_file: str | None = None,
    allow_code: bool = False,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Average a model over its training seeds: mean, standard deviation, and two intervals.

    How much of a difference between two models another seed would make: a difference that is small
    beside the standard deviations may be chance of the training.

    What it does not show: What another architecture, other training data or another recipe would give.

    >>> import tiltmeter as tm
    >>> runs = [tm.run("starter_pairs", model) for model in ("fake", "fake:masked")]
    >>> tm.analyse.seeds(runs, checkpoints={"fake": "fake*"}).estimates[3]
    <stereotype_rate_sd: 0 points, n 270>

    Args:
        *inputs: Run folders of checkpoints that were trained with several seeds, of any study; several,
            or one list. A table in memory stands for a file.
        measure: Which measure the tables show (default: each study’s main one). Files have all.
        checkpoints: A name for the models whose names match a pattern: they are seeds of one model.
            Default: models whose names differ only in the number after “seed”.
        against: Compare each set of seeds with the one of this name, such as the model before an
            intervention.
        study_file: The Python file that the study of the runs was read from; needs allow_code.
        allow_code: Run the code of the Python file that has the study.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `trainings`: Trainings

    Raises:
        TiltmeterError: As the command line.
    """

def validation(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    data_name: str = "",
    encoding: str = "",
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""How many pairs people find valid: majority, agreement, and what chance would give.

    A person finds a pair valid if one of its sentences is the more stereotyping one. A pair is valid if
    more than half of those who judged it say so of the same sentence.

    What it does not show: People who agree can share an error, and another panel may judge differently:
    the intervals are for other pairs of the same set, judged by people like these.

    >>> import polars as pl, tiltmeter as tm
    >>> judged = pl.DataFrame({
    ...     "item": ["a", "a", "a", "b", "b", "b"], "annotator": ["ann", "bob", "cem"] * 2,
    ...     "sentence_1": ["stereo"] * 3 + ["neither"] * 3, "sentence_2": "neither", "minimal": "yes",
    ... })
    >>> tm.analyse.validation(judged).headline
    <valid: 50 % (9.453 to 90.55), n 2>

    Args:
        *inputs: Answers to the form validate_pairs or validate_stereoset_pairs: a folder of survey
            export, or a table with a row for each person and pair; several, or one list. A table in
            memory stands for a file.
        data_name: Name of the data that were judged (default: that of the file or folder).
        encoding: File encoding (default UTF-8).
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `valid`: Valid to most people, in %, 0 to 100
        - `minimal`: Minimally distant to most people, in %, 0 to 100
        - `valid_minimal`: Both by the same people, in %, 0 to 100
        - `agreement`: Agreement on whether a pair is valid, in %, 0 to 100
        - `people`: People who judged a pair
        - `valid_at_random`: Valid if people answered at random, in %, 0 to 100

    Raises:
        TiltmeterError: As the command line.
    """

def vote_pools(
    *inputs: AnalysisInput | Sequence[AnalysisInput],
    pool_votes: int = 0,
    label: str | Sequence[str] = (),
    min_votes: int = 1,
    max_votes: int = 0,
    limit: int = 0,
    limit_seed: int = 0,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    r"""Data sets with several votes per item: sizes, disagreement, labels, votes on an item.

    How often two votes on an item differ limits what a single label can say of it.

    What it does not show: Why people disagree.

    Source: Baumler, Sotnikova and Daumé 2023, doi:10.18653/v1/2023.findings-acl.658.

    >>> import polars as pl, tiltmeter as tm
    >>> votes = pl.DataFrame([
    ...     {"item": n, "text": f"text {n}", "annotator": who, "label": "yes" if n % every else "no"}
    ...     for n in range(10) for who, every in (("ann", 2), ("bob", 3))
    ... ])
    >>> tm.analyse.vote_pools(votes).estimate("votes_per_item", set="table in memory")
    <votes_per_item of set table in memory: 2, n 10>

    Args:
        *inputs: Registered pools of votes, or tables with the columns item, text, annotator, label;
            several, or one list. A table in memory stands for a file.
        pool_votes: Maximum number of votes counted per item; 0 for all.
        label: A table's labels, from low to high (several in a list; default: those in the table).
        min_votes: Use only items with at least this many votes.
        max_votes: Use only items with at most this many votes; 0 for no limit.
        limit: Use a random sample of this many of these items; 0 for all.
        limit_seed: Seed of this sample.
        out: A folder in which the result's folder is made; None saves nothing.
        monitor: Reports progress; by default the log `tiltmeter`.

    Returns:
        A result whose estimates have these names, each with its interval where it has one:

        - `pools`: Data sets with several votes per item
        - `items`: Items
        - `votes_per_item`: Votes per item
        - `test_items`: Test items of a simulation
        - `disagreement`: Probability that two votes on an item differ
        - `label_share`: Share of the votes, in %, 0 to 100
        - `item_share`: Share of the items, in %, 0 to 100

    Raises:
        TiltmeterError: As the command line.
    """
