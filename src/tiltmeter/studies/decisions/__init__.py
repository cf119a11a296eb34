"""Who gets chosen: rankings of résumés, yes/no decisions about people, or outcomes that somebody recorded."""
