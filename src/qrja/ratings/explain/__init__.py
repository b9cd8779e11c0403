"""Explanations: why two ratings differ.

Reading order: :mod:`explanation` (what an explanation holds), :mod:`currents` (how evidence flows),
:mod:`chains` (a current as chains of common opponents), :mod:`evidence` (both put together: p = 2
and most losses), :mod:`tightness` (p = 1), :mod:`sentences` and :mod:`drawings`.
"""
