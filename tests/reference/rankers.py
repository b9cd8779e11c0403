"""Predictions counted pair by pair, and rankers written as they are defined."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations, permutations

import numpy as np

from qrja import Contest


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


def best_orders_by_subsets(D: np.ndarray) -> tuple[int, np.ndarray]:
    """The same for up to a dozen, by the least cost of who comes first, over all subsets.

    A best order passes through subsets S whose least cost and that of the rest add up to the least;
    whoever is in such an S is before whoever is not in one of the best orders.
    """
    n = len(D)
    reversed_by = np.maximum(D, 0)
    members = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    to_come = (1 - members) @ reversed_by  # [S, v]: what placing v next costs, if v is in S
    first, last = np.full(2**n, np.inf), np.full(2**n, np.inf)
    first[0] = last[-1] = 0
    for S in range(2**n):
        for v in np.flatnonzero(members[S] == 0):
            cost = to_come[S | 1 << v, v]
            first[S | 1 << v] = min(first[S | 1 << v], first[S] + cost)
    for S in range(2**n - 1, -1, -1):
        for v in np.flatnonzero(members[S] == 0):
            last[S] = min(last[S], last[S | 1 << v] + to_come[S | 1 << v, v])
    best = members[first + last == first[-1]]
    can_be = best.T @ (1 - best) > 0
    return int(first[-1]), can_be & ~can_be.T


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


def glicko_match(
    player: tuple[float, float, float], games: list[tuple[float, float, float]], tau: float
) -> tuple[float, float, float]:
    """Glicko-2 step by step, as its author's example does it: rating, deviation, volatility.

    ``games`` are the opponent's rating and deviation, and the outcome; all count whole.
    """
    unit = 173.7178
    mu, phi, sigma = (player[0] - 1500) / unit, player[1] / unit, player[2]
    pieces = []
    for rating, deviation, outcome in games:
        g = 1 / math.sqrt(1 + 3 * (deviation / unit) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (rating - 1500) / unit)))
        pieces.append((g, expected, outcome))
    v = 1 / sum(g * g * e * (1 - e) for g, e, _ in pieces)
    gain = sum(g * (s - e) for g, e, s in pieces)
    delta, a = v * gain, math.log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / tau**2

    low, high = a - 10, a + 10
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return 1500 + unit * (mu + phi**2 * gain), unit * phi, sigma


def margin_elo_ratings(contests: Iterable[Contest], gain: float) -> dict[int, float]:
    """Elo by margins, entry by entry, without home or dates."""
    rating: dict[int, float] = {}
    for contest in contests:
        who, score = contest.who.tolist(), contest.score.tolist()
        before = {i: rating.get(i, 0.0) for i in who}
        for i, s in zip(who, score, strict=True):
            over = s - sum(score) / len(score)
            said = before[i] - sum(before.values()) / len(before)
            rating[i] = before[i] + gain * (over - said)
    return rating
