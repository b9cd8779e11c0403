"""Save and load: ratings in one file that any program can open and none has to run.

The file is a ZIP archive. ``ratings.json`` holds the names, the labels, the model and what was
proved; each array is a ``.npy`` file beside it. Nothing is pickled, so loading runs no code of the
file. It is written beside its place and renamed into it; on loading everything is checked as if it
came from a user. ``VERSION`` is raised whenever older programs could not read the file.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Hashable
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja import losses
from qrja.data import Contests, Judgments, floats, frozen, indices
from qrja.errors import InputError
from qrja.ratings.decay import HalfLife
from qrja.ratings.fitted import Fit
from qrja.ratings.model import Model, ModelChoice
from qrja.ratings.precision import check_random_effects
from qrja.solution import Solution
from qrja.tables import Units
from qrja.tables.out import FileVersion, as_path, held, save_whole

FORMAT, VERSION = "qrja ratings", 1
HEADER = "ratings.json"
_STAMP = (1980, 1, 1, 0, 0, 0)
"""The same ratings make the same file, whenever they are saved."""
_PROVED = ("objective", "lower_bound", "gap", "status", "certificate", "optimum", "loss")
_TOLD = ("iterations", "seconds", "norm")


def save(ratings: Fit, path: str | os.PathLike[str]) -> None:
    """Write ratings into a file, see :meth:`qrja.Ratings.save`."""
    data = ratings.data
    arrays: dict[str, NDArray[Any]] = {
        "x": ratings.solution.x,
        "components": ratings.solution.components,
    }
    header = {
        "format": FORMAT,
        "version": VERSION,
        "names": [_label(name) for name in data.names],
        "units": asdict(ratings.units),
        "model": _describe_model(ratings.model),
        "kind": ratings.kind,
        "reading": ratings.reading,
        "choice": None
        if ratings.choice is None
        else [str(ratings.choice), ratings.choice.objective],
        "solution": {name: _number(getattr(ratings.solution, name)) for name in (*_PROVED, *_TOLD)},
    }
    if isinstance(data, Contests):
        header["labels"], header["pairs"] = [_label(label) for label in data.labels], data.pairs
        arrays |= {"start": data.start, "who": data.who, "score": data.score, "weight": data.weight}
        if data.date is not None:
            arrays["date"] = data.date.astype("datetime64[s]").astype(np.int64)
    else:
        arrays |= {"a": data.a, "b": data.b, "y": data.y, "w": data.w}
        if data.se is not None:
            arrays["se"] = data.se
        if data.study is not None:
            arrays["study"] = data.study
            header["studies"] = [_label(study) for study in data.studies]
    if data.judge is not None:
        arrays["judge"] = data.judge
        header["judges"] = [_label(judge) for judge in data.judges]
    content = _pack(json.dumps(header, ensure_ascii=False, allow_nan=False, indent=1), arrays)
    place = as_path(path)
    with held(place):
        ratings.stored.check(place)
        save_whole(place, lambda part: part.write_bytes(content))
        ratings.stored.note(place)


def read_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the fields of a fit from a file, see :func:`qrja.load`."""
    path = as_path(path)
    stored = FileVersion()
    try:
        stored.note(path)  # before it is read: what comes after is another version
        with zipfile.ZipFile(path) as archive:
            header = _read_header(archive, path)
            return {**_rebuild(header, _Arrays(archive), path), "stored": stored}
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError):
        raise InputError(
            f"{path}: is not a whole file of ratings; save them again with ratings.save"
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError, EOFError) as error:
        raise InputError(f"{path}: is damaged: {error}") from None


# ---------------------------------------------------------------------- writing


def _pack(header: str, arrays: dict[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(HEADER, _STAMP), header, zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
            stamped = zipfile.ZipInfo(f"{name}.npy", _STAMP)
            archive.writestr(stamped, part.getvalue(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _label(label: Hashable) -> Any:
    """Write a name or a label; what is no text or number says what it is."""
    if label is None or isinstance(label, str | bool | int | float):
        return label
    if isinstance(label, datetime | date):
        kind = "datetime" if isinstance(label, datetime) else "date"
        return {kind: label.isoformat()}
    if isinstance(label, tuple):
        return {"tuple": [_label(part) for part in label]}
    raise InputError(
        f"the name {label!r} is a {type(label).__name__} and cannot be saved; use texts or numbers"
    )


def _number(value: Any) -> Any:
    """Write a number; JSON has no infinity."""
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def _describe_model(model: Model) -> dict[str, Any]:
    return {
        "p": _number(float(model.p)),
        "loss": None if model.loss is None else losses.describe(model.loss),
        "half_life": None if model.half_life is None else asdict(model.half_life),
        "ridge": model.ridge,
        "prior": _describe_known(model.prior),
        "anchors": _describe_known(model.anchors),
        "tol": model.tol,
        "random_effects": model.random_effects,
        "measured": [[_label(name), *pair] for name, pair in (model.measured or {}).items()],
    }


def _describe_known(known: Any) -> list[Any] | None:
    if known is None:
        return None
    return [[_label(name), float(value)] for name, value in known.items()]


# ---------------------------------------------------------------------- reading


class _Arrays:
    """The arrays of an archive, read when asked for."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._archive.namelist()

    def get(self, name: str) -> NDArray[Any] | None:
        if name not in self:
            return None
        return self[name]

    def __getitem__(self, name: str) -> NDArray[Any]:
        with self._archive.open(f"{name}.npy") as part:
            return np.asarray(np.lib.format.read_array(io.BytesIO(part.read()), allow_pickle=False))


def _read_header(archive: zipfile.ZipFile, path: str | os.PathLike[str]) -> dict[str, Any]:
    if HEADER not in archive.namelist():
        raise InputError(f"{path}: is a ZIP file, but not of ratings; give one of ratings.save")
    header = json.loads(archive.read(HEADER))
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{path}: is a ZIP file, but not of ratings; give one of ratings.save")
    if header.get("version") != VERSION:
        raise InputError(
            f"{path}: has version {header.get('version')} of the format, and this is version"
            f" {VERSION}; use the qrja that wrote it, or a later one"
        )
    return header


def _rebuild(
    header: dict[str, Any], arrays: _Arrays, path: str | os.PathLike[str]
) -> dict[str, Any]:
    """Check the parts of a file as if they came from a user."""
    try:
        return _rebuild_fields(header, arrays)
    except InputError as error:
        raise InputError(f"{path}: is damaged: {error}") from None


def _rebuild_fields(header: dict[str, Any], arrays: _Arrays) -> dict[str, Any]:
    names = tuple(_unlabel(name) for name in header["names"])
    data = _rebuild_data(header, arrays, names)
    model = _rebuild_model(header["model"])
    problem = model.weigh(data)
    told = {name: _unnumber(header["solution"][name]) for name in (*_PROVED, *_TOLD)}
    x = floats(arrays["x"], "rating")
    components = indices(arrays["components"], max(len(names), 1), "component")
    if len(x) != len(names) or len(components) != len(names):
        raise InputError(f"{len(names)} names have {len(x)} ratings")
    solution = Solution(
        x=x,
        names=names,
        components=components,
        minimised=model.minimised(problem),
        # As large as the pairs, and seldom asked for: both are found anew.
        _flow=lambda: model.solve(problem).flow(),
        _face=lambda: model.solve(problem).face().numbered,
        **told,
    )
    choice = header.get("choice")  # older files have none
    return {
        "problem": problem,
        "solution": solution,
        "units": Units(**header["units"]),
        "model": model,
        "data": data,
        "kind": header["kind"],
        "reading": header["reading"],
        "choice": None if choice is None else ModelChoice(*choice),
    }


def _rebuild_data(
    header: dict[str, Any], arrays: _Arrays, names: tuple[Hashable, ...]
) -> Contests | Judgments:
    if "labels" not in header:
        a, b, y, w = (arrays[name] for name in "abyw")
        optional: dict[str, Any] = {
            name: arrays[name] for name in ("judge", "se", "study") if name in arrays
        }
        labels: dict[str, Any] = {
            name: tuple(_unlabel(label) for label in header[name])
            for name in ("judges", "studies")
            if name in header
        }
        return Judgments(a, b, y, w, names, **optional, **labels)
    date = None
    if "date" in arrays:
        date = frozen(arrays["date"].astype(np.int64).astype("datetime64[s]"))
    return Contests(
        arrays["start"],
        arrays["who"],
        arrays["score"],
        names,
        tuple(_unlabel(label) for label in header["labels"]),
        arrays["weight"],
        date,
        header["pairs"],
        judge=arrays.get("judge"),  # older files have none
        judges=tuple(_unlabel(label) for label in header.get("judges", ())),
    )


def _rebuild_model(told: dict[str, Any]) -> Model:
    half_life = told["half_life"]
    return Model(
        p=_unnumber(told["p"]),
        loss=None if told["loss"] is None else losses.restore(told["loss"]),
        half_life=None if half_life is None else HalfLife(**half_life),
        ridge=float(told["ridge"]),
        prior=_rebuild_known(told["prior"]),
        anchors=_rebuild_known(told["anchors"]),
        tol=float(told["tol"]),
        random_effects=check_random_effects(told.get("random_effects")),  # older files have none
        measured={
            _unlabel(name): (float(value), float(se))
            for name, value, se in told.get("measured", ())
        }
        or None,
    )


def _rebuild_known(told: list[Any] | None) -> dict[Hashable, float] | None:
    return None if told is None else {_unlabel(name): float(value) for name, value in told}


def _unlabel(told: Any) -> Hashable:
    if not isinstance(told, dict):
        return told  # type: ignore[no-any-return]
    ((kind, value),) = told.items()
    if kind == "tuple":
        return tuple(_unlabel(part) for part in value)
    return datetime.fromisoformat(value) if kind == "datetime" else date.fromisoformat(value)


def _unnumber(told: Any) -> Any:
    return float(told) if told in ("inf", "-inf", "nan") else told
