"""The signs, numbers and expressions of an article: what is written, before it is worked out."""
