"""From model options to arguments of :func:`qrja.fit`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from qrja.cli.option_groups import Modelling
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.tables import Table


def fit_arguments(modelling: Modelling, table: Table) -> dict[str, Any]:
    """Return the arguments of a fit of a table; anchors are found among its contestants."""
    from qrja import losses

    if modelling.loss is not None and modelling.p != Modelling.p:
        raise InputError("--loss and --p are two ways to name a loss; give one of them")
    return {
        "p": modelling.p,
        "loss": None if modelling.loss is None else losses.parse(modelling.loss),
        "half_life": parse_half_life(modelling.half_life),
        "ridge": modelling.ridge,
        "random_effects": modelling.random_effects,
        "anchors": parse_anchors(modelling.anchor or [], table.problem.names) or None,
    }


def parse_half_life(text: str | None) -> float | str | None:
    """Read a half-life: a bare number is days where there are dates, else contests.

    Examples
    --------
    >>> parse_half_life("365"), parse_half_life("20 contests")
    (365.0, '20 contests')
    """
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return str(text)


def parse_anchors(texts: Sequence[str], names: Sequence[Hashable]) -> list[tuple[Hashable, float]]:
    """Read anchors such as ``Bob=1500`` or ``Bob=+8:00``.

    Examples
    --------
    >>> parse_anchors(["Bob=1500", "Cid=-0:30"], ["Bob", "Cid"])
    [('Bob', 1500.0), ('Cid', -30.0)]
    """
    from qrja.ratings import number_of
    from qrja.tables.values import read_number

    anchors = []
    for text in texts:
        name, equals, given = text.rpartition("=")
        value = read_number(given.strip())
        if not equals or value is None:
            raise InputError(f"anchor is {text!r}; write NAME=RATING, such as Bob=1500")
        anchors.append((names[number_of(names, name.strip())], value))
    return anchors
