"""The tables of an alignment with people for files, over all matrices."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.annotators import Slice
from tiltmeter.analysis.people.meanings import (
    BOTTOM,
    PERSON,
    POOLED,
    REACH,
    SPLIT,
    TOP,
    end_name,
    precision_name,
)
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import file_table
from tiltmeter.report.document import Table, Value
from tiltmeter.report.documents.people.cell_files import means_table, profiles_table
from tiltmeter.report.documents.people.finding import group_of, ranked


@dataclass(frozen=True, slots=True)
class AlignmentRow:
    """One number of one matrix."""

    one: Alignment
    e: Estimate

    def other(self, name: str) -> Estimate:
        """Another number of the same group; one without a value where there is none."""
        nothing = Estimate(name, None, None, None, None, 0, None, "")
        return self.one.find(name, self.e.groups) or nothing


@dataclass(frozen=True, slots=True)
class SliceRow(AlignmentRow):
    """One number of one matrix with some of the people."""

    part: Slice

    @property
    def raters(self) -> int:
        """How many people of the slice rated the group; over all groups, how many rated at all."""
        group = self.e.groups.get(self.one.source.view.rows)
        return self.part.people if group is None else self.part.raters[self.one.groups.index(group)]


Getters: TypeAlias = Mapping[str, Callable[[AlignmentRow], Value]]


def file_tables(made: Alignments) -> dict[str, Table]:
    """A row a group, a template, a slice, by the names of their files."""
    tables = {
        "by_group": _groups(made),
        "by_template": _templates(made),
        "profiles": profiles_table(made),
    }
    if any(one.slices for one in made.parts):
        tables |= {"by_slice": _slices(made), "slice_means": means_table(made.slice_means)}
    return tables


def _groups(made: Alignments) -> Table:
    rows = [AlignmentRow(one, e) for one in made.parts for e in ranked(one)]
    precision, split = precision_name(made.wanted.k), f"{POOLED}_{SPLIT}"
    columns: Getters = {
        "matrix": lambda row: row.one.source.name,
        "group": lambda row: group_of(row.one, row.e),
        "pairs": lambda row: row.e.n,
        **_raw("kendall_tau"),
        "test": lambda row: row.e.test,
        "precision": lambda row: row.other(precision).value,
        "precision_p": lambda row: row.other(precision).p,
        "precision_top": lambda row: row.other(end_name(made.wanted.k, TOP)).value,
        "precision_bottom": lambda row: row.other(end_name(made.wanted.k, BOTTOM)).value,
        "split_half": lambda row: row.other(split).value,
        "split_low": lambda row: row.other(split).low,
        "split_high": lambda row: row.other(split).high,
        "reachable": lambda row: row.other(f"{POOLED}_{REACH}").value,
        "one_person": lambda row: row.other(f"{POOLED}_{PERSON}").value,
        "why": lambda row: row.e.why,
    }
    return file_table("Alignment by group", rows, columns)


def _templates(made: Alignments) -> Table:
    def name(row: AlignmentRow) -> str:
        return row.e.groups[row.one.source.view.layers]

    def is_chosen(row: AlignmentRow) -> bool:
        return row.one.pilot is not None and name(row) in row.one.pilot.templates

    rows = [AlignmentRow(one, e) for one in made.parts for e in one.by_template]
    columns: Getters = {
        "matrix": lambda row: row.one.source.name,
        "template": name,
        "chosen": is_chosen,
        "cells": lambda row: row.e.n,
        **_raw("kendall_tau"),
        "why": lambda row: row.e.why,
    }
    return file_table("Alignment by template", rows, columns)


def _slices(made: Alignments) -> Table:
    """All numbers of all slices; `group` is empty where a number is over all groups."""
    rows = [
        SliceRow(one, e, part)
        for one in made.parts
        for part in one.slices
        for e in (*part.estimates, *part.by_group)
    ]
    columns: Mapping[str, Callable[[SliceRow], Value]] = {
        "matrix": lambda row: row.one.source.name,
        "by": lambda row: ",".join(row.part.columns),
        "slice": lambda row: ",".join(row.part.about.values()),
        "people": lambda row: row.part.people,
        "group": lambda row: row.e.groups.get(row.one.source.view.rows, ""),
        "measure": lambda row: row.e.name,
        "n": lambda row: row.e.n,
        "raters": lambda row: row.raters,
        **_raw("value"),
        "why": lambda row: row.e.why,
    }
    return file_table("Alignment by slices of annotators", rows, columns)


def _raw(value: str) -> Getters:
    """A number with its interval and its p."""
    return {
        value: lambda row: row.e.value,
        "low": lambda row: row.e.low,
        "high": lambda row: row.e.high,
        "p": lambda row: row.e.p,
        "p_holm": lambda row: row.e.p_adjusted,
    }
