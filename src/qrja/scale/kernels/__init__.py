"""Compiled: what one shard adds to a sum over all of them."""
