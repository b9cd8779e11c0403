"""Shared terms: what all contestants have in common, such as the worth of playing at home.

    x_a - x_b + z_i . beta  ~  y_i

Reading order: :mod:`term_names` (which terms are asked for), :mod:`term_columns` (their columns z,
a number for each entry), :mod:`estimates` (what was found).
"""

from qrja.terms.estimates import Estimates
from qrja.terms.term_columns import TermColumns, columns_for, with_products
from qrja.terms.term_names import HOME, IF_ANY, TIMES, Term, as_terms, covariates_of, pull_terms

__all__ = [
    "HOME",
    "IF_ANY",
    "TIMES",
    "Estimates",
    "Term",
    "TermColumns",
    "as_terms",
    "columns_for",
    "covariates_of",
    "pull_terms",
    "with_products",
]
