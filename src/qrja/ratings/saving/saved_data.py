"""The results in a saved file: contests, judgments, or what is known of data read in passes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from qrja.data import (
    CONTESTED,
    JUDGED,
    Contests,
    Covariate,
    Covariates,
    Judgments,
    Nouns,
    Pairs,
    frozen,
    indices,
)
from qrja.errors import InputError
from qrja.ratings.fitted import Fit, is_elsewhere
from qrja.ratings.saving.archive import Archive
from qrja.ratings.saving.saved_labels import label, unlabels
from qrja.ratings.saving.saved_values import (
    checked_count,
    checked_rows,
    checked_text,
    checked_word,
)
from qrja.tables import CANDIDATES, EVENTS

_GROUPED = {"judges": "judge", "studies": "study", "topics": "topic"}
"""The labels of what contests and judgments are of, and the array that says which is whose."""


def describe_data(ratings: Fit) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what the header says of results, and their arrays."""
    data = ratings.data
    header: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    if is_elsewhere(data):
        header["elsewhere"] = [len(data), data.entries, data.directed]
        arrays["appearances"] = ratings.appearances
    elif isinstance(data, Contests):
        header["labels"], header["pairs"] = [label(one) for one in data.labels], data.pairs
        arrays |= {"start": data.start, "who": data.who, "score": data.score, "weight": data.weight}
    else:
        arrays |= {"a": data.a, "b": data.b, "y": data.y, "w": data.w}
        if data.se is not None:
            arrays["se"] = data.se
    if data.date is not None:
        arrays["date"] = data.date.astype("datetime64[s]").astype(np.int64)
    for many, one in _GROUPED.items() if not is_elsewhere(data) else ():
        if (of := getattr(data, one)) is not None:
            arrays[one] = of
            header[many] = [label(name) for name in getattr(data, many)]
    if data.covariates:
        known = [[one.name, [label(it) for it in one.levels]] for one in data.covariates]
        header["covariates"] = known
        arrays["covariates"] = np.concatenate([one.values for one in data.covariates])
    return header, arrays


def rebuild_data(archive: Archive, names: tuple[Hashable, ...]) -> Contests | Judgments:
    """Make the results again from the header and the arrays of a file."""
    header = archive.header
    if "elsewhere" in header:
        return _rebuild_elsewhere(archive, names)  # type: ignore[no-any-return]
    labels: dict[str, Any] = {
        name: unlabels(header[name], what) for name, what in _GROUPED.items() if name in header
    }
    for of, name in _GROUPED.items():
        if (of in labels) != (name in archive):
            raise InputError(f"{of} are named, and the array {name!r} does not say whose is what")
    optional: dict[str, Any] = archive.some(("judge", "se", "study", "topic"))
    optional["covariates"] = _rebuild_covariates(archive)
    date = None
    if "date" in archive:
        date = frozen(archive.array("date").astype(np.int64).astype("datetime64[s]"))
    if "labels" not in header:
        a, b, y, w = (archive.array(name) for name in "abyw")
        nouns = _rebuild_nouns(header, JUDGED)
        return Judgments(a, b, y, w, names, **optional, **labels, date=date, nouns=nouns)
    return Contests(
        archive.array("start"),
        archive.array("who"),
        archive.array("score"),
        names,
        unlabels(header["labels"], "label"),
        archive.array("weight"),
        date,
        checked_word(header.get("pairs"), "pairs", get_args(Pairs)),
        **optional,
        **labels,
        nouns=_rebuild_nouns(header, CONTESTED),
    )


def _rebuild_elsewhere(archive: Archive, names: tuple[Hashable, ...]) -> Any:
    """Make again what is known of data that were read in passes."""
    from qrja.scale import FarProblem

    ((contests, entries, directed),) = checked_rows([archive.header["elsewhere"]], "elsewhere", 3)
    directed = checked_word(directed, "directed", (False, True)) is True
    components = indices(archive.array("components"), max(len(names), 1), "component")
    appearances = archive.array("appearances").astype(np.int64)
    if len(appearances) != len(names) or (appearances < 0).any():
        raise InputError(f"{len(names)} names have {len(appearances)} counts of contests")
    return FarProblem(
        names,
        components,
        appearances,
        checked_count(contests, "contests"),
        checked_count(entries, "entries"),
        directed,
        _rebuild_nouns(archive.header, JUDGED if directed else CONTESTED),
    )


def _rebuild_nouns(header: dict[str, Any], usual: Nouns) -> Nouns:
    """Return what the candidates are called; older files do not say, and only known words count."""
    if "nouns" not in header:
        return usual
    ((event, candidate),) = checked_rows([header["nouns"]], "nouns", 2)
    return Nouns(
        checked_word(event, "what compares", (usual.event, *EVENTS)),
        checked_word(candidate, "what is rated", (usual.candidate, *CANDIDATES)),
    )


def _rebuild_covariates(archive: Archive) -> Covariates:
    if "covariates" not in archive.header:  # older files have none
        return ()
    told = checked_rows(archive.header["covariates"], "covariates", 2)
    values = archive.array("covariates")
    if not told or len(values) % len(told):
        raise InputError(f"{len(told)} covariates have {len(values)} values")
    values = values.reshape(len(told), -1)
    return tuple(
        Covariate(checked_text(name, "covariate"), column, unlabels(levels, "level"))
        for (name, levels), column in zip(told, values, strict=True)
    )
