"""The panel of a league: judges are asked, answer, and change their minds; nothing is lost.

    vote = an event "judged" or "passed";   a change = "corrected", or "removed" and the other one

Everything is an event of the log, so that whoever reads it sees what each judge said, when.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from qrja.errors import InputError, nearest
from qrja.league.events import Draft, Event, now
from qrja.league.incoming import Incoming, one_judgment
from qrja.league.league import League
from qrja.league.panels import (
    Ballot,
    Certainty,
    Item,
    JudgeNote,
    NextPair,
    PanelRules,
    StopSign,
    ballots_of,
    checked_item,
    checked_rules,
    choose_pair,
    describe_judges,
    find_repeats,
    look_for_end,
    read_items,
)
from qrja.league.payloads import checked_comment
from qrja.league.state import State
from qrja.league.storage import KeptFiles
from qrja.league.writing import Signed
from qrja.ratings import Ratings

TWICE = 2
"""Votes of one judge on one pair: the second time to see how alike; more would count too much."""


class LeaguePanel:
    """The panel of judges of a league.

    Parameters
    ----------
    league : League
        Which one.

    Examples
    --------
    >>> panel = LeaguePanel(League.open(":memory:"))
    >>> _ = panel.set_up(question="Which project would you rather use?")
    >>> _ = panel.list_items(["Zoom", "Bloom", "Room"])
    >>> _ = panel.vote("Ann", "Zoom", "Bloom", 2, comment="no contest")
    >>> pair = panel.next("Ann", np.random.default_rng(0))
    >>> "Room" in (pair.a, pair.b)
    True
    >>> vote = panel.votes("Ann")[0]
    >>> _ = panel.change("Ann", vote.key, None)
    >>> [(one.a, one.b, one.y) for one in panel.votes("Ann")]
    [('Zoom', 'Bloom', None)]
    """

    def __init__(self, league: League) -> None:
        self.league = league

    # ------------------------------------------------------------------ organisers

    @property
    def rules(self) -> PanelRules:
        """What is asked, as usual if nothing was set up."""
        return self.league.state.rules or PanelRules()

    def set_up(
        self, *, author: str = "", key: str | None = None, expected: int | None = None, **rules: Any
    ) -> Event:
        """Say what the panel is asked; what is not named stays as it is.

        Parameters
        ----------
        author, key, expected
            See :meth:`League.add`.
        **rules
            See :class:`PanelRules`.
        """
        told = self.rules.to_dict()
        for name in rules:
            if name not in told:
                raise InputError(f"a panel has no {name!r}{nearest(name, list(told))}")
        given = {k: list(v) if isinstance(v, tuple) else v for k, v in rules.items()}
        draft = Draft("empanelled", checked_rules(told | given).to_dict())
        return self.league.write([draft], author=author, key=key, expected=expected)[0]

    def list_items(self, items: Any, **signed: Unpack[Signed]) -> Event:
        """List items to compare; one that is there is changed to what is given.

        Parameters
        ----------
        items : path, binary file, or iterable of names, dicts or Item
            A table has a column of items, and perhaps text, link, image and owner; images are files
            beside it.
        author, key, expected
            See :meth:`League.add`.
        """
        drafts = [Draft("listed", {"items": [one.to_dict() for one in self.read(items)]})]
        return self.league.write(drafts, **signed)[0]

    def read(self, items: Any, *, images: bool = True) -> Sequence[Item]:
        """Read items without listing them; their images are kept, if the table may name files."""
        if not (isinstance(items, str | os.PathLike) or hasattr(items, "read")):
            return [one if isinstance(one, Item) else checked_item(_told(one)) for one in items]
        read = read_items(items)
        if read.images and not images:
            raise InputError("a table that is sent names no files; add images to items one by one")
        folder = Path(items).parent if isinstance(items, str | os.PathLike) else Path()
        kept = {name: self.keep_image(folder / file) for name, file in read.images.items()}
        return [Item(**{**vars(one), "image": kept.get(one.name, "")}) for one in read.items]

    def keep_image(self, image: bytes | Path, name: str = "the image") -> str:
        """Keep an image; return what an item calls it."""
        if isinstance(image, Path):
            name = str(image)
            try:
                image = image.read_bytes()
            except OSError as error:
                raise InputError(f"{name}: cannot be read: {error.strerror}") from None
        return KeptFiles(self.league.store).keep(image, name)

    def unlist(self, names: Iterable[str], *, author: str = "") -> Event:
        """Ask no more about some items; what was said of them stays."""
        return self.league.write([Draft("unlisted", {"items": [*names]})], author=author)[0]

    # ------------------------------------------------------------------ judges

    def next(
        self,
        judge: str,
        rng: np.random.Generator | None = None,
        *,
        shown: Iterable[tuple[str, str]] = (),
        known: Certainty | None = None,
    ) -> NextPair | None:
        """Choose what to ask a judge next, see :func:`qrja.league.choose_pair`.

        Parameters
        ----------
        judge : str
            Who asks.
        rng : numpy.random.Generator, optional
            Decides between equals.
        shown : iterable of pairs
            What other judges look at just now.
        known : Certainty, optional
            That of an earlier call, which makes this one quick.
        """
        state = self.league.state
        rules = state.rules or PanelRules()
        return choose_pair(
            state.items,
            judge,
            ballots_of(state.judgments, state.passes, judge),
            [*((it.a, it.b) for it in state.judgments.values()), *shown],
            rng or np.random.default_rng(),
            repeats=rules.repeats,
            known=known,
        )

    def vote(
        self,
        judge: str,
        a: str,
        b: str,
        y: Any,
        *,
        comment: str | None = None,
        **signed: Unpack[Signed],
    ) -> Event:
        """Give an answer: a is better than b by y, or worth y of it; None if that cannot be told.

        Parameters
        ----------
        judge : str
            Who says so.
        a, b : str
            Two items, in the order in which they were shown.
        y : float, str or None
            See :class:`PanelRules`.
        comment : str, optional
            What the judge adds.
        author, key, expected
            See :meth:`League.add`; the author is the judge unless named.
        """
        state = self.league.state
        self._check_pair(state, judge, a, b)
        self._check_times(state, judge, a, b, signed.get("key"))
        told = self._draft(state, judge, a, b, y, comment)
        signed.setdefault("author", judge)
        return self.league.write([told], **signed)[0]

    @staticmethod
    def _check_pair(state: State, judge: str, a: str, b: str) -> None:
        for name in (a, b):
            item = state.items.get(state.called(name))
            if item is None or item.retired:
                close = nearest(name, [it.name for it in state.items.values() if not it.retired])
                raise InputError(f"there is no item {name!r} to compare{close}")
            if item.owner == judge:
                raise InputError(f"{judge!r} does not judge {name!r}; leave it to the others")

    def _check_times(self, state: State, judge: str, a: str, b: str, key: str | None) -> None:
        both = {state.called(a), state.called(b)}
        given = [it for it in state.judgments.values() if it.judge == judge]
        if sum({it.a, it.b} == both for it in given) < TWICE or self._was_sent(key):
            return
        raise InputError(
            f"{judge!r} judged {a!r} and {b!r} twice already; change one of these votes"
        )

    def _was_sent(self, key: str | None) -> bool:
        """Tell whether a write of this key is there: sent again, it is no other one."""
        if key is None:
            return False
        with self.league.store.writing() as transaction:
            return transaction.find(key) is not None

    @staticmethod
    def _draft(
        state: State, judge: str, a: str, b: str, y: Any, comment: str | None
    ) -> Draft | Incoming:
        rules, said = state.rules or PanelRules(), checked_comment(comment)
        if y is None:
            told = {"a": a, "b": b, "judge": judge}
            return Draft("passed", told if said is None else told | {"comment": said})
        held = next(iter(state.judgments.values()), None)
        date = now()[:19] if held is not None and held.date is not None else None
        return one_judgment(
            state,
            a,
            b,
            rules.read(y),
            judge=judge,
            date=date,
            ratio=rules.is_ratio,
            comment=said,
        )

    def votes(self, judge: str | None = None) -> Sequence[Ballot]:
        """Return what a judge said, or all of them, in the order in which they did."""
        state = self.league.state
        ratio = (state.rules or PanelRules()).is_ratio
        return ballots_of(state.judgments, state.passes, judge, ratio=ratio)

    def find_vote(self, judge: str, key: str) -> Ballot:
        """Return a vote of a judge by its key."""
        for one in self.votes(judge):
            if one.key == key:
                return one
        raise InputError(f"{judge!r} gave no vote {key!r}; look at the list of votes")

    def change(
        self,
        judge: str,
        vote: str,
        y: Any,
        *,
        comment: str | None = None,
        key: str | None = None,
        expected: int | None = None,
    ) -> Event:
        """Change a vote of one's own; what it was stays in the log.

        Parameters
        ----------
        judge : str
            Whose vote it is.
        vote : str
            Its key.
        y, comment
            What it shall be, see :meth:`vote`.
        key, expected
            See :meth:`League.add`.
        """
        was, state = self.find_vote(judge, vote), self.league.state
        given = self._draft(state, judge, was.a, was.b, y, comment)
        drafts: Sequence[Draft | Incoming]
        if was.y is not None and isinstance(given, Incoming):
            (one,) = given.judgments
            told = {"judgment": vote, "y": one.y, "comment": one.comment}
            drafts = [Draft("corrected", told)]
        else:
            drafts = [Draft("removed", {"pass" if was.y is None else "judgment": vote}), given]
        return self.league.write(drafts, author=judge, key=key, expected=expected)[-1]

    # ------------------------------------------------------------------ how far it is

    def stop_sign(self, *, first: bool = True) -> StopSign:
        """Find out whether there are enough comparisons; see :class:`StopSign`."""
        state, rules = self.league.state, self.rules
        items = sum(not it.retired for it in state.items.values())
        return look_for_end(
            self._ratings(),
            items=items,
            passes=len(state.passes),
            wished=rules.accuracy,
            repeats=find_repeats(self.votes(), ratio=rules.is_ratio),
            first=first,
        )

    def judges(self, invited: Sequence[str] = ()) -> Sequence[JudgeNote]:
        """Describe the judges, see :meth:`qrja.Ratings.judges`; nothing is applied to ratings."""
        ratings = self._ratings()
        known = ratings is not None and ratings.problem.judge is not None
        lines = ratings.judges().lines if known and ratings is not None else ()
        return describe_judges(self.votes(), lines, invited, ratio=self.rules.is_ratio)

    def _ratings(self) -> Ratings | None:
        return None if self.league.state.is_empty else self.league.ratings


def _told(one: Any) -> Mapping[str, Any]:
    """Return an item as an event says it: a name stands for itself."""
    return {"item": one} if isinstance(one, str) else one
