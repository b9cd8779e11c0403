"""The numbers of one data set: a JSON file that grows as experiments finish.

It has the keys of the authors' numbers, ``zero``, ``main``, ``entrywise``, ``subsample`` and
``mf_epochs``, and is written anew whenever a figure is complete. Figures of an earlier run are kept
if they are of the same data, rules and version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qrja.backtesting import Run
from qrja.metrics import Sums
from qrja.paper.experiments import (
    ENTRYWISE,
    FACTORED,
    MAIN,
    RATES,
    SUBSAMPLED,
    entrywise_figures,
    epoch_figures,
    epochs_of,
    main_figures,
    subsample_figures,
    subsampled_name,
    zero_figures,
)
from qrja.tables.out import write_text

Results = Mapping[str, tuple[Run, ...]]
"""Name of a ranker, or of a variant of it -> its runs."""


class SetReport:
    """The figures of one data set under one rule set.

    Parameters
    ----------
    dataset, rules : str
        Of what.
    of : str
        A fingerprint of data, rules and version.
    path : path
        Where to write.
    rankers : sequence of str
        Those of the main experiment, in the order to list them.
    experiments : collection of str
        Which of them to report.
    repeats : int
        Of the subsampling experiment.
    """

    def __init__(
        self,
        dataset: str,
        rules: str,
        of: str,
        path: Path,
        rankers: tuple[str, ...],
        experiments: frozenset[str],
        repeats: int,
    ) -> None:
        self.path, self.rankers, self.experiments = path, rankers, experiments
        self.repeats = repeats
        self.results: dict[str, tuple[Run, ...]] = {}
        self.head = {"dataset": dataset, "rules": rules, "of": of}

    def add(self, name: str, runs: tuple[Run, ...]) -> None:
        """Add the result of a ranker and write the file anew."""
        self.results[name] = runs
        write_text(json.dumps(self.document(), indent=1, ensure_ascii=False) + "\n", self.path)

    def document(self) -> dict[str, Any]:
        """Return everything known so far, in an order that does not depend on who came first."""
        figures = {
            "zero": zero_figures(self._total("zero")) if "zero" in self.results else {},
            "main": self._main(),
            "entrywise": self._entrywise(),
            "subsample": self._subsample(),
            "mf_epochs": self._epochs(),
        }
        before = _read(self.path, self.head)  # another run may have added to it meanwhile
        known = {key: _join(before.get(key, {}), new) for key, new in figures.items()}
        return self.head | {key: value for key, value in known.items() if value}

    def _total(self, name: str) -> Sums:
        return self.results[name][0].total

    def _main(self) -> dict[str, Any]:
        wanted = self.rankers if "main" in self.experiments else ()
        return {r: main_figures(self._total(r)) for r in wanted if r in self.results}

    def _entrywise(self) -> dict[str, Any]:
        wanted = ENTRYWISE if "entrywise" in self.experiments else ()
        return {r: entrywise_figures(self._total(r)) for r in wanted if r in self.results}

    def _subsample(self) -> dict[str, Any]:
        figures: dict[str, Any] = {}
        for ranker in SUBSAMPLED:
            names = [subsampled_name(ranker, rate, self.repeats) for rate in RATES]
            if all(name in self.results for name in names):
                totals = [[run.total for run in self.results[name]] for name in names]
                figures |= subsample_figures(ranker, totals)
        return {"rate": list(RATES), "repeats": self.repeats} | figures if figures else {}

    def _epochs(self) -> dict[str, Any]:
        figures: dict[str, Any] = {}
        for ranker in FACTORED:
            if f"{ranker}/epochs" in self.results:
                totals = [run.total for run in self.results[f"{ranker}/epochs"]]
                figures |= epoch_figures(ranker, totals)
        epochs = epochs_of(str(self.head["dataset"]))
        return {"epochs": epochs} | figures if figures else {}


def _read(path: Path, head: dict[str, str]) -> dict[str, Any]:
    """Read the figures of an earlier run, if they are of the same thing."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    same = isinstance(document, dict) and head.items() <= document.items()
    return document if same else {}


def _join(before: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Join figures, in one order; those of another number of repeats are forgotten."""
    shared = ("rate", "repeats", "epochs")
    if new and any(before.get(key) != new.get(key) for key in shared if before):
        before = {}
    joined = before | new
    first = [key for key in (*shared, *MAIN) if key in joined]
    return {key: joined[key] for key in dict.fromkeys([*first, *new, *before])}
