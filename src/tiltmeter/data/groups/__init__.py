"""Social groups, traits, identities, premises, and their combinations."""
