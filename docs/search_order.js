// Sphinx's scores for its search, but a heading with the words as they were typed comes first, and modules come last.
var Scorer = {
  score: ([, , , , score, , kind]) =>
    kind === "title" ? score + 20 : kind === "object" ? score - 10 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
