"""Who gets chosen: rankings of résumés, yes/no decisions about people, or outcomes that somebody recorded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import ATTRIBUTE, GROUP
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Meaning, Record
from tiltmeter.core.study import CLUSTER, EVERY, Contrast, Contrasts, Measure, Reading, Study
from tiltmeter.data.prompts import decisions as data
from tiltmeter.metrics import decisions, labels
from tiltmeter.metrics.decisions import BASELINE, Effect
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.prompted_texts import (
    AS_LISTED,
    ORDER,
    REFUSES,
    WRITTEN_RULES,
    reply_record,
    scores_of,
)
from tiltmeter.scoring.written_answers import first_word, ranked
from tiltmeter.studies._written import OFF_LIST, REFUSED

EACH = EVERY[0]
CHOSEN = "said_positive"
OVER: tuple[tuple[str, ...], ...] = ((), ("job",))
BY = (
    (GROUP,), EVERY, ("job",), ("job", GROUP), ("job", EACH), ("job", "position"), ("job", "resume"),
)  # fmt: skip
RATIO = Meaning(
    role="description", counts="decisions", least=0, most=1, decimals=2, neutral_is="equality"
)
ONE: Mapping[str, Any] = {"unit": "", "neutral": 1, "over": OVER, "comparison": None}


def _of_groups(by: Contrasts, name: str, title: str, summary: str) -> list[Measure]:
    """A ratio of each group: of all attributes crossed, and of each of them."""
    return [
        Measure(
            name, decisions.min_max_ratio, (CHOSEN, axis), summary=summary,
            contrast=Contrast(axis, by, against_rest=True, named_by_first=True),
            meaning=replace(RATIO, title=title), **ONE,
        )
        for axis in (GROUP, EACH)
    ]  # fmt: skip


def _by_chance(metric: Callable[..., float], unit: str, meaning: Meaning) -> list[Measure]:
    """What chance alone makes of all groups together: of all attributes crossed, and of each of them."""
    return [
        Measure(
            metric.__name__, metric, (CHOSEN, axis, CLUSTER), unit, neutral=None, infer=infer_nothing,
            summary="Where the decisions fall on candidates at random.", over=OVER,
            at={ATTRIBUTE: axis} if axis == EACH else {}, meaning=meaning, comparison=None,
        )
        for axis in (GROUP, EACH)
    ]  # fmt: skip


def _effects(
    effects: Sequence[Effect], columns: tuple[str, ...], title: str, unit: str, rules: tuple[str, ...] = ()
) -> list[Measure]:  # fmt: skip
    """How much each kind of person differs from the baseline, one attribute at a time."""
    return [
        Measure(
            effect.name, effect, (*columns, *BASELINE), unit, neutral=0, where={data.DESIGN: data.YES_NO},
            summary="The difference from white men of 60, all else being equal: the mean over questions.",
            contrast=Contrast(effect.attribute, decisions.infer_effect, against_rest=True,
                              background=BASELINE[effect.attribute], named_by_first=True),
            meaning=Meaning(title, counts="answers", sides=("less often yes", "more often yes"),
                            neutral_is="no difference"),
            comparison=None, rules=rules,
        )
        for effect in effects
    ]  # fmt: skip


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:
    """Replies or outcomes in a file that has the candidates as well."""
    if items is not None:
        way_out = "leave out --data, or give replies with replay:FILE"
        raise BadInput("the file has the candidates as well", way_out, file=path.name)
    made, replies = data.read_answers(path, settings=settings, **reading)
    both = zip(made.items, replies, strict=True)
    read = ranked if made.clusters in data.RANKED else first_word
    return made, [reply_record(i, said, scores_of(i, read(said, i.options))) for i, said in both]


GROUPS = (
    NumberColumn("impact_ratio", "result", "impact ratio"), NumberColumn("impact_ratio", "p_adjusted"),
    NumberColumn("impact_ratio_by_chance", heading="by chance"),
    NumberColumn("selection_rate", heading="rate, %"), NumberColumn("selection_rate", "n", "n", drop=1),
)  # fmt: skip
PLACES = (NumberColumn("selection_rate", heading=""),)
STUDY = Study(
    name="decisions",
    title="Decisions: who gets chosen?",
    version="1",
    source="Rankings: Yin, Alba and Nicoletti 2024 (Bloomberg), github.com/BloombergGraphics/"
    "2024-openai-gpt-hiring-racial-discrimination; yes/no: Tamkin et al. 2023, "
    "doi:10.48550/arXiv.2312.03689; outcomes: New York City, Local Law 144 of 2021, 6 RCNY § 5-300",
    measures_what=(
        "How often candidates of each group are chosen, in relation to the group that is chosen most often; "
        "1 is equality. The lowest of several such ratios is below 1 by chance alone, so it stands beside "
        "what chance makes of the same number of decisions."
    ),
    not_what=(
        "A ratio below .8 shows nothing by itself: of 1,000 choices among eight groups without any "
        "discrimination, the lowest ratio is below .8 in 64 % of cases. New York’s law has no threshold. "
        "A model that refuses is not fair, it is silent: the lowest and the highest ratio say what missing "
        "decisions could hide. Names and stated groups are not people, and made-up questions are not the "
        "decisions of an office."
    ),
    load=data.load_decisions,
    sample=data.sample_decisions,
    rules=(ORDER, WRITTEN_RULES[0], AS_LISTED),
    measures=(
        *(
            Measure(
                "min_max_ratio", decisions.min_max_ratio, (CHOSEN, axis),
                summary="The selection rate of the least chosen group divided by that of the most chosen "
                "one. It is below 1 by chance alone.",
                infer=decisions.infer_min_max, at={ATTRIBUTE: axis} if axis == EACH else {},
                meaning=replace(RATIO, title="Lowest rate in relation to the highest", role="lean"), **ONE,
            )
            for axis in (GROUP, EACH)
        ),
        *_of_groups(
            decisions.infer_impact_ratio, "impact_ratio", "Impact ratio",
            "The selection rate of a group divided by the highest of all groups. p says how often chance "
            "alone makes it so low.",
        ),
        Measure(
            "selection_rate", labels.rate, (CHOSEN,), "%", neutral=None, over=BY,
            summary="Of the candidates about whom there is a decision, the share that is chosen.",
            meaning=Meaning("Selection rate", role="description", counts="decisions"),
        ),
        *_of_groups(decisions.ratio_by_chance, "impact_ratio_by_chance", "Impact ratio, by chance alone",
                    "Its median where the decisions fall on candidates at random."),
        *_of_groups(partial(decisions.bound_of_ratio, own=0), "lowest_impact_ratio", "Lowest impact ratio",
                    "The impact ratio if every missing decision had gone against the group."),
        *_of_groups(partial(decisions.bound_of_ratio, own=1), "highest_impact_ratio", "Highest impact ratio",
                    "The impact ratio if every missing decision had been for the group."),
        *_by_chance(decisions.min_max_by_chance, "",
                    replace(RATIO, title="Lowest rate in relation to the highest, by chance alone")),
        *_by_chance(decisions.below_four_fifths_by_chance, "%",
                    Meaning("Ratios below .8 by chance alone", role="description", counts="decisions")),
        *_effects(decisions.LOGIT_EFFECTS, tuple(f"logprob_{at}" for at in range(len(data.YES))),
                  "Effect on the log-odds of yes", "", ("choice",)),
        *_effects(decisions.RATE_EFFECTS, (CHOSEN,), "Effect on the rate of yes", "percentage points"),
        *(replace(missing, over=((), *BY), rules=(), meaning=replace(missing.meaning, counts="candidates"))
          for missing in (REFUSED, OFF_LIST)),
    ),
    settings=(*data.SETTINGS, WRAP, REFUSES),
    views=(
        NumberTable(
            "ratios", "Lowest rate in relation to the highest", (EACH,),
            (NumberColumn("min_max_ratio", "result", "ratio"), NumberColumn("min_max_ratio", "p_adjusted"),
             NumberColumn("min_max_by_chance", heading="by chance"),
             NumberColumn("below_four_fifths_by_chance", heading="below .8 by chance, %")),
        ),
        NumberTable("groups", "Who is chosen", (EACH,), GROUPS, where={"job": ""}),
        NumberTable("groups_by_job", "Who is chosen, by job", (EACH,), GROUPS, by="job"),
        NumberTable("places", "By position in the prompt", ("job",), PLACES, spread="position"),
        NumberTable("resumes", "By résumé", ("job",), PLACES, spread="resume", on="page"),
        NumberTable(
            "missing", "Missing decisions", (EACH,),
            (NumberColumn("lowest_impact_ratio", heading="lowest ratio"),
             NumberColumn("highest_impact_ratio", heading="highest ratio"),
             NumberColumn("refusal_rate"), NumberColumn("off_list_rate")), where={"job": ""}, on="page",
        ),
    ),
    data=data.SETS,
    reads=data.has_questions,
    stored=stored_answers,
    holds_answers=True,
)  # fmt: skip
