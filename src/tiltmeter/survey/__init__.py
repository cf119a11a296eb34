"""People's judgments: leaderboards with hidden labels."""
