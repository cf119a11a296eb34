"""Benchmarks: Tiltmeter beside other ways of computing the same numbers. `python -m benchmarks`.

One file is one benchmark; files whose names begin with an underscore hold what several share. A
benchmark has

- a docstring, whose first line is its title in the output;
- a function `rows(settings: Settings) -> Iterator[Row]`, which gives a row as soon as it is
  measured. It obeys `settings.quick` (some seconds), `settings.tiny` (tests: the smallest models and
  data that still go through everything) and, where it works on pairs, `settings.pairs`.

Nothing is registered: the file's name is the benchmark's. A benchmark that compares Tiltmeter with other
programs has a constant `TASK`, the name of the task in tables. Each row of another program has the ratio
of its time to Tiltmeter's (`TIMES`), how many decisions are equal (`SAME`) and, where there are numbers to
compare, the largest difference (`DIFFERENCE`).

A row compares like with like: the same model, the same items, the same process. What cannot run here
(a package is not installed, there is no GPU) gives `Row(..., skipped="reason")`. No goal is checked here;
the table says what was measured.
"""
