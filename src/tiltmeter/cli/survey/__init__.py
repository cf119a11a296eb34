"""tiltmeter survey …: forms, answers, accounts, boards."""
