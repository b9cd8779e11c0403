"""From model options to arguments of :func:`qrja.fit`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from qrja.cli.option_groups import Modelling
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.data import Problem
    from qrja.tables import Table


def fit_arguments(modelling: Modelling, table: Table) -> dict[str, Any]:
    """Return the arguments of a fit of a table; anchors are found among its contestants."""
    anchors = [
        *parse_anchors(modelling.anchor or [], table.problem),
        *read_anchors(modelling.anchors, table),
    ]
    return model_arguments(modelling) | {"anchors": anchors or None}


def check_modelling(modelling: Modelling) -> None:
    """Check what can be checked of a model before there is a table.

    Examples
    --------
    >>> check_modelling(Modelling(anchor=["Bob"]))
    Traceback (most recent call last):
    qrja.errors.InputError: anchor is 'Bob'; write NAME=RATING, such as Bob=1500, or NAME=RATING+-SE
    """
    from qrja.ratings import check_model
    from qrja.tables import Units

    asked = model_arguments(modelling)
    if asked["p"] == "auto":
        asked["p"] = Modelling.p
    del asked["covariate_ridge"]  # it is checked with the covariates
    check_model(Units(), **asked, prior=None, anchors=None, tol=1e-9)
    for text in modelling.anchor or []:
        split_anchor(text)


def model_arguments(modelling: Modelling) -> dict[str, Any]:
    """Return the arguments of a fit that need no table."""
    from qrja import losses

    if modelling.loss is not None and modelling.p != Modelling.p:
        raise InputError("--loss and --p are two ways to name a loss; give one of them")
    return {
        "p": modelling.p,
        "loss": None if modelling.loss is None else losses.parse(modelling.loss),
        "half_life": parse_half_life(modelling.half_life),
        "drift": parse_half_life(modelling.drift),
        "per": modelling.per,
        "parts": modelling.with_,
        "covariate_ridge": parse_covariate_ridge(modelling.covariate_ridge),
        "ridge": modelling.ridge,
        "random_effects": modelling.random_effects,
    }


def read_anchors(source: str | None, table: Table) -> list[tuple[Hashable, Any]]:
    """Read known values from a file; those of nobody in the table are left out."""
    from qrja.tables import read_known_values

    if source is None:
        return []
    known = read_known_values(source)
    by_text = {str(name): name for name in table.problem.names}
    sign = -1.0 if table.units.lower_is_better else 1.0
    se = known.se or (None,) * len(known.names)
    found = [
        (by_text[str(name)], sign * value if error is None else (sign * value, error))
        for name, value, error in zip(known.names, known.value, se, strict=True)
        if str(name) in by_text
    ]
    if not found:
        raise InputError(
            f"{source}: none of its {len(known.names)} names, such as {known.names[0]!r}, is in the"
            " table; name its columns, FILE:NAME,VALUE,SE"
        )
    return found


def tell_anchors(source: str, found: int) -> str:
    """Say what was taken from a file of known values."""
    from qrja.tables import read_known_values

    known = read_known_values(source)
    name, value, *error = known.columns
    said = f"the name is {name!r}, the value {value!r}"
    said += f", its standard error {error[0]!r}" if error else ", taken as exact"
    return f"anchors: {found} of {len(known.names)} known values are of contestants; {said}"


def parse_covariate_ridge(texts: Sequence[str] | None) -> float | dict[str, float] | None:
    """Read ridges on covariates: one number for all, or ``NAME=X`` for some.

    Examples
    --------
    >>> parse_covariate_ridge(["2"]), parse_covariate_ridge(["surface=0.5"])
    (2.0, {'surface': 0.5})
    """
    from qrja.tables.values import read_number

    by_name: dict[str, float] = {}
    for text in texts or []:
        name, _, given = text.rpartition("=")
        name, value = name.strip(), read_number(given.strip())
        if value is None or (not name and len(texts or []) > 1):
            raise InputError(
                f"covariate ridge is {text!r}; write one number for all, such as 2, or NAME=X for"
                " each, such as surface=2"
            )
        if not name:
            return value
        if name in by_name:
            raise InputError(f"the covariate ridge of {name!r} is given twice; keep one")
        by_name[name] = value
    return by_name or None


def parse_half_life(text: str | None) -> float | str | None:
    """Read a half-life, or a drift: of a bare number the data decide the unit.

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


def parse_anchors(texts: Sequence[str], problem: Problem) -> list[tuple[Hashable, Any]]:
    """Read anchors such as ``Bob=1500`` or ``Bob=+8:00``, and measured ones, ``Bob=1500+-20``.

    Examples
    --------
    >>> from qrja import Judgments
    >>> judged = Judgments.from_arrays(["Bob", "Cid"], ["Cid", "Dan"], [1, 2])
    >>> parse_anchors(["Bob=1500", "Cid=-0:30", "Dan=7+-0.5"], judged)
    [('Bob', 1500.0), ('Cid', -30.0), ('Dan', (7.0, 0.5))]
    """
    from qrja.ratings import number_in

    pairs = (split_anchor(text) for text in texts)
    return [(problem.names[number_in(problem, name)], value) for name, value in pairs]


def split_anchor(text: str) -> tuple[str, Any]:
    """Read the name and the rating of an anchor, with its standard error if it has one."""
    from qrja.tables.values import read_number

    name, equals, given = text.rpartition("=")
    rating, uncertain, error = given.replace("\u00b1", "+-").partition("+-")
    value, se = read_number(rating.strip()), read_number(error.strip())
    if not equals or value is None or (uncertain and se is None):
        raise InputError(
            f"anchor is {text!r}; write NAME=RATING, such as Bob=1500, or NAME=RATING+-SE"
        )
    return name.strip(), (value, se) if uncertain else value
