"""Verdict: which ranker to trust on these data, and whether its lead is more than chance.

Ranker i leads j by ``d_ij``, with standard error ``e_ij``; on resampled contests by ``d*_ij``. The
lead is called sure if ``d_ij > c e_ij``, where c is the 95 % quantile, over the draws, of

    max_ij |d*_ij - d_ij| / e_ij

so that all comparisons together, and the choice of the best for one of them, go wrong once in
twenty times, and not each of them.

Reference: Westfall and Young, "Resampling-Based Multiple Testing", 1993.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.backtesting.bootstrap import Difference
from qrja.data import Floats
from qrja.plurals import count
from qrja.rules import Rules, find_rules
from qrja.speech import Sentence, joined

SURE = 0.95
"""How often all that is called sure is so."""
USUAL = "qrja-l2"
"""The ranker that rates as qrja does unless told otherwise."""
RIVAL = "bradley-terry"
"""The ranker that goes by wins, beside which QRJA is set."""
_POWER = re.compile(r"qrja-[lp]?(?P<p>auto|inf|[\d.]+)")
FEW = 10
"""With fewer contests, resampling says little about chance."""


@dataclass(frozen=True)
class Verdict:
    """Which ranker to trust.

    Parameters
    ----------
    best : str or None
        The ranker with the highest accuracy; None where nothing could be predicted.
    level : tuple of str
        Rankers that may be as good: its lead over them may be chance.
    worse : tuple of str
        Rankers that it is surely better than.
    sentence : str
        All of that in words.
    """

    best: str | None
    level: tuple[str, ...]
    worse: tuple[str, ...]
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain texts and lists."""
        return {
            "best": self.best,
            "level": list(self.level),
            "worse": list(self.worse),
            "sentence": self.sentence,
            "option": self.option,
            "advice": self.advice,
        }

    @property
    def option(self) -> str | None:
        """The option of the command line that rates as the best ranker does; None if there is none.

        Examples
        --------
        >>> [Verdict(name, (), (), "").option for name in ("qrja-l1", "qrja-p1.5", "elo")]
        ['--p 1', '--p 1.5', None]
        """
        found = _POWER.fullmatch(self.best or "")
        return None if found is None else f"--p {found['p']}"

    @property
    def advice(self) -> str:
        """What to type, where another loss than the usual one predicts surely better."""
        if USUAL not in self.worse:
            return ""
        if self.best == RIVAL:
            return Sentence(
                "qrja rank goes by margins; in Python, make_ranker({rival!r}) of qrja.rankers goes"
                " by wins.",
                rival=RIVAL,
            )
        if self.option is None:
            return ""
        return Sentence("To rate that way: qrja rank FILE {option}", option=self.option)


def judge(
    accuracy: Mapping[str, float | None],
    draws: Floats,
    *,
    contests: int,
    rules: Rules,
    margins: Mapping[str, float | None],
    noun: str = "contest",
    judged: bool = False,
) -> Verdict:
    """Judge rankers by their accuracies.

    Parameters
    ----------
    accuracy : dict
        Ranker -> the share of pairs that it puts in the right order.
    draws : array of float, (resamples, rankers)
        The same on resampled contests, columns in the order of ``accuracy``.
    contests : int
        How many contests had a pair to predict.
    rules : {"fair", "paper"}
        How it was evaluated.
    margins : dict
        Ranker -> its error of the margins, divided by that of predicting none.
    noun : str
        What is resampled, if not contests.
    judged : bool
        Whether judgments were predicted.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal([0.7, 0.5], 0.01, (200, 2))
    >>> found = judge(
    ...     {"mean": 0.7, "zero": 0.5}, draws, contests=99, rules="fair", margins={"mean": 0.8}
    ... )
    >>> found.best, found.worse
    ('mean', ('zero',))
    >>> print(found.sentence)
    Trust mean: it puts 70.0% of pairs in the right order, and its lead over zero (50.0%) is real.
    Its error of the margins is the smallest, too: 0.800 of that of predicting none.
    """
    known = {name: value for name, value in accuracy.items() if value is not None}
    if not known:
        return Verdict(None, (), (), _say_nothing(judged))
    # The first of equals: rankers are listed in the order in which they were asked for.
    best = max(known, key=lambda name: known[name])
    columns = [i for i, name in enumerate(accuracy) if name in known]
    sure = _find_sure(np.array(list(known.values())), draws[:, columns])
    leads = sure[list(known).index(best)] if contests >= FEW else np.zeros(len(known), np.bool_)
    others = sorted((name for name in known if name != best), key=lambda name: -known[name])
    worse = tuple(name for name in others if leads[list(known).index(name)])
    level = tuple(name for name in others if name not in worse)
    at = list(accuracy).index(best)
    coin = contests >= FEW and not _beats_a_coin(known[best], draws[:, at])
    return Verdict(
        best, level, worse, _tell(known, best, level, worse, contests, noun, rules, coin, margins)
    )


def _find_sure(values: Floats, draws: Floats) -> NDArray[np.bool_]:
    """Tell for every two whether the first is surely ahead."""
    draws = draws[np.isfinite(draws).all(axis=1)]
    lead = values[:, None] - values
    if len(draws) < 2:
        return np.zeros(lead.shape, np.bool_)
    change = draws[:, :, None] - draws[:, None, :]
    error = change.std(axis=0, ddof=1)
    known = error > 0
    scaled = np.abs(change - lead)[:, known] / error[known]
    limit = np.quantile(scaled.max(axis=1), SURE) if known.any() else 0.0
    sure: NDArray[np.bool_] = known & (lead > limit * error)
    return sure


def _beats_a_coin(value: float, draws: Floats) -> bool:
    finite = draws[np.isfinite(draws)]
    return len(finite) < 2 or bool(np.quantile(finite, 1 - SURE) > 0.5) or value >= 1


def _tell(
    accuracy: Mapping[str, float],
    best: str,
    level: Sequence[str],
    worse: Sequence[str],
    contests: int,
    noun: str,
    rules: Rules,
    coin: bool,
    margins: Mapping[str, float | None],
) -> str:
    right = Sentence("{share:.1%} of pairs in the right order", share=float(accuracy[best]))
    if caveat := find_rules(rules).verdict:
        return Sentence(caveat, best=best, share=right)
    if contests < FEW:
        return Sentence(
            "Too little to tell: only {few} could be predicted. There {best} puts {share}.",
            few=count(contests, noun),
            best=best,
            share=right,
        )
    if coin:
        return Sentence(
            "Trust none: no method is surely better than a coin. The best, {best}, puts {share}.",
            best=best,
            share=right,
        )
    order = _say_order(accuracy, best, level, worse, right)
    return joined(" ", [order, *_say_margins(best, margins)])


def _say_order(
    accuracy: Mapping[str, float],
    best: str,
    level: Sequence[str],
    worse: Sequence[str],
    share: Sentence,
) -> Sentence:
    said: dict[str, object] = {"best": best, "share": share}
    if not level and not worse:
        return Sentence("{best} puts {share}; a coin would put 50%.", **said)
    if not level:
        sure = "Trust {best}: it puts {share}, and its lead over {near} ({next:.1%}) is real."
        if len(worse) > 1:
            sure = (
                "Trust {best}: it puts {share}, and its lead over all others, the nearest being"
                " {near} ({next:.1%}), is real."
            )
        return Sentence(sure, near=worse[0], next=float(accuracy[worse[0]]), **said)
    if not worse:
        alike = (
            "{best} puts {share}, but its lead over {level} may be chance: these data do not tell"
            " the methods apart."
        )
        return Sentence(alike, level=join(level), **said)
    some = (
        "{best} puts {share}, but its lead over {level} may be chance: trust any of these. Its lead"
        " over {worse} is real."
    )
    return Sentence(some, level=join(level), worse=join(worse), **said)


def _say_margins(best: str, margins: Mapping[str, float | None]) -> list[Sentence]:
    known = {name: value for name, value in margins.items() if value is not None}
    if not known:
        return []
    nearest = min(known, key=lambda name: known[name])
    if known[nearest] >= 1:
        return [Sentence("No method predicts the margins better than predicting none.")]
    said = (
        "{nearest} has the smallest error of the margins: {error:.3f} of that of predicting none."
    )
    if nearest == best:
        said = (
            "Its error of the margins is the smallest, too: {error:.3f} of that of predicting none."
        )
    return [Sentence(said, nearest=nearest, error=float(known[nearest]))]


def _say_nothing(judged: bool) -> Sentence:
    if judged:
        return Sentence(
            "Nothing could be predicted: no judgment that is no tie is between two who are also"
            " judged elsewhere."
        )
    return Sentence(
        "Nothing could be predicted: nowhere are two together who had been seen before and whose"
        " scores differ."
    )


def tell_rival(accuracy: Mapping[str, float | None], differences: Sequence[Difference]) -> str:
    """Say how Bradley-Terry compares with the best loss of QRJA, with an interval.

    Examples
    --------
    >>> both = "qrja-l2", "bradley-terry", "ordinal_accuracy"
    >>> found = Difference(*both, difference=0.012, standard_error=0.004, low=0.004, high=0.02)
    >>> print(tell_rival({"qrja-l2": 0.7, "bradley-terry": 0.688}, [found]))
    bradley-terry is behind qrja-l2 by 1.2 points of accuracy (95%: 0.4 to 2.0).
    """
    losses = {name: value for name, value in accuracy.items() if value and _POWER.fullmatch(name)}
    best = max(losses, key=lambda name: losses[name], default="")
    for it in differences:
        if {it.a, it.b} != {best, RIVAL}:
            continue
        lead, low, high = it.difference, it.low, it.high
        if it.b == best:
            lead, low, high = -lead, -high, -low
        if lead == low == high == 0:
            level = "{rival} puts as many pairs in the right order as {best}."
            return Sentence(level, rival=RIVAL, best=best)
        said = (
            "{rival} is behind {best} by {lead:.1f} points of accuracy (95%: {low:.1f} to"
            " {high:.1f})."
        )
        if lead < 0:
            lead, low, high = -lead, -high, -low
            said = (
                "{rival} is ahead of {best} by {lead:.1f} points of accuracy (95%: {low:.1f} to"
                " {high:.1f})."
            )
        points = {"lead": 100 * lead, "low": 100 * low, "high": 100 * high}
        return Sentence(said, rival=RIVAL, best=best, **points)
    return ""


def advise_by_margins(verdict: Verdict, losses: Iterable[Sequence[Difference]]) -> str:
    """Say what to type where another p surely has smaller errors of the margins than the usual.

    Which errors are counted favours a p: absolute ones the smaller, squared ones the larger. So
    both must be smaller.

    Parameters
    ----------
    verdict : Verdict
        By order, which comes first.
    losses : iterable of lists of Difference
        Comparisons of absolute errors, and of squared ones.

    Examples
    --------
    >>> both = "qrja-l1", "qrja-l2"
    >>> less = [Difference(*both, loss, -0.4, 0.1, -0.6, -0.2) for loss in ("l1", "l2")]
    >>> print(advise_by_margins(Verdict("qrja-l2", (), (), ""), [less[:1], less[1:]]))
    qrja-l1 surely has smaller errors of the margins than qrja-l2: qrja rank FILE --p 1
    """
    if verdict.advice or verdict.best is None:
        return ""
    smaller = [_surely_less(differences) for differences in losses]
    both = [name for name in smaller[0] if all(name in others for others in smaller[1:])]
    option = Verdict(both[0], (), (), "").option if both else None
    if option is None:
        return ""
    return Sentence(
        "{best} surely has smaller errors of the margins than {usual}: qrja rank FILE {option}",
        best=both[0],
        usual=USUAL,
        option=option,
    )


def _surely_less(differences: Sequence[Difference]) -> list[str]:
    """List the powers whose errors are surely smaller than those of the usual one, least first."""
    found = {it.a: it.difference for it in differences if it.b == USUAL and it.high < 0}
    found |= {it.b: -it.difference for it in differences if it.a == USUAL and it.low > 0}
    powers = [name for name in found if _POWER.fullmatch(name)]
    return sorted(powers, key=lambda name: found[name])


def join(names: Sequence[str]) -> Sentence:
    """Join names as a sentence does.

    Examples
    --------
    >>> join(["mean", "borda", "elo"])
    'mean, borda and elo'
    """
    *most, last = names
    if not most:
        return joined("", [last])
    return Sentence("{most} and {last}", most=joined(", ", most), last=last)
