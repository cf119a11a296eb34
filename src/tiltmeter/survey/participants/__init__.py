"""Who took part and what they are owed: pay, platform ids, a panel's own data about them."""
