"""qrja-auto beside the best of its fits in hindsight: python auto_hindsight.py.

Nobody can know before the last contest which fit that is, one for the order and one for margins
with a scale of its own: it bounds what choosing among these fits can reach. Writes
results/auto_hindsight.csv; a difference is a share of pairs, or of the loss.
"""

from __future__ import annotations

import numpy as np

from auto import OTHERS, value, write
from problems import PAPER_SETS, fair
from qrja.adaptive import GRID, SCALES, Fits, Member, Vote, judge, mix
from qrja.metrics import score_contest, total

HEADER = ["set", "metric", "qrja-auto", "best fit", "is", "difference"]


def hindsight(name: str) -> list[list[str]]:
    """Return a row per metric."""
    fits, vote, sums = Fits(GRID), Vote(len(GRID)), []
    right, losses = np.zeros(len(GRID)), np.zeros((len(SCALES), len(GRID)))
    for contest in fair(name):
        predicted = fits.predict(contest.who)
        known = np.isfinite(predicted[:, 0]) if len(predicted) else np.zeros(0, dtype=bool)
        score, predicted = contest.score[known], predicted[known]
        margins = mix(predicted, vote.margin())
        sums.append(score_contest(score, mix(predicted, vote.order()), apart=margins, levels=False))
        if known.sum() > 1:
            judged = judge(score, predicted)
            vote.add(*judged)
            right, losses = right + judged[0], losses + judged[1]
        fits.learn(contest)
    accuracy, loss = value(sums)
    all_of_it = total(sums)
    best, (scale, least) = int(right.argmax()), np.unravel_index(losses.argmin(), losses.shape)
    bound, limit = right[best] / all_of_it.ordered, losses[scale, least] / all_of_it.margins
    fit = f"{short(GRID.members[least])}, times {SCALES[scale]:g}"
    return [
        [name, "accuracy", f"{accuracy:.6g}", short(GRID.members[best]), f"{bound:.6g}",
         f"{accuracy - bound:+.4f}"],
        [name, "loss", f"{loss:.6g}", fit, f"{limit:.6g}", f"{loss / limit - 1:+.4f}"],
    ]  # fmt: skip


def short(member: Member) -> str:
    return (
        f"{member.transform}, half-lives {member.half_life:g} and {member.own_half_life:g},"
        f" ridge {member.ridge:g}"
    )


if __name__ == "__main__":
    rows = [row for name in [*PAPER_SETS, *OTHERS] for row in hindsight(name)]
    write("auto_hindsight.csv", HEADER, rows)
