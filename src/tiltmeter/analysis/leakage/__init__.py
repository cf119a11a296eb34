"""How far stereotypes of other cultures explain what a model says in one language."""
