"""Trust: what ratings rest on.

Reading order: :mod:`examination` (all checks, and the verdict), :mod:`findings` (what a check says
of a case), :mod:`graph_checks` with :mod:`bridges` (who can be compared, and what that hangs on),
:mod:`fit_checks` with :mod:`residuals` and :mod:`cycles` (what no rating explains),
:mod:`stated_errors` (whether standard errors account for it), :mod:`undecided` (whose order depends
on the choice of an optimum), :mod:`disagreements` (evidence against evidence),
:mod:`panel_check` (the judges), :mod:`scale_check` (whether contests are on one scale),
:mod:`name_check` (whether names look alike).
"""

from qrja.ratings.trust.examination import TrustReport, examine
from qrja.ratings.trust.findings import Finding
from qrja.ratings.trust.scale_check import advise_scale

__all__ = ["Finding", "TrustReport", "advise_scale", "examine"]
