"""Matrices as they are drawn in text: tables, boxes, lists and columns."""
