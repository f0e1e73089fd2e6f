"""Printed matrices: recognised as a step, made by an expression, or given."""
