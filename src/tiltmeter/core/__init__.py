"""Items, questions, records, studies, errors: what everything else is written in. Needs only numpy."""
