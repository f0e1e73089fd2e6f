"""Files as segments of text and mathematics, each character with its place as stored."""
