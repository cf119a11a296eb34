"""Leaderboards with hidden labels: submissions are checked, scored, limited in number and ranked."""
