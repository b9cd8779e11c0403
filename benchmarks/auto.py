"""How qrja-auto weighs its members, judged on sets left out: python auto.py FOLDER [SET ...].

Every set is walked through once with all members, and once more without covariates where it has
such; FOLDER keeps what each member said before each contest, and what came of it. Then voters look
at the same predictions, each at some members and in its own way; FOLDER keeps what they reached. A
set that is there already is not done again: remove what a change of the code made old. Results get,
of all sets that are there,

- voters.csv: every candidate on every set, and which one the other sets choose for it;
- voters_drifts.csv: the same of the package's voter with all drifts, and with each taken away;
- voters_ablation.csv: the voter of the package with one ingredient taken away, and the best member
  in hindsight, which nobody could know.

The tables of all in docs/auto.md are written.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np

from forecasts import ALL, load
from harness import RESULTS, put
from qrja.adaptive import (
    DRIFTS,
    ETA,
    GRID,
    PACES,
    SCALES,
    AnyMember,
    Assembly,
    Drift,
    Following,
    MarginScales,
    Member,
    Record,
    Steeps,
    Tracked,
    judge,
    judge_bets,
    mix,
)
from qrja.data import Contest, Floats, Offsets, best_rows, pick
from qrja.metrics import Sums, score_contest, total

By = Literal["pairs", "bets", "half", "both"]
Test = Callable[[AnyMember], bool]


@dataclass(frozen=True)
class Voter:
    """Some members, how they are judged for the order, and how quickly their weights fall."""

    name: str
    test: Test = lambda member: True
    by: By = "both"
    eta: float = ETA
    scales: int = len(SCALES)

    def weights(self, pairs: Floats, bets: Floats, share: float) -> Floats:
        """Return the weights for the order, from how far members are behind, see ``Vote.order``."""
        told = {"pairs": 1.0, "bets": 0.0, "half": 0.5, "both": share}[self.by]
        behind = told * pairs + (1 - told) * bets
        w = np.exp(-self.eta * (behind - behind.min()))
        return np.asarray(w / w.sum())


def moves_by_days(member: AnyMember) -> bool:
    """Tell whether a member needs dates."""
    if isinstance(member, Member):
        return member.days < np.inf
    return isinstance(member, Tracked) and member.drift.clock == "days"


def candidates() -> list[Voter]:
    """What to choose from."""
    ways: tuple[By, ...] = ("pairs", "bets", "half", "both")
    return [
        Voter(f"by {way}, eta {eta:g}", by=way, eta=eta)
        for way, eta in product(ways, (2.0, 3.0, 4.0, 6.0))
    ]


def drift_candidates() -> list[Voter]:
    """All drifts, or all but one; a set without dates has none by days."""

    def lacks(drift: Drift) -> Test:
        return lambda it: not (isinstance(it, Tracked) and it.drift == drift)

    return [Voter("all"), *(Voter(f"without {describe(it)}", lacks(it)) for it in DRIFTS)]


YEAR = 365.25


def describe(drift: Drift) -> str:
    """Say how strengths move."""
    if drift.clock == "never":
        return f"strengths of {drift.prior:g} that stay"
    unit, span = ("years", drift.span / YEAR) if drift.clock == "days" else ("own", drift.span)
    return f"{'a pull to' if drift.pull else 'steps of'} {drift.prior:g} in {span:g} {unit}"


def ablations() -> list[Voter]:
    """The voter of the package with something taken away."""
    return [
        Voter("all"),
        Voter("without fits", lambda it: not isinstance(it, Member)),
        Voter("without trackers", lambda it: not isinstance(it, Tracked)),
        Voter("without followers", lambda it: not isinstance(it, Following)),
        Voter("without days", lambda it: not moves_by_days(it)),
        Voter("without places", lambda it: it.transform != "rank"),
        Voter("without logarithms", lambda it: it.transform != "log"),
        Voter("without transforms", lambda it: it.transform == "raw"),
        Voter("judged by pairs alone", by="pairs"),
        Voter("judged by bets alone", by="bets"),
        Voter("without scales of margins", scales=1),
        Voter("without a mixture", eta=1e9),
    ]


@dataclass(frozen=True, eq=False)
class Said:
    """What members said of the known entries of each contest: those from start[c] to start[c+1]."""

    members: tuple[AnyMember, ...]
    predicted: Floats
    score: Floats
    start: Floats
    typical: Floats


def assemble(contests: Iterable[Contest]) -> Assembly:
    """Return the members that the package calls in for a set."""
    return Assembly(GRID, DRIFTS, PACES, dated=next(iter(contests)).date is not None)


def each_once(contest: Contest) -> Contest:
    """Return a contest with the best row of each contestant."""
    kept = best_rows(contest.who, contest.score)
    chosen = pick(contest.covariates, kept)
    return replace(contest, who=contest.who[kept], score=contest.score[kept], covariates=chosen)


def listen(contests: Iterable[Contest], path: Path) -> None:
    """Let all members learn a set, and keep what each said before each contest."""
    members, start, begin = assemble(contests), [0], time.process_time()
    predicted, scores, typical = [], [], []
    for contest in map(each_once, contests):
        if not len(contest):
            continue
        said = members.predict(contest.fixture)
        known = np.isfinite(said[:, 0])
        if known.sum() > 1:
            predicted.append(said[known].astype(np.float32))
            scores.append(contest.score[known])
            start.append(start[-1] + int(known.sum()))
            typical.append(members.spreads.typical)
        members.learn(contest)
    np.savez(
        path, P=np.concatenate(predicted), Y=np.concatenate(scores), S=np.array(start),
        T=np.array(typical), seconds=time.process_time() - begin,
    )  # fmt: skip


def recall(name: str, folder: Path, *, plain: bool = False) -> Said | None:
    """Return what members said on a set, without covariates if asked, or None: not at hand."""
    contests, path = load(name), folder / f"{'plain' if plain else 'dump'}-{name}.npz"
    if contests is None:
        return None
    found = [replace(it, covariates=()) for it in contests] if plain else contests
    if plain and not any(it.covariates for it in contests):
        return None
    if not path.is_file():
        listen(found, path)
    with np.load(path) as kept:
        return Said(assemble(found).members, *(kept[key] for key in "PYST"))


class Shared:
    """The record of all members, from which that of some of them follows.

    What one is behind another does not hang on who else is there: only how much a gain usually
    varies does, which is added up for every group of members.
    """

    def __init__(self, groups: dict[bytes, Offsets]) -> None:
        self._record = Record(max(int(it[-1]) for it in groups.values()) + 1)
        self._groups, self._varied = groups, dict.fromkeys(groups, 0.0)

    def add(self, gain: Floats) -> None:
        """Take in what each member gained in a contest."""
        self._record.add(gain)
        for key, members in self._groups.items():
            self._varied[key] += float(np.var(gain[members]))

    def behind(self, key: bytes) -> Floats:
        """Return by how many standard errors the members of a group are behind its leader."""
        members, record = self._groups[key], self._record
        return record.behind(members, self._varied[key] / max(record.contests, 1))


def replay(said: Said, voters: list[Voter]) -> tuple[dict[str, Sums], tuple[float, float]]:
    """Return the sums of each voter, and accuracy and loss of the best member in hindsight."""
    members = {it: np.flatnonzero([it.test(m) for m in said.members]) for it in voters}
    groups = {it.tobytes(): it for it in members.values()}
    pairs, bets = Shared(groups), Shared(groups)
    counts = {it.scales for it in voters}
    margins = {count: Shared(groups) for count in counts}
    scales = {count: MarginScales(len(said.members), SCALES[:count]) for count in counts}
    ways = {it: (it.eta, it.scales, members[it].tobytes()) for it in voters}
    wholes = {way: MarginScales(1, SCALES[: way[1]], proof=True) for way in ways.values()}
    steeps = Steeps(len(said.members))
    sums: dict[str, list[Sums]] = {voter.name: [] for voter in voters}
    rights, costs = np.zeros(len(said.members)), np.zeros((len(SCALES), len(said.members)))
    met = 0
    for c, typical in enumerate(said.typical.tolist()):
        here = slice(int(said.start[c]), int(said.start[c + 1]))
        predicted, score = said.predicted[here].astype(np.float64), said.score[here]
        share = (1 - c / met) / 2 if met else 1.0
        by_pairs, by_bets = ({key: it.behind(key) for key in groups} for it in (pairs, bets))
        by_margin = {(n, key): it.behind(key) for n, it in margins.items() for key in groups}
        mine = {key: np.ascontiguousarray(predicted[:, it]) for key, it in groups.items()}
        scaled = {}
        for (eta, count, key), whole in wholes.items():
            w = np.exp(-eta * by_margin[count, key])
            apart = mix(mine[key], w / w.sum() * scales[count].values[groups[key]])
            scaled[eta, count, key] = float(whole.values[0]) * apart
            whole.add(judge(score, apart[:, None])[1])
        for voter, (eta, count, key) in ways.items():
            order = mix(mine[key], voter.weights(by_pairs[key], by_bets[key], share))
            apart = scaled[eta, count, key]
            sums[voter.name].append(score_contest(score, order, apart=apart, levels=False))
        right, losses = judge(score, predicted)
        rights, costs = rights + right, costs + losses
        pairs.add(right)
        bets.add(-steeps.add(judge_bets(score, predicted, typical)))
        for count, it in margins.items():
            it.add(-losses[scales[count].chosen, np.arange(len(right))])
            scales[count].add(losses)
        met += len(score) - 1
    found = {name: total(mine) for name, mine in sums.items()}
    whole_sums = next(iter(found.values()))
    zero = costs[SCALES == 0.0].max()
    return found, (rights.max() / whole_sums.ordered, costs.min() / zero)


def figures(sums: Sums, said: Said) -> tuple[float, float]:
    """Return accuracy, and the loss relative to predicting none."""
    zero = sum(
        score_contest(said.score[a:b], np.zeros(b - a)).margin_l1
        for a, b in zip(said.start[:-1].tolist(), said.start[1:].tolist(), strict=True)
    )
    return sums.value("ordinal_accuracy") or 0.0, sums.margin_l1 / zero


def excess(
    found: dict[str, dict[str, tuple[float, float]]], voter: str, sets: Iterable[str]
) -> float:
    """Return by how much a candidate is worse than the best of all, on average over sets.

    Of the share of pairs in the wrong order and of the loss, relative to the least.
    """
    worse = []
    for name in sets:
        accuracy, loss = found[name][voter]
        best = (
            max(it[0] for it in found[name].values()),
            min(it[1] for it in found[name].values()),
        )
        worse.append((1 - accuracy) / (1 - best[0]) - 1 + loss / best[1] - 1)
    return sum(worse) / max(len(worse), 1)


def write(name: str, header: list[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a table of results."""
    with (RESULTS / name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def show(both: tuple[float, float]) -> list[str]:
    """Return accuracy and loss as they are written."""
    return [f"{both[0]:.4f}", f"{both[1]:.4f}"]


def ablation_table(taken: list[list[str]]) -> str:
    """Lay out by how many points and percent each set is worse without an ingredient."""
    columns = [it for it in dict.fromkeys(row[1] for row in taken) if it != "all"]
    order = [PLAIN, *(it for it in columns if it != PLAIN)]
    lines = [f"| set | all | {' | '.join(order)} |", f"|---|---:|{'---:|' * len(order)}"]
    for name in dict.fromkeys(row[0] for row in taken):
        mine = {row[1]: (float(row[2]), float(row[3])) for row in taken if row[0] == name}
        accuracy, loss = mine["all"]
        cells = [
            f"{100 * (mine[it][0] - accuracy):+.2f}, {100 * (mine[it][1] / loss - 1):+.1f} %"
            if it in mine
            else ""
            for it in order
        ]
        lines.append(f"| {name} | {accuracy:.4f}, {loss:.4f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def chosen_table(rows: list[list[str]]) -> str:
    """Lay out the candidate that the other sets choose for each, and what it reaches."""
    lines = ["| judged | chosen by the others | accuracy | loss |", "|---|---|---:|---:|"]
    chosen = [row for row in rows if row[-1]]
    lines += [f"| {' | '.join(row[:4])} |" for row in chosen]
    return "\n".join(lines)


PLAIN = "without home and other covariates"
HINDSIGHT = "best member in hindsight"


def reached(name: str, folder: Path) -> dict[str, tuple[float, float]] | None:
    """Return accuracy and loss of every voter on a set, as kept or worked out anew."""
    path = folder / f"voters-{name}.json"
    if path.is_file():
        kept = json.loads(path.read_text("utf-8"))
        return {voter: (both[0], both[1]) for voter, both in kept.items()}
    said = recall(name, folder)
    if said is None:
        return None
    sums, hindsight = replay(said, [*candidates(), *ablations(), *drift_candidates()[1:]])
    found = {voter: figures(it, said) for voter, it in sums.items()} | {HINDSIGHT: hindsight}
    plain = recall(name, folder, plain=True)
    if plain is not None:
        found[PLAIN] = figures(replay(plain, [Voter("all")])[0]["all"], plain)
    path.write_text(json.dumps(found), "utf-8")
    print(f"{name}: done", flush=True)
    return found


def main(folder: Path, sets: list[str]) -> None:
    """Walk and replay some sets, and write of all that were."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sets:
        reached(name, folder)
    there = [name for name in ALL if (folder / f"voters-{name}.json").is_file()]
    found = {name: both for name in there if (both := reached(name, folder))}
    shown = [*(voter.name for voter in ablations()), HINDSIGHT, PLAIN]
    taken = [[s, it, *show(both[it])] for s, both in found.items() for it in shown if it in both]
    for table, voters in {"voters": candidates(), "voters_drifts": drift_candidates()}.items():
        rows = choose(found, [voter.name for voter in voters])
        write(f"{table}.csv", ["set", "candidate", "accuracy", "loss", "note"], rows)
        put("auto.md", table, chosen_table(rows))
    write("voters_ablation.csv", ["set", "voter", "accuracy", "loss"], taken)
    put("auto.md", "ablation", ablation_table(taken))


def choose(found: dict[str, dict[str, tuple[float, float]]], names: list[str]) -> list[list[str]]:
    """Return what each candidate reaches on every set, and which one the other sets choose."""
    rows = [[s, v, *show(found[s][v]), ""] for s in found for v in names]
    compared = {s: {v: found[s][v] for v in names} for s in found}
    for judged in [*found, "none"]:
        others = [name for name in found if name != judged]
        chosen = min(names, key=lambda voter, others=others: excess(compared, voter, others))
        figure = show(found[judged][chosen]) if judged in found else ["", ""]
        rows.append([judged, chosen, *figure, "chosen by the others"])
    return rows


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("name the FOLDER for what members said")
    main(Path(sys.argv[1]), sys.argv[2:] or ALL)
