"""What a study says of itself in documents: data statement, datasheet, orders."""
