"""How local models write replies: draws, beams, and several replies at once."""
