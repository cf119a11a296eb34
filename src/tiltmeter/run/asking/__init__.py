"""How a model's requests are answered, in this process or by workers, and how many are allowed."""
