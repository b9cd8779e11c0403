"""Suggestions: whom to compare next.

Reading order: :mod:`suggestions`, then :mod:`design`, which knows how certain everything is.
"""
