"""Any convex loss: ``|t|^p`` for 1 < p < infinity, Huber and others; ridge and anchors.

Minimise, over the scores x of all candidates that are not anchored,

    sum_i w_i f(y_i - (x_a - x_b))  +  ridge * sum_v (x_v - prior_v)^2

by Newton's method on a smoothed f, started at the least-squares scores. A handful of steps, each
a Laplacian system, leave a relative gap of 1e-8 for p between 1.5 and 5, some tens for p = 1.01
or p = 50. Up to ``FEW_PAIRS`` pairs of contests, and all those of a loss with kinks, are written
out: some 150 bytes for each. Beyond, smooth losses look at them again and again and keep none
(:mod:`qrja.solvers.convex.streamed`).

With a ridge, or with an anchor in its component, a score is absolute: it is not centred, and
components that have either become comparable with each other.

The parts, in the order of the work: :mod:`~qrja.solvers.convex.folding` (fewer contestants),
:mod:`~qrja.laplacian.network.ground` (ridge, anchors, components),
:mod:`~qrja.solvers.convex.descent` (the loop), :mod:`~qrja.solvers.convex.smoothing` (what Newton's
method sees), :mod:`~qrja.laplacian.network.reweighted` (its systems),
:mod:`~qrja.solvers.convex.step_length` (its steps) and :mod:`~qrja.solvers.convex.certificate` (the
proof).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import Contests, Floats, Judgments
from qrja.errors import InputError
from qrja.laplacian.network import Network, build_network
from qrja.losses import KnownLoss, Loss
from qrja.solution import Demands, Minimised, Solution
from qrja.solvers.convex.conclusion import Conclusion, judge
from qrja.solvers.convex.descent import Descent
from qrja.solvers.convex.folding import Folded, fold_contests
from qrja.solvers.convex.interior import Interior
from qrja.solvers.convex.iterate import Proof
from qrja.solvers.demands import (
    centre_where_relative,
    check_loss,
    comparable,
    demands_on,
    free_components,
)

PAIR_BYTES = 150
"""What a pair that is written out takes up, measured at p = 1.5."""
PAIR_SECONDS = 5e-7
"""What a pair that is not written out costs one core until a gap of 1e-9 is reached: measured at
p = 1.2, twice as much as at p = 1.5."""
FEW_PAIRS, MOST_PAIRS = 200_000, 20_000_000
"""Pairs up to which they are written out at once, and if a pass over them did not suffice."""
HIGHEST_POWER = 50.0
"""Beyond it, powers of residuals that are not written out have too few digits."""


def solve_newton(
    problem: Contests | Judgments,
    loss: Loss,
    *,
    ridge: float = 0.0,
    prior: ArrayLike | Mapping[Hashable, float] | None = None,
    anchors: Mapping[Hashable, float] | None = None,
    start: Solution | None = None,
    tol: float = 1e-8,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Minimise a convex loss of the residuals, with an optional ridge and anchored candidates.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    loss : Loss
        One of :mod:`qrja.losses`, or an object with ``value``, ``slope`` and ``curvature``. A loss
        without ``conjugate`` is solved to a vanishing gradient: ``certificate`` is "gradient",
        ``gap`` the largest entry of the gradient relative to the slopes that it sums, of which
        1e-7 is enough to be optimal, and ``lower_bound`` minus infinity.
    ridge : float
        Weight of ``(x_v - prior_v)^2``, added for every candidate.
    prior : array or mapping, optional
        Where the ridge pulls each candidate, in the order of ``problem.names`` or by name; 0 for
        those left out.
    anchors : mapping, optional
        Candidates whose score is given.
    start : Solution, optional
        Of a similar problem: begin from its scores, matched by name.
    tol : float
        Relative gap to reach, in every component.
    progress : callable, optional
        Told the largest gap of a component after each step.

    Returns
    -------
    Solution
        With ``norm``, the p-th root of the objective, for ``Power(p)``: it is finite where the
        objective is too large for a float.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5])
    >>> solve_newton(j, Power(1.5)).x.round(6)
    array([ 2.,  0., -2.])
    >>> solve_newton(j, Power(3), anchors={"C": 10}).x.round(6)
    array([14., 12., 10.])
    """
    begin = time.perf_counter()
    demands = demands_on(problem, ridge, prior, anchors)
    known = check_loss(loss, directed=problem.directed)
    folded = None if isinstance(problem, Judgments) else _fold(problem, demands)
    if folded is not None and _is_streamed(folded, known):
        from qrja.solvers.convex.streamed import is_swept, solve_streamed

        assert isinstance(problem, Contests)
        if not is_swept(folded, known):
            check_patience(folded.count_pairs(), known)
        found = solve_streamed(
            problem, known, demands, folded, start=start, tol=tol, progress=progress
        )
        if found.status == "optimal" or folded.count_pairs() > MOST_PAIRS:
            return found
        start = found  # pairs that are written out carry more digits
    task = _prepare(problem, demands, known, folded)
    given = None if start is None else _match(task.network, problem.names, start)
    method = Interior if known.kinks else Descent
    worst: dict[int, float] = {}
    proofs: list[Proof] = []
    for number, block in enumerate(task.network.blocks()):

        def report(gap: float, number: int = number) -> None:
            worst[number] = gap
            if progress is not None:
                progress(max(worst.values()))

        # Half the tolerance, for the scores still have to be rounded. Trial steps may overflow to
        # infinity on their way, which is taken as too far.
        with np.errstate(all="ignore"):
            proofs.append(method(block, known, 0.5 * tol, given).run(report))
    x = _assemble(task, problem, demands, proofs)
    verdict = judge(task.network, known, x, proofs, tol)
    return Solution(
        x=x,
        names=problem.names,
        components=comparable(problem, demands),
        certificate=verdict.certificate,
        optimum="unique" if known.is_strict or ridge > 0 else "any",
        loss=str(known),
        iterations=max((proof.steps for proof in proofs), default=0),
        seconds=time.perf_counter() - begin,
        norm=verdict.norm,
        minimised=Minimised(known.power, known, demands),
        _flow=None if verdict.certificate == "gradient" else _flow_of(task, verdict),
        **verdict.proved._asdict(),
    )


@dataclass(frozen=True, eq=False)
class _Task:
    """A problem made ready: its network, and the folding of its contestants, if any."""

    network: Network
    folded: Folded | None


def check_room(pairs: int, loss: KnownLoss, memory: float | None = None) -> None:
    """Refuse more pairs than the memory of the machine, in bytes, can hold; say what can be done.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> check_room(10**6, Power(1.5), memory=16e9)
    """
    memory = _memory() if memory is None else memory
    if pairs * PAIR_BYTES > memory:
        raise InputError(
            f"the contests stand for {pairs:,} pairs, which {loss} needs written out: some"
            f" {pairs * PAIR_BYTES / 1e9:.0f} GB, and this machine has {memory / 1e9:.0f}; draw"
            " fewer with qrja.subsample, or take a power or a smooth loss, which need none"
        )


def check_patience(pairs: int, loss: KnownLoss, cores: int | None = None) -> None:
    """Refuse pairs that even all cores would be at for more than a day; say what can be done.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> check_patience(2_500_000_000, Power(1.5), cores=2)
    """
    from qrja.solvers.convex.streamed import count_cores

    days = pairs * PAIR_SECONDS / (count_cores() if cores is None else cores) / 86_400
    if days > 1:
        raise InputError(
            f"the contests stand for {pairs:,} pairs, which {loss} looks at one by one: some"
            f" {days:.0f} days on the cores of this machine; draw fewer with qrja.subsample, or"
            " take p = 1, 2 or infinity, which need none"
        )


def _memory() -> float:
    """Return the bytes of memory that the machine has, or that a usual one has."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):  # not told on every system
        return 16e9


def _fold(problem: Contests, demands: Demands) -> Folded:
    # The prior tells contestants apart; without a ridge those seen once are alike.
    return fold_contests(problem, ~demands.free | (demands.ridge > 0))


def _is_streamed(folded: Folded, loss: KnownLoss) -> bool:
    """Tell whether the pairs are so many, and the loss so smooth, that none is written out."""
    smooth = loss.has_conjugate and not loss.kinks and (loss.power or 2.0) <= HIGHEST_POWER
    return smooth and folded.count_pairs() > FEW_PAIRS


def _prepare(
    problem: Contests | Judgments, demands: Demands, loss: KnownLoss, folded: Folded | None
) -> _Task:
    free, label = demands.free, free_components(problem, demands.free).copy()
    if folded is None:
        assert isinstance(problem, Judgments)
        arcs = (problem.a, problem.b, problem.y, problem.w)
    else:
        check_room(folded.count_pairs(), loss)
        arcs = folded.pairs()
        label[folded.followers] = -1
    label[~free] = -1
    return _Task(build_network(arcs, demands.ridge, demands.goal, free, label), folded)


def _match(network: Network, names: tuple[Hashable, ...], start: Solution) -> Floats:
    """Return a starting score per node: that of ``start``, or what its judgments suggest."""
    known = dict(zip(start.names, start.x.tolist(), strict=True))
    x = np.array([known.get(name, np.nan) for name in names], dtype=np.float64)
    x = np.concatenate([x, np.zeros(len(network.label) - network.n)])
    missing = np.isnan(x)
    x[missing] = 0.0
    arcs = np.flatnonzero(network.a >= 0)
    a, b = network.a[arcs], network.b[arcs]
    ask_a, ask_b = missing[a] & ~missing[b], missing[b] & ~missing[a]
    who = np.concatenate([a[ask_a], b[ask_b]])
    guess = np.concatenate([(x[b] + network.y[arcs])[ask_a], (x[a] - network.y[arcs])[ask_b]])
    count = np.bincount(who, minlength=len(x))
    return x + np.bincount(who, guess, len(x)) / np.maximum(count, 1)


def _assemble(
    task: _Task, problem: Contests | Judgments, demands: Demands, proofs: list[Proof]
) -> Floats:
    """Return the score of every candidate: solved, anchored, at its prior, or at the mean 0."""
    network = task.network
    x = np.concatenate([network.goal, np.zeros(len(network.label) - network.n)])
    for proof in proofs:
        x[proof.block.nodes] = proof.block.settle(proof.x)
    x = x[: network.n]
    if task.folded is not None:
        x = task.folded.unfold_scores(x)
    return centre_where_relative(problem, demands, x)


def _flow_of(task: _Task, verdict: Conclusion) -> Callable[[], Floats]:
    def flow() -> Floats:
        arcs = verdict.flow_of_arcs()
        return arcs if task.folded is None else task.folded.unfold_flow(arcs)

    return flow
