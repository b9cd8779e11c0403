"""From a FILE argument to ratings, with the notes that every such command prints."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrja.cli.file_kinds import SAVED, holds_ratings, is_league, is_saved
from qrja.cli.option_groups import Modelling, Reading
from qrja.cli.output import note, working, wrote
from qrja.errors import InputError
from qrja.plurals import count

if TYPE_CHECKING:
    from qrja.ratings import Ratings
    from qrja.scale import Pass
    from qrja.solution import Solution
    from qrja.tables import Summary


OFTEN = 5.0
"""Seconds between two lines about the passes."""
TAKEN = {"p", "loss"}
"""What of a model an engine takes."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """Ratings, and what became of every row of their table (None for saved ones).

    ``as_of`` is the last event that they know of, if they are of a league.
    """

    ratings: Ratings
    summary: Summary | None
    as_of: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the event that they are as of, for JSON; nothing if they are of no league."""
        return {} if self.as_of is None else {"as_of": self.as_of}


def load_and_fit(file: str, reading: Reading, modelling: Modelling, quiet: bool) -> Fitted:
    """Read a file, rate its contestants, and note what was assumed on the way."""
    from qrja.cli.file_argument import load_and_tell
    from qrja.cli.fit_arguments import fit_arguments, tell_anchors
    from qrja.ratings import fit

    if holds_ratings(file):
        return _load(file, reading, modelling, quiet)
    table = load_and_tell(file, with_contexts(reading, modelling), quiet)
    with working("rating", quiet):
        ratings = fit(table, covariates=reading.covariates, **fit_arguments(modelling, table))
    if modelling.anchors is not None:
        given_values = len(ratings.model.measured or {}) + len(ratings.model.anchors or {})
        found = given_values - len(modelling.anchor or [])
        note(tell_anchors(modelling.anchors, found), quiet)
    if ratings.choice is not None:
        by = "how judgments foretell each other" if ratings.data.directed else "the past"
        note(f"chosen by {by}: {ratings.choice}", quiet)
    if ratings.solution.status != "optimal":
        note(warn_unproved(ratings.solution), quiet)
    return Fitted(ratings, table.summary)


def with_contexts(reading: Reading, modelling: Modelling) -> Reading:
    """Let the columns of contexts and parts be read beside the covariates."""
    from qrja.parts import as_parts, columns_of_parts

    more = [] if modelling.per is None else [modelling.per]
    more += columns_of_parts(as_parts(modelling.with_))
    if not more:
        return reading
    return replace(reading, covariates=[*(reading.covariates or []), *more])


def given(options: Reading | Modelling) -> dict[str, Any]:
    """Return the options that are not at their defaults."""
    return {
        field.name: value
        for field, value in zip(fields(options), asdict(options).values(), strict=True)
        if value != field.default and value != []
    }


def save_ratings(ratings: Ratings, path: Path, quiet: bool) -> None:
    """Save ratings under a name that the other commands know them by."""
    if not is_saved(str(path)):
        raise InputError(f"{path}: let the name end in {SAVED}, by which commands know ratings")
    ratings.save(path)
    wrote(path, quiet)


def warn_unproved(solution: Solution) -> str:
    """Say what was not proved of a solution that is not optimal."""
    if solution.status == "local":
        return "warning: a local optimum; for p < 1 nobody knows a quick way to the best one"
    return f"warning: not solved to the end; the loss may be {solution.gap:.1e} too large"


def _load(file: str, reading: Reading, modelling: Modelling, quiet: bool) -> Fitted:
    for name in (*given(reading), *given(modelling)):
        made = "qrja league init or model" if is_league(file) else f"qrja rank TABLE --save {file}"
        name = "covariate" if name == "covariates" else name
        raise InputError(
            f"{file}: holds ratings, so --{name.replace('_', '-')} comes too late; give it when"
            f" they are made: {made}"
        )
    ratings, as_of = load_rated(file)
    data = ratings.data
    who = count(data.n, data.nouns.candidate)
    when = "" if as_of is None else f", as of event {as_of['event']}"
    note(f"loaded ratings of {who} from {count(len(data), data.nouns.event)}{when}", quiet)
    return Fitted(ratings, None, as_of)


def load_rated(file: str) -> tuple[Ratings, dict[str, Any] | None]:
    """Return saved ratings; or those of a league, and the event that they are as of."""
    if is_league(file):
        from qrja.league import League

        with League.open(file, create=False) as league:
            answer = league.answer(lambda ratings: ratings)
            return answer.value, {"event": answer.event, "at": answer.at}
    from qrja.ratings import load

    return load(file), None


def fit_in_passes(
    file: str,
    engine: str,
    master: str | None,
    reading: Reading,
    modelling: Modelling,
    asked: dict[str, Any],
    quiet: bool,
) -> Fitted:
    """Rate what an engine reads, and note what was assumed and left out."""
    from qrja import losses
    from qrja.ratings import fit

    for name in given(modelling).keys() - TAKEN:
        raise InputError(
            f"--{name.replace('_', '-')} is not for data read in passes; leave it out, or rank a"
            " part that fits in memory without --engine"
        )
    said = {name: value for name, value in asdict(reading).items() if name in given(reading)}
    loss = None if modelling.loss is None else losses.parse(modelling.loss)
    with working(f"reading {file}", quiet):
        if engine == "spark":
            from qrja.scale import begin_spark

            begin_spark(master)
        ratings = fit(
            getattr(file, "paths", file),
            engine=engine,
            p=modelling.p,
            loss=loss,
            progress=None if quiet else _Teller(),
            **{name: value for name, value in asked.items() if value is not None},
            **said,
        )
    read = getattr(ratings.problem, "read", None)
    for line in read.lines() if read is not None else ():
        note(line, quiet)
    solution, drawn = ratings.solution, getattr(ratings.problem, "drawn", None)
    where = ratings.problem.passes.place  # type: ignore[union-attr]
    made = f"{solution.iterations} passes{where and ' ' + where}"
    note(f"{made}, gap {solution.gap:.1e} proved over all rows", quiet)
    if drawn is not None:
        saved = f"at most {solution.gap:.2%} of their loss over all rows could be saved"
        note(f"ratings of {drawn:,} judgments that were drawn; {saved}", quiet)
    elif solution.status != "optimal":
        note(warn_unproved(solution), quiet)
    return Fitted(ratings, read)


class _Teller:
    """Says every few seconds which pass it is, how good the ratings are, and what is to come."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, told: Pass) -> None:
        if told.seconds - self._last < OFTEN:
            return
        self._last = told.seconds
        each = told.seconds / max(told.made, 1)
        left = "" if told.left is None else f", perhaps {told.left:.0f} s to go"
        spent = f"{told.seconds:.0f} s, {each:.2g} s a pass"
        note(f"pass {told.made}, gap {told.gap:.1e}, {spent}{left}", False)
