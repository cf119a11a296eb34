"""A table of one measure, and what its cells show."""

import csv
import io

from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import NumberColumn, NumberTable
from tiltmeter.report import tables
from tiltmeter.report.documents.views.number_table import number_file

RATE = quantity("rate", "Rate", "rate", unit="%", neutral=50, interval="Wilson")


R = quantity("r", "Correlation", "r", decimals=2)


VIEW = NumberTable("rates", "Rates", ("town",), (NumberColumn("rate"),))


def result(*estimates, labels=None):
    return Result(Card("s", "1", {}, {"name": "d"}, labels=labels or {}), (), estimates)


def cells(table, place="page"):
    columns = table.kept(place)
    return [c.heading for c in columns], [*zip(*(c.cells for c in columns), strict=True)]


def in_file(made, view):
    return [*csv.DictReader(io.StringIO(tables.as_csv(number_file(made, view))))]
