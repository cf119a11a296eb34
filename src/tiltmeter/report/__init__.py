"""Present results to readers: tables in the terminal, pictures, pages and exported files."""
