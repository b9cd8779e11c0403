"""Checks of the graph: who can be compared, and what that hangs on."""

from __future__ import annotations

import numpy as np

from qrja.data import Offsets
from qrja.plurals import count
from qrja.ratings.trust.bridges import Cut, find_cuts
from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.ratings.words import listed, percent, spoken

SHOWN = 3
"""Groups, links or contestants named in a sentence."""
LISTED = 50
"""Those listed in the details."""
MANY = 0.25
"""A share of contestants with a single result from which that is a warning."""


def check_groups(case: Case) -> Check:
    """Say who cannot be compared with whom."""
    label = case.ratings.solution.components
    sizes = np.bincount(label) if len(label) else np.zeros(0, dtype=np.int64)
    groups, alone = sizes[sizes > 1], int((sizes == 1).sum())
    if len(groups) == 1 and not alone:
        yield Finding("groups", "good", 1, "", f"All {len(label):,} {case.say.who}s compare.")
        return
    told, short = [], []
    if len(groups) > 1:
        leaders = [_leader(case, c) for c in np.flatnonzero(sizes > 1)[:SHOWN].tolist()]
        short.append(f"{len(groups):,} groups {case.say.never_met}")
        told.append(
            f"{len(groups):,} groups of {case.say.who}s {case.say.never_met}, not even through"
            f" others; the largest are those of {listed(leaders)} with"
            f" {listed([f'{s:,}' for s in groups[:SHOWN]])} {case.say.who}s"
        )
    if alone:
        short.append(case.say.met_nobody(alone))
        told.append(f"{short[-1]} and cannot be rated")
    if not told:
        return
    joins = len(sizes) - 1
    yield Finding(
        "groups",
        "warning",
        len(sizes),
        " and ".join(short),
        f"{'; '.join(told)}.",
        f"Compare ratings within a group only; {count(joins, case.say.word)} across groups would"
        " join all (suggest() names them).",
        {"sizes": sizes.tolist()[:LISTED], "alone": alone, "groups": len(groups)},
    )


def _results(case: Case) -> str:
    return "judgment" if case.say.judged else "result"


def _leader(case: Case, group: int) -> str:
    """Name the contestant of a group with the most results."""
    members = np.flatnonzero(case.ratings.solution.components == group)
    return case.name(int(members[case.ratings.appearances[members].argmax()]))


def check_links(case: Case) -> Check:
    """Name the contests, and the contestants, that alone hold groups together."""
    cuts = find_cuts(case.ratings.problem)
    # A piece of one contestant is somebody with a single result: the next check counts those.
    bridges = [cut for cut in cuts.contests if cut.second > 1]
    if bridges:
        yield _bridges(case, bridges)
    brokers = [cut for cut in cuts.contestants if cut.second > 1]
    if brokers:
        yield _brokers(case, brokers)


def _bridges(case: Case, bridges: list[Cut]) -> Finding:
    worst, word = bridges[0], case.say.word
    verb = "holds" if len(bridges) == 1 else "hold"
    return Finding(
        "bridges",
        "warning",
        len(bridges),
        f"{count(len(bridges), word)} alone {verb} groups together",
        f"{count(len(bridges), word)} alone {verb} groups together: without"
        f" {case.contest(worst.node)}, {_pieces(case, worst)}.",
        f"One wrong result there shifts a whole group; add another {word} between the groups.",
        {
            "bridges": [
                {word: case.contest(cut.node), "pieces": list(cut.pieces)}
                for cut in bridges[:LISTED]
            ]
        },
    )


def _brokers(case: Case, brokers: list[Cut]) -> Finding:
    worst = brokers[0]
    verb = "links" if len(brokers) == 1 else "link"
    return Finding(
        "links",
        "note",
        len(brokers),
        f"{count(len(brokers), case.say.who)} alone {verb} groups",
        f"{count(len(brokers), case.say.who)} alone {verb} groups: without"
        f" {spoken(case.name(worst.node))}, {_pieces(case, worst)}.",
        "An error in theirs moves whole groups; ask for judgments between others of the groups."
        if case.say.judged
        else "Their bad days become everybody's; let others of the groups meet in a contest.",
        {
            "links": [
                {"contestant": case.name(cut.node), "pieces": list(cut.pieces)}
                for cut in brokers[:LISTED]
            ]
        },
    )


def _pieces(case: Case, cut: Cut) -> str:
    """Say which groups a cut leaves."""
    smaller, larger = (spoken(case.name(cut.examples[k])) for k in (1, 0))
    others = count(cut.second - 1, "other")
    return (
        f"{smaller} and {others} could not be compared with {larger} and"
        f" {count(cut.pieces[0] - 1, 'other')}"
    )


def check_few_results(case: Case) -> Check:
    """Count the contestants with a single result that says anything."""
    results = _useful_results(case)
    rated = results > 0
    once = np.flatnonzero(results == 1)
    if not rated.any():
        return
    if not len(once):
        least = int(results[rated].min())
        everybody = "Every item" if case.say.judged else "Everybody"
        told = f"{everybody} has at least {least} {_results(case)}s."
        yield Finding("few results", "good", 0, "", told)
        return
    share = len(once) / int(rated.sum())
    have = "has" if len(once) == 1 else "have"
    names = [case.name(i) for i in once[:SHOWN].tolist()]
    such = f"{listed(names)}" if len(once) <= SHOWN else f"such as {listed(names)}"
    yield Finding(
        "few results",
        "warning" if share > MANY else "note",
        len(once),
        f"{percent(share)} of the {case.say.who}s have a single {_results(case)}",
        f"{len(once):,} of {int(rated.sum()):,} {case.say.who}s ({percent(share)}) {have} a single"
        f" {_results(case)}, {such}:"
        f" {'it' if case.say.judged else 'one day'} decides their rating.",
        f"Read their ranks with caution, or ask for a second {_results(case)}.",
        {"share": share, "contestants": [case.name(i) for i in once[:LISTED].tolist()]},
    )


def _useful_results(case: Case) -> Offsets:
    """Count the contests of each contestant in which there was somebody to meet."""
    problem = case.ratings.problem
    useful = problem.sizes[problem.contest_of_entry] > 1
    return np.bincount(problem.who[useful], minlength=problem.n)
