"""Commands that ask people.

>>> [entry.name for entry in PANELS["Ask people"]]
['survey']
"""

from tiltmeter.cli.machinery.command_entries import CommandEntry as Command
from tiltmeter.cli.machinery.command_entries import GroupEntry as Group
from tiltmeter.cli.machinery.command_entries import Panels

PANELS: Panels = {
    "Ask people": (
        Group("survey", "Ask people: forms, answers, checks, pay.", (
            Command("check", "survey.files:check",
                "Check a form file and show what it asks; without a form, list the built-in ones."),
            Command("words", "survey.files:words",
                "Write the words of buttons and notes in a language, to be translated: TOML for a form."),
            Command("new", "survey.files:new",
                "Write a form to start from, with everything that a review board asks about."),
            Command("items", "survey.files:items",
                "Write pairs or triples of a data set as items of the form that validates them."),
            Command("serve", "survey.web:serve",
                "Show a form to people in their browsers, and store their answers."),
            Command("link", "survey.web:link",
                "Print signed links, one per person, which nobody can alter or forge."),
            Command("bots", "survey.web:bots",
                "Try a survey out: bots answer at random through HTTP, as browsers without JavaScript do."),
            Command("accept", "survey.files:accept",
                "Accept written pairs or triples by the votes of those who validated them."),
            Command("status", "survey.studies:status",
                "How many people and answers a study has, and which items are still short of people."),
            Command("export", "survey.studies:export",
                "Run the checks, and write answers, marks, data statement and datasheet into a folder."),
            Command("import", "survey.studies:import_",
                "Store answers that were collected elsewhere; what is stored already is left as it is."),
            Command("people", "survey.people:people",
                "Link answers to platform ids, with outcomes, times, marks and pay, in a file of its own."),
            Command("pay", "survey.pay:pay",
                "What people are owed and earned per hour, bonuses up to a rate, and lists for the panel."),
            Command("erase", "survey.people:erase",
                "Erase a person who withdraws, all platform ids, or bots; other people's answers stay."),
            Group("account", "Accounts for the researchers' pages.", (
                Command("add", "survey.account:add",
                    "Create an account; you are asked for a password."),
                Command("list", "survey.account:list_", "List the accounts and their roles."),
                Command("password", "survey.account:password",
                    "Set a new password, and sign the account out everywhere."),
                Command("role", "survey.account:role", "Give an account another role."),
                Command("remove", "survey.account:remove",
                    "Remove an account, and sign it out everywhere."),
            )),
            Group("board", "Leaderboards with hidden labels.", (
                Command("create", "survey.board:create",
                    "Make a board from a file with labels. The labels stay in the file: keep it where it "
                    "is."),
                Command("export-contexts", "survey.board:export_contexts",
                    "Write what submitters need: contexts without labels, and the development part if "
                    "there is one."),
                Command("submit", "survey.board:submit",
                    "Check and score a file of predictions; one with faults does not count."),
                Command("list", "survey.board:list_", "List the boards, or the standings of one."),
                Command("verify", "survey.board:verify",
                    "Check that a board of this database issued a receipt, and that nothing in it was "
                    "changed."),
                Command("close", "survey.board:close",
                    "Close a board: it takes no more submissions, and its standings stay."),
            )),
        ), before="active"),
    ),
}  # fmt: skip
