"""All commands and groups: what help pages say of each, and where it is defined.

Help pages are drawn from this table alone. A command's module is imported when the command is invoked,
so that `--help` and an error in the first word need none of them.
"""

from collections.abc import Mapping
from typing import NamedTuple, Union


class CommandEntry(NamedTuple):
    """A command as help pages list it."""

    name: str
    where: str
    """Its module in `tiltmeter.cli` and its function there, as "module:function"."""
    summary: str
    """The first paragraph of the function's docstring."""


class GroupEntry(NamedTuple):
    """A word that other commands follow."""

    name: str
    summary: str
    commands: tuple[Union[CommandEntry, "GroupEntry"], ...]


Panels = Mapping[str, tuple[CommandEntry | GroupEntry, ...]]
"""What a help page shows: the title of each panel, and its lines."""

COMMANDS: Panels = {
    "Measure": (
        CommandEntry("run", "run:run",
            "Score models on a study; print a table and write records, estimates and a page."),
        CommandEntry("audit", "audit:audit",
            "Run every study that a model can answer and write one report; after a stop, repeat the "
            "command."),
        CommandEntry("sweep", "sweep:sweep",
            "Score many models on many studies. After a stop, the same command continues."),
        CommandEntry("score", "run:score",
            "Score sentences; of two, show which the model prefers and which tokens make the difference."),
        CommandEntry("import-scores", "results:import_scores",
            "Evaluate scores or predictions computed elsewhere, without a model."),
        CommandEntry("import", "logs:import_",
            "Evaluate logs of other programs; several of one task are compared."),
        CommandEntry("replicate", "replicate:replicate",
            "Make a paper's tables and figures, the printed numbers beside; after a stop, repeat the "
            "command."),
        CommandEntry("merge", "run:merge",
            "Join runs of one model over disjoint parts of a data set into one run over all of it."),
    ),
    "Compare and summarise": (
        CommandEntry("compare", "analyses:compare",
            "Compare finished runs on the same items, with paired tests and intervals."),
        CommandEntry("table", "table:table",
            "Put the numbers of several runs into one table: models by categories, by data sets, by "
            "measures."),
        CommandEntry("figure", "figure:figure",
            "Write one picture of one or more runs as SVG, PDF or PNG, sized for a paper."),
        CommandEntry("before-after", "analyses:before_after",
            "Compare a model before and after: what moved closer to neutral or farther away, and the "
            "cost."),
        CommandEntry("ratings", "analyses:ratings",
            "What people say of groups: mean ratings and profiles, by language and by who was asked."),
        CommandEntry("compare-people", "analyses:compare_people",
            "Compare groups × traits with what people say: Kendall's τ, precision at k, a noise ceiling."),
        CommandEntry("agreement", "analyses:agreement",
            "Agreement of annotators: percent, α, κ, Gwet's AC, reversed scales, true labels."),
        CommandEntry("annotations", "analyses:annotations",
            "Judgments of generated hypotheses: shares by domain and group, agreement, reversed scales."),
        CommandEntry("intersections", "analyses:intersections",
            "Intersectional groups (Black women) and their components: order, domains, emergent traits."),
        CommandEntry("correlate", "analyses:correlate",
            "Correlate measures over models, groups or cells: exact tests, intervals and statistical "
            "power."),
        CommandEntry("seeds", "analyses:seeds",
            "Average classifiers over the seeds of their training: mean and standard deviation."),
        CommandEntry("leak", "analyses:leak",
            "Leakage between languages: flows from people of each country into a model, leaked traits."),
    ),
    "Look at results": (
        CommandEntry("runs", "results:runs", "List finished runs, the latest first."),
        CommandEntry("view", "view:view",
            "Write one page over all results: filters, items, comparisons, ranges of ranks, what changed."),
        CommandEntry("report", "results:report", "Show a finished run again and rewrite its page."),
        CommandEntry("export", "results:export",
            "Write a run's records and estimates for a spreadsheet or another program."),
    ),
    "Ask people": (
        GroupEntry("survey", "Ask people: forms, answers, checks, pay.", (
            CommandEntry("check", "survey_files:check",
                "Check a form file and show what it asks; without a form, list the built-in ones."),
            CommandEntry("serve", "survey_web:serve",
                "Show a form to people in their browsers, and store their answers."),
            CommandEntry("link", "survey_web:link",
                "Print signed links, one for each person; nobody can alter one or make one up."),
            CommandEntry("bots", "survey_web:bots",
                "Try a survey out: bots answer at random through HTTP, as browsers without JavaScript do."),
            CommandEntry("accept", "survey_files:accept",
                "Accept written pairs or triples by the votes of those who validated them."),
            CommandEntry("status", "survey:status",
                "How many people and answers a study has, and which items are still short of people."),
            CommandEntry("export", "survey:export",
                "Run the checks, and write answers, marks, data statement and datasheet into a folder."),
            CommandEntry("import", "survey:import_",
                "Store answers that were collected elsewhere; what is stored already is left as it is."),
            CommandEntry("pay", "survey:pay",
                "What people earned an hour, and the bonuses that would bring them up to a rate."),
            CommandEntry("erase", "survey:erase",
                "Erase a person who withdraws, or the platform ids of all; answers of others stay."),
            GroupEntry("account", "Accounts for the researchers' pages.", (
                CommandEntry("add", "survey_account:add", "Create an account; the password is asked for."),
                CommandEntry("list", "survey_account:list_", "List the accounts and their roles."),
                CommandEntry("password", "survey_account:password",
                    "Set a new password, and sign the account out everywhere."),
                CommandEntry("role", "survey_account:role", "Give an account another role."),
                CommandEntry("remove", "survey_account:remove",
                    "Remove an account, and sign it out everywhere."),
            )),
            GroupEntry("board", "Leaderboards with hidden labels.", (
                CommandEntry("create", "survey_board:create",
                    "Make a board from a file with labels. The labels stay in the file: keep it where it "
                    "is."),
                CommandEntry("export-contexts", "survey_board:export_contexts",
                    "Write what submitters need: contexts without labels, and the development part if "
                    "there is one."),
                CommandEntry("submit", "survey_board:submit",
                    "Check and score a file of predictions; one with faults does not count."),
                CommandEntry("list", "survey_board:list_", "List the boards, or the standings of one."),
                CommandEntry("verify", "survey_board:verify",
                    "Check that a board of this database issued a receipt, and that nothing in it was "
                    "changed."),
                CommandEntry("close", "survey_board:close",
                    "Close a board: it takes no more submissions, and its standings stay."),
            )),
        )),
        GroupEntry("active", "Choose which items get the next votes, where annotators may disagree.", (
            CommandEntry("report", "analyses:active_report",
                "Compare strategies: votes to a target, learning curves, queries, verdicts on a paper’s "
                "claims."),
            CommandEntry("pools", "analyses:vote_pools",
                "Data sets with several votes per item: sizes, disagreement, labels, votes on an item."),
            CommandEntry("live", "active_live:live",
                "Ask people, each for the item that a strategy wants most. After a stop, it continues."),
            CommandEntry("simulate", "active:simulate",
                "Simulate active learning on data with several votes per item. After a stop, it "
                "continues."),
        )),
    ),
    "Data and models": (
        CommandEntry("ls", "studies:list_studies",
            "List studies with their rules, conventions and data; or explain one."),
        CommandEntry("check", "data:check_file",
            "Check a file of items without loading a model: every bad row with its reason."),
        GroupEntry("data", "Data sets: list, download, import and check them.", (
            CommandEntry("list", "data:list_sets",
                "List the known data sets and whether they are on this computer."),
            CommandEntry("get", "data:get", "Download a data set into the cache and verify its checksum."),
            CommandEntry("import", "data:import_set",
                "Import a data set from a file you have, if its checksum is right."),
            CommandEntry("check", "analyses:data_check",
                "Describe a data set: composition, checks, and annotations, if any."),
        )),
        GroupEntry("models", "Models available by name: list and download them.", (
            CommandEntry("list", "data:list_models",
                "List the models available by a short name. Folders and hub ids need none."),
            CommandEntry("get", "data:get_model", "Download a model into the cache and verify it."),
        )),
        GroupEntry("train",
            "Train what a study needs and a model lacks: heads, writers of hypotheses, classifiers.", (
            CommandEntry("next-sentence", "train:next_sentence",
                "Train a next-sentence head: does one sentence follow another?"),
            CommandEntry("inference", "train:inference",
                "Train a language model to write what may be true of a premise."),
            CommandEntry("classifier", "train:classifier",
                "Train a classifier of texts with several seeds, and test each once."),
        )),
        GroupEntry("mitigate", "Mitigate bias in a model; every study then runs on the result.", (
            CommandEntry("fit", "mitigate:fit",
                "Find the directions of a model's states that distinguish groups."),
            CommandEntry("prompt", "mitigate:prompt",
                "Down-weight words that a bias-eliciting prompt favours: self-debias decoding."),
            CommandEntry("train", "mitigate:train",
                "Train a model further to mitigate bias: with counterfactual sentences, or more dropout."),
            CommandEntry("apply", "mitigate:apply",
                "Apply a mitigation made for one model to another, such as a fine-tuned one."),
            CommandEntry("export", "mitigate:export",
                "Write a masked or causal model as a normal checkpoint, with the directions removed."),
            CommandEntry("show", "mitigate:show",
                "Show a mitigation: its directions and how much they explain, or its prompts."),
        )),
        GroupEntry("cache", "Answers stored between runs: show or clear them.", (
            CommandEntry("info", "cache:info",
                "Show where the cache is and how much it holds of each model."),
            CommandEntry("clear", "cache:clear",
                "Delete stored answers, all or those of some models. Data sets and models stay."),
        )),
    ),
}  # fmt: skip
"""The help page of `tiltmeter`."""
