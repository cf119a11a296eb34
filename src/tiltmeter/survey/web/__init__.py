"""The pages of a survey over HTTP.

- `app`, `visitors`: the addresses, and what each answers to whom.
- `progress`, `posted`: what a person has done, and what their browser sends.
- `pages`, `interface_words`: what the templates show.
- `sessions`, `invitations`, `guard`: cookies and tokens, links, and what protects every request.
- `access`, `logins`, `limits`: which route is for whom, signing in, and how often one may try.
- `admin`, `admin_accounts`, `account_pages`: the pages of researchers and administrators.
- `serving`, `bots`: a server to run, and bots that fill in a survey through it.
"""
