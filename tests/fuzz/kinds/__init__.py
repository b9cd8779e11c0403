"""The kinds of cases, one file each; ``KINDS`` lists them in the order of a run."""

from __future__ import annotations

from fuzz.kind import Kind
from fuzz.kinds import (
    configs,
    damage,
    disks,
    documents,
    forgeries,
    formats,
    histories,
    invariances,
    models,
    names,
    notebooks,
    places,
    resources,
    shards,
    signals,
    solvers,
    staging,
    tables,
    writers,
)

__all__ = ["KINDS"]

_ALL = (
    *(solvers, models, invariances, histories, shards),
    *(tables, documents, formats, places, damage, staging, forgeries),
    *(names, configs, disks, writers, signals, notebooks, resources),
)
KINDS: dict[str, Kind] = {it.KIND.name: it.KIND for it in _ALL} | {"bits": damage.EVERY_BIT}
