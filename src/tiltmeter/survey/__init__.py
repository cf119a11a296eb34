"""Judgments from people: forms, assignment, storage, checks and exports (extra `[people]`).

From a form file to a table that `tiltmeter analyse compare-people` reads:

- `form`, `form_file`: what is asked, of which items.
- `flow`: the screens that one person sees, and which of them is next.
- `question`, `questions`: which answers a question takes.
- `schema`, `store`: the database; `SurveyStore.save` returns once an operation is committed.
- `studies`, `persons`, `assign`, `answers`: operations on the database, to be given to `SurveyStore.save` or
  `SurveyStore.read`. Each takes a SQLAlchemy session and commits nothing itself.
- `accounts`: who may sign in, and the audit log.
- `checks`, `marking`: marks on what people answered; nothing is deleted.
- `boards`: leaderboards with hidden labels.
- `places`: how many people each item has, and for how long.
- `accept`, `pay`, `statement`, `formats`: what happens with the answers.
"""
