"""What to ask next: the comparisons that would shrink the uncertainty most.

In least squares the variance of a difference is proportional to an effective resistance, and
their total over all pairs to the trace of ``L^+``. One more comparison of i and j with weight w,
``d = e_i - e_j``, lowers the trace by

    w |L^+ d|^2 / (1 + w d^T L^+ d)

whatever its outcome. A start list S of s contestants adds the Laplacian of s(s-1)/2 pairs, and
lowers it by ``tr((I / (w s) + D^T K D)^-1 D^T H D)`` for the blocks K and H of ``L^+`` and
``L^+ L^+`` at S, D being an orthonormal basis of the differences within S.

Groups that never met are joined first, by their contestants with the most results: no uncertainty
is larger than that. For up to ``DENSE`` contestants everything is exact. For more, ``L^+`` is known
by random projections (to some ten per cent): they choose candidates, which are then measured
exactly.

References
----------
D. A. Spielman and N. Srivastava, Graph sparsification by effective resistances, 2008.
F. Pukelsheim, Optimal Design of Experiments, 1993 (A-optimality).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any, Literal

import numpy as np

from qrja.data import Index, Offsets, whole_number
from qrja.display import Markup, block, listing, remark, safe, tag
from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.fitted import Fit
from qrja.ratings.suggest.design import Design, meet
from qrja.ratings.suggest.empty_cells import Cell, empty_cells
from qrja.ratings.suggest.goals import NEAR, Goal, best_pair, read_goal
from qrja.ratings.words import Wording, percent, spoken

REFINED = 12
"""Candidates of each round that are measured exactly, where the choice was rough."""


@dataclass(frozen=True)
class Suggestion:
    """One comparison, or one start list, to ask for.

    Parameters
    ----------
    contestants : tuple
        Who should meet.
    kind : {"join", "sharpen"}
        ``join``: it makes two groups comparable. ``sharpen``: it makes differences more certain.
    gain : float
        The share of the total variance (of all differences, after the suggestions before) that it
        removes; 1 for a join.
    reason : str
        One sentence.
    cell : tuple or None
        A contest, and who of the two should have a result in it, if empty cells were asked for.
    """

    contestants: tuple[Hashable, ...]
    kind: Literal["join", "sharpen"]
    gain: float
    reason: str
    cell: Cell | None = None


@dataclass(frozen=True)
class Suggestions:
    """What to ask next, the best first; ``str()`` says it in words.

    Parameters
    ----------
    items : tuple of Suggestion
        In the order in which to ask.
    considered : int
        How many pairs were considered.
    pairs : int
        How many pairs there are.
    exact : bool
        Whether their gains were all computed, rather than estimated to choose from.
    goal : str
        How the question that they settle stands now; empty if they sharpen all differences.

    Examples
    --------
    >>> import qrja
    >>> groups = qrja.Judgments.from_arrays("abx", "bcy", [1, 1, 1])
    >>> [(item.kind, item.contestants) for item in qrja.fit(groups, p=2).suggest(2).items]
    [('join', ('b', 'x')), ('sharpen', ('a', 'y'))]
    """

    items: tuple[Suggestion, ...]
    considered: int
    pairs: int
    exact: bool
    goal: str = ""

    def __repr__(self) -> str:
        first = (
            f", first {' - '.join(map(spoken, self.items[0].contestants))}" if self.items else ""
        )
        return f"Suggestions({count(len(self.items), 'item')}{first})"

    def _repr_html_(self) -> str:
        *_, told = self.text().split("\n")
        said = [
            Markup(f"{tag('b', ' - '.join(map(spoken, item.contestants)))}: {safe(item.reason)}")
            for item in self.items
        ]
        return block(listing(said, numbered=True), remark(told))

    def text(self) -> str:
        """Say it in words."""
        how = "exactly" if self.exact else "by estimates, the best then exactly"
        if not self.items:
            return self.goal or "Nothing to suggest: there are no two to compare."
        lines = [
            f"{number}. {' - '.join(map(spoken, item.contestants))}: {item.reason}"
            for number, item in enumerate(self.items, start=1)
        ]
        told = f"Considered {self.considered:,} of {self.pairs:,} pairs, {how}."
        if all(item.kind == "join" for item in self.items):
            told = "Groups come first: no pair within a group was considered."
        if len(self.items) > 1:
            told = f"To be asked one after the other: each counts on those before it. {told}"
        return "\n".join([*([self.goal] if self.goal else []), *lines, "", told])

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain lists and dictionaries, for JSON."""
        return {
            "suggestions": [
                {
                    "contestants": list(item.contestants),
                    "kind": item.kind,
                    "gain": item.gain,
                    "reason": item.reason,
                    "cell": None if item.cell is None else list(item.cell),
                }
                for item in self.items
            ],
            "considered": self.considered,
            "pairs": self.pairs,
            "exact": self.exact,
            "goal": self.goal,
        }


def suggest(
    ratings: Fit, k: int = 5, *, size: int = 2, seed: int = 0, settle: Any = None
) -> Suggestions:
    """Suggest what to ask next; see :meth:`qrja.Ratings.suggest`.

    Examples
    --------
    >>> import qrja
    >>> suggest(qrja.fit(qrja.datasets.marathons(), p=2), 1).items[0].contestants
    ('Alice', 'Charlie')
    """
    problem = ratings.problem
    k, size = whole_number(k, "k", 1), whole_number(size, "size", 2)
    whole_number(seed, "seed", 0)
    if size > max(problem.n, 2):
        who = Wording.of(ratings).who
        raise InputError(f"size is {size}; there are {count(problem.n, who)}")
    pairs = problem.n * (problem.n - 1) // 2
    if pairs == 0:
        return Suggestions((), 0, 0, True)
    if settle is not None:
        if size != 2:
            raise InputError(f"size is {size}; what settles a question are pairs: leave size out")
        return _settle(ratings, read_goal(ratings, settle), k, seed)
    label = ratings.solution.components
    joins = _joins(ratings, label, k, size)
    items = [item for item, _ in joins]
    if len(items) == k:
        return Suggestions(tuple(items), 0, pairs, True)
    joined = meet(problem, [who for _, who in joins])
    design = Design(joined, seed, ratings.terms)
    considered = 0
    while len(items) < k:
        found = _sharpen(ratings, design, joined.components, size)
        considered = max(considered, design.considered)
        if found is None:
            break
        items.append(found)
    return Suggestions(tuple(items), considered, pairs, design.exact)


def with_cells(suggestions: Suggestions, ratings: Fit) -> Suggestions:
    """Name an empty cell for each pair that is suggested; see :meth:`qrja.Ratings.suggest`."""
    items, problem = suggestions.items, ratings.problem
    if problem.directed or any(len(item.contestants) != 2 for item in items):
        return suggestions
    number = {name: i for i, name in enumerate(problem.names)}
    pairs = [(number[item.contestants[0]], number[item.contestants[1]]) for item in items]
    told = [
        item
        if cell is None
        else replace(item, cell=cell, reason=f"{item.reason}; {_fill(cell, ratings)}")
        for item, cell in zip(items, empty_cells(problem, pairs), strict=True)
    ]
    return replace(suggestions, items=tuple(told))


def _fill(cell: Cell, ratings: Fit) -> str:
    where = Wording.of(ratings).called(cell[0])
    return f"fill the empty cell of {spoken(cell[1])} in {where}"


def _settle(ratings: Fit, goal: Goal, k: int, seed: int) -> Suggestions:
    """Find the comparisons that settle one question, each counting on those before it."""
    names, label = ratings.problem.names, ratings.solution.components
    everybody = ratings.problem.n * (ratings.problem.n - 1) // 2
    for a, b in goal.pairs:
        if label[a] != label[b]:
            join = Suggestion((names[a], names[b]), "join", 1.0, "makes the two comparable")
            return Suggestions((join,), 1, everybody, True, goal.told)
    design = Design(ratings.problem, seed, ratings.terms)
    items: list[Suggestion] = []
    while goal.pairs and len(items) < k:
        found = best_pair(design, goal, label)
        if found is None:
            break
        who, gain = found
        design.add(who)
        reason = f"would remove {_part(gain)} of the variance of {goal.what}"
        items.append(Suggestion(tuple(names[i] for i in who), "sharpen", gain, reason))
    size = int((label == label[goal.pairs[0][0]]).sum()) if goal.pairs else 0
    seen = min(size, NEAR) * (min(size, NEAR) - 1) // 2
    return Suggestions(tuple(items), seen, everybody, design.exact, goal.told)


def _joins(ratings: Fit, label: Index, k: int, size: int) -> list[tuple[Suggestion, list[int]]]:
    """Join the groups to the largest one, larger ones first, by those with the most results."""
    names, sizes = ratings.problem.names, np.bincount(label)
    largest, *others = np.argsort(-sizes, kind="stable")[: k + 1].tolist()
    known = _by_results(ratings.appearances, label, [largest, *others], size)
    say = Wording.of(ratings)
    items = []
    for group in others:
        who = _in_turns(known[largest], known[group], size)
        both = "both have" if len(who) == 2 else "all have"
        reason = (
            f"joins {_group(say, sizes[group])} to {_group(say, sizes[largest])}, which nothing"
            f" compares now;"
            f" {both} the most results of their group"
        )
        items.append((Suggestion(tuple(names[i] for i in who), "join", 1.0, reason), who))
    return items


def _group(say: Wording, size: int) -> str:
    if size > 1:
        return f"a group of {size:,}"
    alone = "that nothing compares" if say.nouns.of_things else "who met nobody"
    return f"{count(1, say.who)} {alone}"


def _by_results(
    results: Offsets, label: Index, groups: list[int], most: int
) -> dict[int, list[int]]:
    """List the members of some groups, those with the most results first."""
    order = np.lexsort((-results, label))
    first = np.searchsorted(label[order], np.arange(label.max() + 2))
    return {g: order[first[g] : min(first[g + 1], first[g] + most)].tolist() for g in groups}


def _in_turns(one: list[int], other: list[int], size: int) -> list[int]:
    """Take members of two groups in turns until a start list is full.

    Examples
    --------
    >>> _in_turns([1, 2, 3], [9], 3)
    [1, 9, 2]
    """
    turns = (who for pair in zip_longest(one, other) for who in pair if who is not None)
    return list(islice(turns, size))


def _sharpen(ratings: Fit, design: Design, label: Index, size: int) -> Suggestion | None:
    """Find the best comparison within a group, and count on it from here on."""
    candidates = design.best_pairs(label, REFINED)
    if not candidates:
        return None
    gains = np.array([design.gain(list(pair)) for pair in candidates])
    who = list(candidates[int(design.in_steps(gains).argmax())])
    while len(who) < size:
        more = design.best_addition(who, label)
        if more is None:
            break
        who.append(more)
    gain = design.gain(who) / design.total()
    reason = f"would remove {_part(gain)} of the total variance of all differences"
    if len(who) == 2:
        reason += f" and {_part(design.own_gain(*who))} of that of their own"
    design.add(who)
    names = ratings.problem.names
    return Suggestion(tuple(names[i] for i in who), "sharpen", gain, reason)


def _part(gain: float) -> str:
    return percent(gain) if gain >= 0.01 else f"{100 * gain:.2g}%"
