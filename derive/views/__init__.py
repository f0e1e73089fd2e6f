"""What a page says: a derivation turned into blocks."""
