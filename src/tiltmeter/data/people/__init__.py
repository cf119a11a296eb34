"""People's answers: ratings of groups, and answers of annotators in many layouts."""
