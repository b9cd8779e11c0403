"""Tickets that were dealt: which pair is in front of which judge, whichever server asked.

They are no part of the log: who loses them deals anew.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import and_, or_, select

from qrja.league.storage.schema import TICKETS
from qrja.league.storage.store import Store


@dataclass(frozen=True)
class Ticket:
    """A pair in front of a judge; its name makes a vote that is sent twice count once.

    ``since`` is in seconds since 1970, by the clock of the server that dealt it.
    """

    judge: str
    name: str
    a: str
    b: str
    repeats: str | None
    since: float


class DealtTickets:
    """What all judges look at.

    Examples
    --------
    >>> dealt = DealtTickets(Store.open(":memory:"))
    >>> dealt.deal(Ticket("Ann", "1st", "tea", "gin", None, 0.0)).name
    '1st'
    >>> dealt.deal(Ticket("Ann", "2nd", "tea", "milk", None, 0.0)).name  # by another server
    '1st'
    >>> dealt.deal(Ticket("Bob", "3rd", "gin", "tea", None, 0.0)) is None  # Ann looks at it
    True
    >>> dealt.close("Ann")
    >>> dealt.all()
    {}
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> dict[str, Ticket]:
        """Return the ticket of every judge who has one."""
        with self._store.looking() as connection:
            rows = connection.execute(TICKETS.select()).mappings().all()
        return {row["judge"]: Ticket(**row) for row in rows}

    def deal(
        self, ticket: Ticket, *, instead_of: str | None = None, seen: Collection[str] = ()
    ) -> Ticket | None:
        """Put a ticket in front of its judge, and return what is there then.

        Parameters
        ----------
        ticket : Ticket
            The new one. Where another server was quicker, the one that it dealt stays.
        instead_of : str, optional
            The name of the ticket that it is to replace.
        seen : collection of str
            Names of tickets that were known when the pair was chosen. If one that was not has the
            same pair, nothing is dealt, and None returned: choose again.
        """
        columns = TICKETS.c
        same = or_(
            and_(columns.a == ticket.a, columns.b == ticket.b),
            and_(columns.a == ticket.b, columns.b == ticket.a),
        )
        with self._store.beside() as connection:
            there = connection.execute(TICKETS.select().where(columns.judge == ticket.judge))
            held = there.mappings().first()
            if held is not None and held["name"] != instead_of:
                return Ticket(**held)
            others = select(columns.name).where(same, columns.judge != ticket.judge)
            if set(connection.execute(others).scalars()) - set(seen):
                return None
            connection.execute(TICKETS.delete().where(columns.judge == ticket.judge))
            connection.execute(TICKETS.insert(), asdict(ticket))
        return ticket

    def close(self, judge: str) -> None:
        """Take the ticket of a judge away."""
        with self._store.beside() as connection:
            connection.execute(TICKETS.delete().where(TICKETS.c.judge == judge))
