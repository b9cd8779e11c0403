"""Kernels: inner loops that are compiled when that pays, and interpreted before.

Written once, as plain functions over arrays, and run in one of two ways with the same result:

============== =======================================================================
interpreted    at once; a hundred times slower, which small work does not notice; passes over
               long arrays that have a form without a loop, only some times slower
compiled       after the compiler was loaded (0.5 s) and ran (seconds, once a machine)
============== =======================================================================

Reading order: :mod:`which_way` (the decorators, and which way a call takes), :mod:`interpreter`,
:mod:`machine` with :mod:`fingerprint` (when to compile anew), and what both begin with,
:mod:`kernel_source`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from qrja.jit.which_way import (
    compiled,
    compiling_all,
    in_arrays,
    inner,
    is_ready,
    kernel,
    load_compiler,
    may_compile,
    numeric,
    threaded,
    tiny,
    tiny_vector,
    vector,
)

# The type checker knows nothing of compiled types: there int and np.int64 are one.
Int: TypeAlias = Any
Float: TypeAlias = Any
Bool: TypeAlias = Any
Table: TypeAlias = Any
"""An array, of numbers or of the records in :mod:`qrja.solvers.l1.records`."""
Tables: TypeAlias = Any
"""A named tuple of arrays."""

__all__ = [
    "Bool",
    "Float",
    "Int",
    "Table",
    "Tables",
    "compiled",
    "compiling_all",
    "in_arrays",
    "inner",
    "is_ready",
    "kernel",
    "load_compiler",
    "may_compile",
    "numeric",
    "threaded",
    "tiny",
    "tiny_vector",
    "vector",
]
