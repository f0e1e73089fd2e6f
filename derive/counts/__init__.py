"""Shapes, parameters and multiply-adds of whole models, from their sizes alone."""

from derive.counts.architecture import Architecture, Parts, Published
from derive.counts.models import table_of
from derive.counts.table import Group, Part, ShapeTable

__all__ = ["Architecture", "Group", "Part", "Parts", "Published", "ShapeTable", "table_of"]
