"""Trust: what ratings rest on.

Reading order: :mod:`findings` (the report), :mod:`graph_checks` with :mod:`bridges` (who can be
compared, and what that hangs on), :mod:`fit_checks` with :mod:`residuals` and :mod:`cycles` (what
no rating explains).
"""
