"""The pages of a survey over HTTP.

- `app`, `visitors`: the addresses, and what each answers to whom.
- `progress`, `posted`: what a person has done, and what their browser sends.
- `pages`, `interface_words`: what the templates show.
- `sessions`, `invitations`, `guard`: cookies and tokens, links, and what protects every request.
- `serving`, `bots`: a server to run, and bots that fill in a survey through it.
"""
