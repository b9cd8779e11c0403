"""Slow, obvious twins of the fast code, and checks that trust nothing a solver says."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import combinations, permutations

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.sparse import coo_array

from qrja import Contest, Contests, Judgments


def incidence(problem: Judgments) -> np.ndarray:
    """The dense matrix A with (A x)_i = x_a - x_b."""
    A = np.zeros((problem.m, problem.n))
    A[np.arange(problem.m), problem.a] = 1
    A[np.arange(problem.m), problem.b] -= 1
    return A


def least_squares(problem: Judgments) -> tuple[np.ndarray, float]:
    """Minimum-norm least squares, dense: the l2 solution with each component centred at 0."""
    if not problem.m:
        return np.zeros(problem.n), 0.0
    root = np.sqrt(problem.w)
    A = incidence(problem)
    x = np.linalg.lstsq(root[:, None] * A, root * problem.y, rcond=None)[0]
    return x, float(problem.w @ (problem.y - A @ x) ** 2)


def dual_bound(problem: Judgments, flow: np.ndarray, p: float) -> tuple[float, float]:
    """The lower bound that a flow proves for loss w |t|^p, p > 1, and its largest imbalance."""
    q = p / (p - 1)
    conjugate = (p - 1) * problem.w * (np.abs(flow) / (p * problem.w)) ** q
    imbalance = incidence(problem).T @ flow
    return float(flow @ problem.y - conjugate.sum()), float(np.abs(imbalance).max(initial=0))


def pairs_of_contests(contests: Contests) -> list[tuple[object, object, float, float]]:
    """The judgments that contests stand for, (a, b, y, w) by name, one pair after another."""
    rows = []
    for c in range(len(contests)):
        entries = range(contests.start[c], contests.start[c + 1])
        weight = contests.weight[c]
        if contests.pairs == "mean" and len(entries) > 1:
            weight = weight / (len(entries) - 1)
        for i, j in combinations(entries, 2):
            a, b = contests.names[contests.who[i]], contests.names[contests.who[j]]
            rows.append((a, b, contests.score[i] - contests.score[j], weight))
    return rows


def components_by_spreading(n: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """The components of a graph: each node takes the smallest label next to it until none moves."""
    label = list(range(n))
    moved = True
    while moved:
        moved = False
        for a, b in edges:
            least = min(label[a], label[b])
            moved |= label[a] != least or label[b] != least
            label[a] = label[b] = least
    return [{i for i in range(n) if label[i] == k} for k in sorted(set(label))]


def ranks(x: np.ndarray, component: np.ndarray) -> list[int]:
    """One plus the number of better candidates in the component."""
    return [
        1 + sum(x[j] > x[i] and component[j] == component[i] for j in range(len(x)))
        for i in range(len(x))
    ]


def smallest_largest_error(problem: Judgments, anchors: dict[int, float] | None = None) -> float:
    """min t with |x_a - x_b - y| <= t / w, some x given: the linear program, by HiGHS."""
    if not problem.m:
        return 0.0
    A, t = incidence(problem), -1 / problem.w[:, None]
    rows = np.vstack([np.hstack([A, t]), np.hstack([-A, t])])
    cost = np.append(np.zeros(problem.n), 1.0)
    limits = [(None, None)] * problem.n + [(0, None)]
    for candidate, value in (anchors or {}).items():
        limits[candidate] = (value, value)
    return linprog(cost, rows, np.append(problem.y, -problem.y), bounds=limits).fun


def largest_error_with_ridge(
    problem: Judgments, ridge: float, prior: np.ndarray, anchors: dict[int, float]
) -> float:
    """min max w |x_a - x_b - y| + ridge ||x - prior||^2, some x given, by quadratic programming."""
    if not problem.m:
        return 0.0
    A, free = incidence(problem), [v for v in range(problem.n) if v not in anchors]
    x = prior.copy()
    x[list(anchors)] = list(anchors.values())
    r = A @ x - problem.y
    rows = np.hstack([A[:, free], np.zeros((problem.m, 1))])
    slack = np.append(np.zeros(len(free)), 1.0) / problem.w[:, None]

    def distances(z: np.ndarray) -> np.ndarray:
        return np.append(slack @ z - rows @ z - r, slack @ z + rows @ z + r)

    result = minimize(
        lambda z: z[-1] + ridge * z[:-1] @ z[:-1],
        np.append(np.zeros(len(free)), np.max(problem.w * np.abs(r), initial=0)),
        jac=lambda z: np.append(2 * ridge * z[:-1], 1.0),
        constraints=[
            {
                "type": "ineq",
                "fun": distances,
                "jac": lambda z: np.vstack([slack - rows, slack + rows]),
            }
        ],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return float(result.fun)


def largest_cycle_ratio(problem: Judgments) -> float:
    """The largest sum +-y / sum 1/w over simple cycles, by walking them all."""
    steps = [
        (one, other, sign * y, 1 / w)
        for a, b, y, w in zip(problem.a, problem.b, problem.y, problem.w, strict=True)
        for one, other, sign in ((a, b, 1), (b, a, -1))
    ]

    def walk(origin: int, at: int, seen: set[int], gain: float, span: float) -> float:
        best = 0.0
        for tail, head, more, longer in steps:
            if tail == at and head == origin:
                best = max(best, (gain + more) / (span + longer))
            elif tail == at and head > origin and head not in seen:
                best = max(best, walk(origin, head, seen | {head}, gain + more, span + longer))
        return best

    return max((walk(v, v, {v}, 0.0, 0.0) for v in range(problem.n)), default=0.0)


def half_way_optimum(problem: Judgments, t: float, near: np.ndarray) -> np.ndarray:
    """Of one component: the mean of the greatest x <= near and the least x >= near, errors <= t."""
    reach = np.where(np.eye(problem.n, dtype=bool), 0.0, np.inf)
    for a, b, y, w in zip(problem.a, problem.b, problem.y, problem.w, strict=True):
        reach[b, a] = min(reach[b, a], y + t / w)
        reach[a, b] = min(reach[a, b], -y + t / w)
    for k in range(problem.n):
        reach = np.minimum(reach, reach[:, [k]] + reach[[k], :])
    greatest = (near[:, None] + reach).min(axis=0)
    least = (near[None, :] - reach).max(axis=1)
    return (greatest + least) / 2


def power_loss(problem: Judgments, x: np.ndarray, p: float) -> float:
    """The loss of x, residuals of rounding size counted as 0."""
    r = np.abs(x[problem.a] - x[problem.b] - problem.y)
    r[r <= 1e-11 * np.abs(problem.y).max(initial=0)] = 0
    return float(problem.w @ r**p)


def best_tree_loss(problem: Judgments, p: float) -> float:
    """Of one component: the least loss over all spanning trees of residuals 0, by trying them."""
    best = np.inf if problem.m else 0.0
    for rows in combinations(range(problem.m), problem.n - 1):
        tree = incidence(problem)[list(rows)]
        if np.linalg.matrix_rank(tree) == problem.n - 1:
            x = np.linalg.lstsq(tree, problem.y[list(rows)], rcond=None)[0]
            best = min(best, power_loss(problem, x, p))
    return best


def best_group_shift(problem: Judgments, x: np.ndarray, group: np.ndarray, p: float) -> float:
    """The least loss after shifting a group of candidates to satisfy one more judgment."""
    best = power_loss(problem, x, p)
    for i in range(problem.m):
        if group[problem.a[i]] != group[problem.b[i]]:
            r = problem.y[i] - x[problem.a[i]] + x[problem.b[i]]
            shift = r if group[problem.a[i]] else -r
            best = min(best, power_loss(problem, x + shift * group, p))
    return best


def sides_of_zero_tree(problem: Judgments, x: np.ndarray) -> list[np.ndarray]:
    """One side of each cut that an edge of the tree of residuals 0 makes, if they form a tree."""
    r = np.abs(x[problem.a] - x[problem.b] - problem.y)
    rows = np.flatnonzero(r <= 1e-11 * np.abs(problem.y).max(initial=0)).tolist()
    sides = []
    for cut in rows:
        kept = [(problem.a[i], problem.b[i]) for i in rows if i != cut]
        parts = components_by_spreading(problem.n, kept)
        side = next(part for part in parts if problem.a[cut] in part)
        assert problem.b[cut] not in side, "the residuals 0 form a cycle"
        sides.append(np.isin(np.arange(problem.n), list(side)))
    return sides


def largest_cut(vertices: list[object], edges: list[tuple[object, object]]) -> int:
    """The largest number of edges between two sides, by trying all of them."""
    best = 0
    for size in range(len(vertices) // 2 + 1):
        for side in combinations(vertices, size):
            best = max(best, sum((u in side) != (v in side) for u, v in edges))
    return best


def count_order_pair_by_pair(
    truth: list[float], prediction: list[float], rules: str, who: list[int]
) -> tuple[int, float, int]:
    """Pairs with different scores, points for their order, and predicted ties among them."""
    # Python's sort is stable, also in reverse; a name listed twice keeps its later place.
    listing = sorted(range(len(truth)), key=lambda i: prediction[i], reverse=True)
    place = {who[i]: at for at, i in enumerate(listing)}
    value = {who[i]: prediction[i] for i in listing}
    ordered, points, tied = 0, 0.0, 0
    for i, j in combinations(range(len(truth)), 2):
        if truth[i] == truth[j]:
            continue
        ordered += 1
        if rules == "paper":
            points += place[who[i]] < place[who[j]]
            tied += value[who[i]] == value[who[j]]
        elif prediction[i] == prediction[j]:
            points += 0.5
            tied += 1
        else:
            points += (truth[i] > truth[j]) == (prediction[i] > prediction[j])
    return ordered, points, tied


def sum_margin_errors(truth: list[float], prediction: list[float]) -> tuple[int, float, float]:
    """Pairs, and the absolute and squared errors of their predicted margins, one by one."""
    errors = [
        abs((truth[i] - truth[j]) - (prediction[i] - prediction[j]))
        for i, j in combinations(range(len(truth)), 2)
    ]
    return len(errors), sum(errors), sum(error**2 for error in errors)


def entries_of_csv(
    text: str, delimiter: str
) -> str | tuple[list[tuple[str, str, float]], list[int]]:
    """The entries of a CSV table with a contest, a contestant and a score, and the lines left out.

    Best row of a contestant in a contest, contests in order of appearance; or the complaint.
    """
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter)
    best: dict[str, dict[str, tuple[float, int]]] = {}
    left_out = []
    before, header, timed = 0, True, False
    rows = []
    for fields in reader:
        line, before = before + 1, reader.line_num
        if len(fields) == 3 and not header:
            rows.append((line, *(unicodedata.normalize("NFC", f.strip()) for f in fields)))
        header = header and len(fields) < 3
    scored = [(*row[:3], score_of_text(row[3])) for row in rows]
    timed = any(is_time for *_, (_, is_time) in scored)
    for line, contest, contestant, (score, _) in scored:
        if score is None and not contest and not contestant:
            left_out.append(line)
            continue
        for what, name in (("contest", contest), ("contestant", contestant)):
            if not name:
                return f"the file:{line}: the {what} is empty; give it a name"
        seen = best.setdefault(contest, {})
        if score is None:
            left_out.append(line)
            continue
        value = -score if timed else score
        if contestant in seen and seen[contestant][0] >= value:
            left_out.append(line)
            continue
        if contestant in seen:
            left_out.append(seen[contestant][1])
        seen[contestant] = (value, line)
    if not any(map(len, best.values())):
        return f"the file: none of the {len(rows)} rows has a score"
    if not any(len(seen) > 1 for seen in best.values()):
        return (
            "the file: no contest has two contestants with a score;"
            " check which columns are the contest and the contestant"
        )
    entries = [
        (contest, name, value)
        for contest, seen in best.items()
        for name, (value, _) in sorted(seen.items(), key=lambda item: item[1][1])
    ]
    return entries, sorted(left_out)


def score_of_text(text: str) -> tuple[float | None, bool]:
    """The value of a score, None for none, and whether it is a time."""
    if text.upper() in ("", "DNF", "DNS"):
        return None, False
    if ":" in text:
        seconds = 0.0
        for part in text.split(":"):
            seconds = 60 * seconds + float(part)
        return seconds, True
    spelled = re.fullmatch(r"(\d+)h(\d+)m(\d+)s", text)
    if spelled:
        return 3600.0 * int(spelled[1]) + 60 * int(spelled[2]) + int(spelled[3]), True
    return float(text), False


def lewis_matrix(problem: Judgments, p: float) -> np.ndarray:
    """The matrix whose Lewis weights are those of the problem: |A (x, 1)|_p^p is the loss of x."""
    rows = np.hstack([incidence(problem), -problem.y[:, None]])
    return problem.w[:, None] ** (1 / p) * rows


def sampled_loss(problem: Judgments, sample: Judgments, p: float) -> float:
    """The loss, on all judgments, of the scores that are best for a sample; p = 1 or 2."""
    if p == 2:
        x = least_squares(sample)[0]
    else:
        A, m = incidence(sample), sample.m
        rows = np.vstack([np.hstack([A, -np.eye(m)]), np.hstack([-A, -np.eye(m)])])
        cost, right = np.append(np.zeros(sample.n), sample.w), np.append(sample.y, -sample.y)
        x = linprog(cost, rows, right, bounds=[(None, None)] * sample.n + [(0, None)] * m).x
        x = x[: sample.n]
    return float(problem.w @ np.abs(incidence(problem) @ x - problem.y) ** p)


def resampled_scores(problem: Contests, drawn: np.ndarray) -> np.ndarray:
    """Return the least-squares scores of contests that count ``drawn`` times, by dense algebra."""
    laplacian, pull = np.zeros((problem.n, problem.n)), np.zeros(problem.n)
    for number, contest in enumerate(problem):
        for i, si in zip(contest.who, contest.score, strict=True):
            for j, sj in zip(contest.who, contest.score, strict=True):
                w = problem.pair_weight[number] * drawn[number]
                laplacian[i, i] += w
                laplacian[i, j] -= w
                pull[i] += w * (si - sj)
    return np.linalg.pinv(laplacian, rcond=1e-13) @ pull


def sandwich_covariance(problem: Contests, x: np.ndarray) -> np.ndarray:
    """Return ``L^+ (sum of g g^T over contests) L^+``, from pairs and a dense inverse."""
    laplacian = np.zeros((problem.n, problem.n))
    meat = np.zeros((problem.n, problem.n))
    for number, contest in enumerate(problem):
        pull = np.zeros(problem.n)
        for i, si in zip(contest.who, contest.score, strict=True):
            for j, sj in zip(contest.who, contest.score, strict=True):
                w = problem.pair_weight[number]
                laplacian[i, i] += w
                laplacian[i, j] -= w
                pull[i] += w * (si - sj - x[i] + x[j])
        meat += np.outer(pull, pull)
    inverse = np.linalg.pinv(laplacian, rcond=1e-13)
    return inverse @ meat @ inverse


def elo_ratings(contests: Iterable[Contest], K: float) -> dict[int, float]:
    """Elo ratings, pair by pair from the ratings before each contest."""
    rating: dict[int, float] = {}
    for contest in contests:
        field = list(zip(contest.who.tolist(), contest.score.tolist(), strict=True))
        gain = dict.fromkeys(contest.who.tolist(), 0.0)
        for (a, s), (b, t) in permutations(field, 2):
            expected = 1 / (1 + 10 ** ((rating.get(b, 1500) - rating.get(a, 1500)) / 400))
            gain[a] += K / (len(field) - 1) * ((s > t) + (s == t) / 2 - expected)
        for a, points in gain.items():
            rating[a] = rating.get(a, 1500) + points
    return rating


def choice_likelihood(contests: Iterable[Contest], ridge: float, theta: np.ndarray) -> float:
    """The Plackett-Luce log-likelihood, entry by entry, with its ridge."""
    value = -ridge / 2 * float(theta @ theta)
    for contest in contests:
        for a, s in zip(contest.who, contest.score, strict=True):
            rest = contest.who[contest.score <= s]
            value += contest.weight * float(theta[a] - np.log(np.exp(theta[rest]).sum()))
    return value


def net_wins(contests: Iterable[Contest], n: int, *, by_listing: bool = False) -> np.ndarray:
    """Wins of each of n contestants over each other, less losses."""
    wins = np.zeros((n, n), dtype=np.int64)
    for contest in contests:
        for i, j in combinations(range(len(contest)), 2):
            a, b = contest.who[i], contest.who[j]
            if by_listing or contest.score[i] > contest.score[j]:
                wins[a, b] += 1
            elif contest.score[i] < contest.score[j]:
                wins[b, a] += 1
    return wins - wins.T


def best_orders_by_trial(D: np.ndarray) -> tuple[int, np.ndarray]:
    """The least that an order reverses, and who is before whom in all orders that reverse it."""
    least, always = None, np.ones(D.shape, dtype=bool)
    for order in permutations(range(len(D))):
        cost = sum(max(D[b, a], 0) for a, b in combinations(order, 2))
        before = np.zeros(D.shape, dtype=bool)
        for a, b in combinations(order, 2):
            before[a, b] = True
        if least is None or cost < least:
            least, always = cost, before
        elif cost == least:
            always &= before
    return least, always


def factorize_low_rank(
    scores: np.ndarray, rank: int, epochs: int, step: float = 0.01
) -> np.ndarray:
    """Column means of a low-rank fit to a dense matrix, NaN where nothing was observed."""
    observed = ~np.isnan(scores)
    scale = np.abs(scores[observed]).max()
    filled = np.where(observed, scores / scale, 0.0)
    U, s, Vt = np.linalg.svd(filled, full_matrices=False)
    U, V = U[:, :rank] * np.sqrt(s[:rank]), Vt[:rank].T * np.sqrt(s[:rank])
    for _ in range(epochs):
        residual = np.where(observed, filled - U @ V.T, 0.0)
        U, V = U + 2 * step * residual @ V, V + 2 * step * residual.T @ U
    return (U @ V.T).mean(axis=0) * scale


def factorize_additive(scores: np.ndarray, epochs: int, step: float = 0.001) -> np.ndarray:
    """The contestants' numbers of an additive fit to a dense matrix, NaN: nothing observed."""
    observed = ~np.isnan(scores)
    scale = np.abs(scores[observed]).max()
    filled = np.where(observed, scores / scale, 0.0)
    u, v = filled.mean(axis=1), filled.mean(axis=0)
    for _ in range(epochs):
        residual = np.where(observed, filled - u[:, None] - v, 0.0)
        u, v = u + 2 * step * residual.sum(axis=1), v + 2 * step * residual.sum(axis=0)
    return v * scale


def pair_loss(contests: Iterable[Contest], x: np.ndarray, loss: Callable[[float], float]) -> float:
    """A loss of all margins, pair by pair."""
    return sum(
        contest.weight
        * loss(contest.score[i] - contest.score[j] - x[contest.who[i]] + x[contest.who[j]])
        for contest in contests
        for i, j in combinations(range(len(contest)), 2)
    )


def absolute_program(problem: Judgments) -> tuple[np.ndarray, np.ndarray, np.ndarray, list]:
    """min sum w t with |x_a - x_b - y| <= t as a linear program in (x, t): cost, rows, right."""
    A, identity = incidence(problem), np.eye(problem.m)
    rows = np.vstack([np.hstack([A, -identity]), np.hstack([-A, -identity])])
    cost = np.append(np.zeros(problem.n), problem.w)
    bounds = [(None, None)] * problem.n + [(0, None)] * problem.m
    return cost, rows, np.append(problem.y, -problem.y), bounds


def least_absolute(problem: Judgments) -> float:
    """The least sum of absolute errors, by HiGHS."""
    if not problem.m:
        return 0.0
    cost, rows, right, bounds = absolute_program(problem)
    return linprog(cost, rows, right, bounds=bounds).fun


def largest_dual(problem: Judgments) -> float:
    """The largest f . y of conserved flows |f| <= w, by HiGHS: the l1 optimum of large problems."""
    rows, m = np.append(problem.a, problem.b), problem.m
    values = np.append(np.ones(m), -np.ones(m))
    balance = coo_array((values, (rows, np.tile(np.arange(m), 2))), shape=(problem.n, m))
    limits = np.stack([-problem.w, problem.w], axis=1)
    right = np.zeros(problem.n)
    return -linprog(-problem.y, A_eq=balance.tocsr(), b_eq=right, bounds=limits).fun


def largest_differences(problem: Judgments) -> np.ndarray:
    """The largest x_a - x_b over all l1 optima, a linear program for each pair of a component."""
    n, label = problem.n, problem.components
    D = np.where(label[:, None] == label[None, :], 0.0, np.inf)
    if not problem.m:
        return D
    cost, rows, right, bounds = absolute_program(problem)
    best = linprog(cost, rows, right, bounds=bounds).fun
    rows, right = np.vstack([rows, cost]), np.append(right, best + 1e-9 * (1 + best))
    for a in range(n):
        for b in range(n):
            if a != b and label[a] == label[b]:
                aim = np.zeros_like(cost)
                aim[a], aim[b] = -1, 1
                D[a, b] = -linprog(aim, rows, right, bounds=bounds).fun
    return D


def greatest_optimum(D: np.ndarray) -> np.ndarray:
    """The pointwise greatest x <= 0, from the largest differences."""
    return D.min(axis=1, initial=np.inf)


def central_optimum(D: np.ndarray, label: np.ndarray, rounds: int = 8) -> np.ndarray:
    """Half way between greatest and least; then rounds half way to the middle of what is free."""
    x = (greatest_optimum(D) - greatest_optimum(D.T)) / 2
    free = D + D.T > 1e-6
    for _ in range(rounds):
        apart = x[:, None] - x[None, :]
        up = np.where(free, D - apart, np.inf).min(axis=1, initial=1e300)
        down = np.where(free, D.T + apart, np.inf).min(axis=1, initial=1e300)
        x = x + (up - down) / 4
    means = [x[label == label[i]].mean() for i in range(len(x))]
    return x - np.array(means)


def contributions_by_pseudo_inverse(problem: Judgments, a: int, b: int) -> np.ndarray:
    """What each judgment adds to x_a - x_b: row a less row b of L^+ A^T W, times y."""
    A = incidence(problem)
    inverse = np.linalg.pinv(A.T @ (problem.w[:, None] * A), hermitian=True)
    return (inverse[a] - inverse[b]) @ A.T * problem.w * problem.y


def resistance_by_pseudo_inverse(problem: Judgments, a: int, b: int) -> float:
    """The effective resistance between two candidates of one component."""
    A = incidence(problem)
    inverse = np.linalg.pinv(A.T @ (problem.w[:, None] * A), hermitian=True)
    return float(inverse[a, a] + inverse[b, b] - 2 * inverse[a, b])


def pieces_without(n: int, groups: list[list[int]], node: int, *, is_group: bool) -> list[int]:
    """Sizes of the pieces that the component of a node falls into without it, largest first."""
    around = set(groups[node]) if is_group else {i for g in groups if node in g for i in g} - {node}
    kept = [
        [i for i in g if is_group or i != node]
        for c, g in enumerate(groups)
        if not (is_group and c == node)
    ]
    edges = [(g[0], other) for g in kept for other in g[1:]]
    parts = components_by_spreading(n, edges)
    return sorted((len(part) for part in parts if part & around), reverse=True)


def triangles_by_trying(problem: Judgments) -> dict[tuple[int, int, int], float]:
    """The curl y_ij + y_jk + y_ki of every triangle i < j < k of averaged margins."""
    margin: dict[tuple[int, int], float] = {}
    for i in range(problem.n):
        for j in range(problem.n):
            forward = (problem.a == i) & (problem.b == j)
            backward = (problem.a == j) & (problem.b == i)
            weight = problem.w[forward].sum() + problem.w[backward].sum()
            if weight > 0:
                total = problem.w[forward] @ problem.y[forward]
                total -= problem.w[backward] @ problem.y[backward]
                margin[i, j] = total / weight
    return {
        (i, j, k): margin[i, j] + margin[j, k] + margin[k, i]
        for i, j, k in combinations(range(problem.n), 3)
        if (i, j) in margin and (j, k) in margin and (k, i) in margin
    }


def split_of_disagreement(problem: Judgments) -> tuple[float, float, float]:
    """What least squares leaves: between repeats, round triangles, round longer circles."""
    x, whole = least_squares(problem)
    pairs = sorted({(min(i, j), max(i, j)) for i, j in zip(problem.a, problem.b, strict=True)})
    of = [pairs.index((min(i, j), max(i, j))) for i, j in zip(problem.a, problem.b, strict=True)]
    y = np.where(problem.a < problem.b, problem.y, -problem.y)
    weight = np.bincount(of, problem.w)
    mean = np.bincount(of, problem.w * y) / weight
    left = mean - np.array([x[i] - x[j] for i, j in pairs])
    repeats = whole - weight @ left**2
    sides = [
        [pairs.index(p) for p in ((i, j), (j, k), (i, k))]
        for i, j, k in triangles_by_trying(problem)
    ]
    turning = np.zeros((len(pairs), len(sides)))
    for t, (ij, jk, ik) in enumerate(sides):
        turning[[ij, jk, ik], t] = np.array([1, 1, -1]) / np.sqrt(weight[[ij, jk, ik]])
    goal = np.sqrt(weight) * left
    inside = turning @ np.linalg.lstsq(turning, goal, rcond=None)[0] if sides else 0 * goal
    return float(repeats), float(inside @ inside), float(goal @ goal - inside @ inside)


def total_variance(problem: Judgments) -> float:
    """The trace of the pseudo-inverse of the Laplacian."""
    A = incidence(problem)
    return float(np.trace(np.linalg.pinv(A.T @ (problem.w[:, None] * A), hermitian=True)))


def with_a_meeting(problem: Judgments, who: list[int], weight: float) -> Judgments:
    """The judgments and one more for every two of some candidates."""
    pairs = list(combinations(who, 2))
    a = np.append(problem.a, [i for i, _ in pairs]).astype(np.int32)
    b = np.append(problem.b, [j for _, j in pairs]).astype(np.int32)
    y, w = (
        np.append(column, np.full(len(pairs), v))
        for column, v in ((problem.y, 0.0), (problem.w, weight))
    )
    return Judgments(a, b, y, w, problem.names)


def member_objective(
    contests: list[Contest],
    g: list[np.ndarray],
    half_life: float,
    own_half_life: float,
    delta: float,
    field: float,
    zero: float,
) -> Callable[[np.ndarray], float]:
    """What a member of qrja-auto minimises, entry by entry, as a function of scores and levels."""
    n = 1 + max(int(contest.who.max()) for contest in contests)
    rows = []
    for c, contest in enumerate(contests):
        for i, score in zip(contest.who.tolist(), g[c].tolist(), strict=True):
            later = sum(i in other.who for other in contests[c + 1 :])
            a = 2.0 ** (-(len(contests) - 1 - c) / half_life) * 2.0 ** (-later / own_half_life)
            rows.append((c, i, score, a * contest.weight))
    weight = {i: sum(row[3] for row in rows if row[1] == i) for i in range(n)}

    def value(z: np.ndarray) -> float:
        x, t = z[:n], z[n:]
        total = zero * float((x**2).sum())
        for c, i, score, a in rows:
            r = abs(score - x[i] - t[c])
            total += a * (r**2 if r <= delta else 2 * delta * r - delta**2)
            total += field * a / weight[i] * (x[i] + t[c]) ** 2
        return total

    return value
