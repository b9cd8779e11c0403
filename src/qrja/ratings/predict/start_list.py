"""Start lists: who is known, and what is expected of those who are new.

A newcomer is taken as anybody of the field. With the ratings x of the group that the others belong
to, the usual variance v of their results and the usual squared share q behind their ratings,

    rating  = mean of x
    hidden  = q min(rating noise, v)
    Var     = (v - hidden) + max(Var(x) - hidden, 0)

A rating is no noisier than the results it is made of: where all ratings rest on as much, errors
cannot tell the noise of ratings from that of results, and either may be learned as all of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Index, plain_list
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.predict.noise import Noise, rating_shares
from qrja.ratings.words import Wording, find_number, hint_at, listed, similar
from qrja.speech import plural

NEW = -1
"""The number of who is new."""


@dataclass(frozen=True, eq=False)
class Entrants:
    """The entrants of a start list.

    Parameters
    ----------
    names : tuple
        As the ratings know them, newcomers as they were given.
    who : array of int
        Their numbers in the ratings, ``NEW`` for newcomers.
    group : int
        The component that they belong to.
    """

    names: tuple[Hashable, ...]
    who: Index
    group: int

    @property
    def is_new(self) -> Index:
        """Whether each is new."""
        return np.asarray(self.who == NEW)

    @property
    def newcomers(self) -> tuple[Hashable, ...]:
        """Those who are new."""
        return tuple(n for n, new in zip(self.names, self.is_new, strict=True) if new)


def find_entrants(ratings: Fit, start_list: Iterable[Hashable]) -> Entrants:
    """Find the entrants of a start list, or say who is twice there, or not comparable."""
    who = Wording.of(ratings).who
    if not isinstance(start_list, Iterable):
        raise InputError(f"the start list is {start_list!r}; name at least two {plural(who)}")
    asked = [start_list] if isinstance(start_list, str) else plain_list(start_list)
    if len(asked) < 2:
        said = f"of one, {asked[0]!r}" if asked else "of nobody"
        raise InputError(f"the start list is {said}; name at least two {plural(who)}")
    for place, name in enumerate(asked, 1):
        if not isinstance(name, Hashable):
            raise InputError(f"entry {place} of the start list is {name!r}, which is no name")
    known = ratings.problem.names
    numbers = [find_number(known, name) for name in asked]
    found = np.array([NEW if i is None else i for i in numbers], dtype=np.int32)
    names = tuple(known[i] if i >= 0 else name for i, name in zip(found, asked, strict=True))
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"the start list names {name!r} twice; name everybody once")
    return Entrants(names, found, _common_group(ratings, names, found))


def _common_group(ratings: Fit, names: tuple[Hashable, ...], who: Index) -> int:
    """Return the component of the known entrants."""
    seen = np.flatnonzero(who >= 0)
    say = Wording.of(ratings)
    if not len(seen):
        hint = hint_at(ratings.problem.names, names[0])
        raise InputError(f"nobody of the start list is rated: no {say.who} {names[0]!r}{hint}")
    label = ratings.solution.components[who[seen]]
    if (label != label[0]).any():
        first, other = names[seen[0]], names[seen[int((label != label[0]).argmax())]]
        raise InputError(
            f"{first!r} and {other!r} cannot be compared: no chain of {say.words} joins"
            f" them; a {say.word} with members of both groups would"
        )
    return int(label[0])


def expect(ratings: Fit, entrants: Entrants, noise: Noise) -> tuple[Floats, Floats, Floats]:
    """Return the rating of each entrant, the slope toward it, and the spread of the result."""
    new, who = entrants.is_new, entrants.who
    shares = rating_shares(ratings)
    mean, variance = 0.0, 0.0
    if new.any():
        mean, variance = describe_field(ratings, entrants.group, noise, shares)
    share = np.where(new, 0.0, shares[who])
    x = np.where(new, mean, ratings.solution.x[who])
    spread = noise.spread(share)
    return x, noise.slope(share), np.where(new, np.sqrt(variance), spread)


def describe_field(ratings: Fit, group: int, noise: Noise, shares: Floats) -> tuple[float, float]:
    """Return the mean rating of a group, and the variance of a result of anybody in it."""
    of_group = ratings.solution.components == group
    x, share = ratings.solution.x[of_group], float(shares[of_group].mean())
    usual = noise.result + noise.rating * share
    hidden = share * min(noise.rating, usual)
    return float(x.mean()), usual - hidden + max(float(x.var()) - hidden, 0.0)


def tell_newcomers(ratings: Fit, entrants: Entrants, spread: float) -> list[str]:
    """Say how newcomers are forecast, and whom a name may have been meant for."""
    if not entrants.newcomers:
        return []
    say = Wording.of(ratings)
    size = int((ratings.solution.components == entrants.group).sum())
    verb = "is" if len(entrants.newcomers) == 1 else "are"
    anybody, nobody = ("any", "none") if say.nouns.of_things else ("anybody", "nobody")
    told = (
        f"{listed(entrants.newcomers)} {verb} new: forecast as {anybody} of the {size} rated, give"
        f" or take {say.amount(spread)}"
    )
    known = ratings.problem.names
    unsure = [name for name in entrants.newcomers if similar(known, name)]
    return [told, *(f"{nobody} is called {name!r}{hint_at(known, name)}" for name in unsure)]
