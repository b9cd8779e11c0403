"""Slow, obvious twins of the fast code, and checks that trust nothing a solver says."""
