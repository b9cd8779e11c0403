"""Laplacian: solving ``L v = g`` on the comparison graph.

Reading order: :mod:`operator` (products with L in time proportional to the input),
:mod:`preconditioners`, :mod:`weightings` (many weightings of the same contests at once),
:mod:`network` (the problem as arcs, cut into blocks), :mod:`reweighted` (many weightings of a
block, one after the other).
"""
