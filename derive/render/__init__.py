"""How a page is printed: blocks turned into text."""
