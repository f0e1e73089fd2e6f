"""Single numbers in running text, and what the words beside them say of them."""
