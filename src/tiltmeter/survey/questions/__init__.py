"""Kinds of questions to people, one file each, named as form files name it; found by `core.finder`.

A file holds a subclass of `survey.question.FormQuestion` as `QUESTION`: its keys in a form file, which
answers it takes, its fields on a page, and its form in the exports and imports of each format.
"""
