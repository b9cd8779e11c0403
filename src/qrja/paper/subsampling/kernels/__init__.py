"""Compiled: what many draws of the same pairs have in common."""
