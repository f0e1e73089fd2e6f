"""Tables whose columns are worked out: from each other, from what came before, step by step."""
