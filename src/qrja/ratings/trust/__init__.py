"""Trust: what ratings rest on.

Reading order: :mod:`examination` (all checks, and the verdict), :mod:`findings` (what a check says
of a case), :mod:`graph_checks` with :mod:`bridges` (who can be compared, and what that hangs on),
:mod:`fit_checks` with :mod:`residuals` and :mod:`cycles` (what no rating explains),
:mod:`stated_errors` (whether standard errors account for it), :mod:`undecided` (whose order depends
on the choice of an optimum), :mod:`disagreements` (evidence against evidence),
:mod:`panel_check` (the judges), :mod:`scale_check` (whether contests are on one scale),
:mod:`name_check` (whether names look alike).
"""

from typing import TYPE_CHECKING

from qrja.lazy import lazily
from qrja.ratings.trust.findings import Finding
from qrja.ratings.trust.scale_check import advise_scale

if TYPE_CHECKING:
    from qrja.ratings.trust.examination import TrustReport, examine

__all__ = ["Finding", "TrustReport", "advise_scale", "examine"]

# All checks take a while to load, and a hint about scales is given without them.
__getattr__ = lazily(
    __name__, dict.fromkeys(["TrustReport", "examine"], "qrja.ratings.trust.examination")
)
