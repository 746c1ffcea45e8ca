"""Four small games that use every word of the rulebook, and what must hold for them."""
