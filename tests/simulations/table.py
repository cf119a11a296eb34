"""The tables of docs/explanation/coverage: `python -m simulations.table` prints them."""

import sys

from simulations.cases import by_pattern, concentrated_row, coverage, rejections, row, worst_pattern
from simulations.comparisons import COMPARED_CASES, COMPARED_NULL_CASES
from simulations.controls import CONTROL_CASES, CONTROL_NULL_CASES
from simulations.differences import DIFFERENCE_CASES, NULL_CASES
from simulations.further_intervals import MORE_CASES
from simulations.intervals import CASES
from simulations.item_tables import ITEM_NULL_CASES
from simulations.judges import CASES as JUDGE_CASES
from simulations.judges import NULL_CASES as JUDGE_NULL_CASES
from simulations.measures import CONCENTRATED_CASES, PATTERN_CASES
from simulations.rejections import MORE_NULL_CASES
from simulations.repeats import CASES as REPEAT_CASES
from simulations.shown_orders import CASES as ORDER_CASES
from simulations.shown_orders import NULL_CASES as ORDER_NULL_CASES
from simulations.sizes import SQUARE_CASES, SQUARE_NULL_CASES
from simulations.versions import CASES as VERSION_CASES
from simulations.versions import NULL_CASES as VERSION_NULL_CASES
from simulations.word_lists import CASES as WORD_LIST_CASES
from simulations.word_pairs import CASES as WORD_PAIR_CASES
from simulations.word_pairs import NULL_CASES as WORD_PAIR_NULL_CASES
from simulations.wordings import CASES as WORDING_CASES

ALL_CASES = (
    *CASES, *DIFFERENCE_CASES, *MORE_CASES, *COMPARED_CASES, *SQUARE_CASES, *REPEAT_CASES,
    *WORDING_CASES, *VERSION_CASES, *WORD_LIST_CASES, *JUDGE_CASES, *CONTROL_CASES,
    *WORD_PAIR_CASES, *ORDER_CASES,
)  # fmt: skip
ALL_NULL_CASES = (
    *NULL_CASES, *MORE_NULL_CASES, *COMPARED_NULL_CASES, *SQUARE_NULL_CASES, *VERSION_NULL_CASES,
    *ITEM_NULL_CASES, *JUDGE_NULL_CASES, *CONTROL_NULL_CASES, *WORD_PAIR_NULL_CASES,
    *ORDER_NULL_CASES,
)  # fmt: skip
if __name__ == "__main__":
    wanted = sys.argv[1:]
    for case in (*ALL_CASES, *ALL_NULL_CASES):
        if all(word in row(case) for word in wanted):
            found = rejections(case) if case in ALL_NULL_CASES else coverage(case)
            sys.stdout.write(f"{row(case)} {found:.1f} |\n")
            sys.stdout.flush()
    for case in PATTERN_CASES:
        if all(word in row(case) for word in wanted):
            found, pattern = worst_pattern(case)
            sys.stdout.write(f"{row(case)} {found:.1f}, {pattern} |\n")
            sys.stdout.flush()
    for case in CONCENTRATED_CASES:
        if all(word in concentrated_row(case) for word in wanted):
            of_patterns = (
                f"{100 * inside / made:.1f}" if made else "none"
                for made, inside in by_pattern(case).values()
            )
            sys.stdout.write(f"{concentrated_row(case)} {' | '.join(of_patterns)} |\n")
            sys.stdout.flush()
