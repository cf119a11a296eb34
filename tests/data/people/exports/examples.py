"""The same answers in the layouts of survey programs."""

import csv
import json

ANSWERS = {
    "ann": ("low", "low", "medium", "medium", "high", "high", "low", "medium", "high", "low"),
    "bo": ("low", "medium", "medium", "high", "high", "high", "low", "medium", "medium", "low"),
    "cy": ("medium", "low", "medium", "high", "high", "medium", "low", "high", "high", "low"),
}


def table(path, rows, delimiter=","):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def qualtrics(folder, name="tone_{}"):
    columns = ("StartDate", "Status", "ResponseId", *(name.format(n + 1) for n in range(10)), "age")
    rows = [
        columns,
        ("Start Date", "Response Type", "Response ID", *(f"tone – text {n}" for n in range(10)), "Age"),
        tuple(json.dumps({"ImportId": column}) for column in columns),
        *(("2026-01-01", "IP Address", who, *labels, "30") for who, labels in ANSWERS.items()),
        ("2026-01-01", "Survey Preview", "zed", *["low"] * 10, "30"),
    ]  # fmt: skip
    return table(folder / "qualtrics.csv", rows), None
