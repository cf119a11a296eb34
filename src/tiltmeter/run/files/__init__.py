"""Results on disk: run folders, tables of records, merged runs, and files that users name."""
