"""Commands of the core, by the panels of the help page. Each wing has a table of its own."""

from functools import partial

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import GroupEntry as Group
from tiltmeter.cli.machinery.command_entries import Panels

OfModels = partial(Command, panel="Models and their runs")
OfPeople = partial(Command, panel="People's answers")
PANELS: Panels = {
    "Measure": (
        Command("run", "run:run",
            "Score models on a study; a TOML file lists several of both.", keeps=True),
        Command("audit", "audit:audit",
            "Run every study that a model can answer and write one report.", keeps=True),
        Command("score", "run:score",
            "Score sentences; of two, show which tokens make the difference.", keeps=True),
    ),
    "Read results": (
        Command("compare", "analyses:compare",
            "Compare runs on the same items, with paired tests and intervals."),
        Command("table", "table:table",
            "Put the numbers of several runs into one table."),
        Command("figure", "figure:figure",
            "Write one picture of runs as SVG, PDF or PNG, sized for a paper."),
        Command("view", "view:view",
            "Write one page about all results: models by studies, items, comparisons."),
        Command("report", "results:report", "Show a finished run again and rewrite its page."),
        Command("export", "results:export",
            "Write a run's records and estimates for another program."),
    ),
    "Bring in": (
        Command("import", "importing:import_",
            "Evaluate logs, scores and replies from elsewhere; read or join runs."),
    ),
    "Analyse": (
        Group("analyse", "Analyse models, their runs, or people's answers.", (
            OfModels("before-after", "analyses:before_after",
                "Compare a model before and after: what moved closer to neutral or farther away, and the "
                "cost.", keeps=True),
            OfModels("correlate", "analyses:correlate",
                "Correlate measures over models, groups or cells: exact tests, intervals and statistical "
                "power."),
            OfModels("intersections", "analyses:intersections",
                "Intersectional groups (Black women) and their components: order, domains, emergent traits."),
            OfModels("items", "analyses:items",
                "Which items distinguish models: item–rest correlation, reliability, items needed."),
            OfModels("leak", "analyses:leak",
                "Leakage between languages: flows from each country's people into a model, "
                "leaked traits."),
            OfModels("placebo", "analyses:placebo",
                "Do edits of groups change scores more than edits that cannot matter?"),
            OfModels("seeds", "analyses:seeds",
                "Average a model over its training seeds: mean, standard deviation, and two intervals."),
            OfPeople("agreement", "analyses:agreement",
                "Agreement of annotators: percent, α, κ, Gwet's AC; reversed scales, true labels, judges."),
            OfPeople("annotations", "analyses:annotations",
                "Judgments of generated hypotheses: shares by domain and group, agreement, reversed scales."),
            OfPeople("compare-people", "analyses:compare_people",
                "Compare groups × traits with what people say: Kendall's τ, precision at k, a noise "
                "ceiling."),
            OfPeople("order-effects", "analyses:order_effects",
                "Whether people's answers depend on sides, places and what came first."),
            OfPeople("ratings", "analyses:ratings",
                "What people say of groups: mean ratings and profiles, by language and by who was asked."),
            OfPeople("validation", "analyses:validation",
                "How many pairs people find valid: majority, agreement, and what chance would give."),
        ), plugins=("analyses", "analyses")),
    ),
    "Ask people": (),
    "Prepare": (
        Command("ls", "listing.ls:ls",
            "List studies, what a model can answer, or a folder's runs; or explain a study."),
        Group("data", "Data sets: list, download, import, check; and stored answers.", (
            Command("list", "data:list_sets",
                "List the known data sets and whether they are on this computer."),
            Command("get", "data:get",
                "Download a data set into the cache and verify its checksum."),
            Command("import", "data:import_set",
                "Import a data set from a file you have, if its checksum is right."),
            Command("check", "data:check_file",
                "Check a file of items without loading a model: every bad row with its reason."),
            Command("describe", "analyses:data_check",
                "Describe a data set: composition, checks, and annotations, if any."),
            Group("cache", "Answers stored between runs: show or clear them.", (
                Command("info", "cache:info",
                    "Show where the cache is and how much it stores for each model."),
                Command("clear", "cache:clear",
                    "Delete stored answers, all or those of some models. Data sets and models stay."),
            )),
        )),
        Group("models", "Models available by name: list and download them.", (
            Command("list", "data:list_models",
                "List the models available by a short name. Folders and hub ids need none."),
            Command("get", "data:get_model", "Download a model into the cache and verify it."),
        )),
    ),
}  # fmt: skip
