"""The words of an article: which quantity a name means, and what it says of its conventions."""
