"""Articles made at random, right by construction, and the same with mistakes planted in them."""
