"""Worksheets: problems drawn, left blank, and keyed; answers marked."""
