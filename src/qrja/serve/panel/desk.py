"""The desk of a panel: what its pages and its API share."""

from __future__ import annotations

from typing import Any

from qrja.errors import InputError
from qrja.league import Event, League, LeaguePanel, Role, Token, Tokens
from qrja.serve.live import Live
from qrja.serve.panel.panel_progress import Progress
from qrja.serve.panel.tickets import Tickets
from qrja.serve.results import UnknownNameError


class PanelDesk:
    """The panel of the league that a server serves."""

    def __init__(self, live: Live) -> None:
        self.live, self.panel = live, LeaguePanel(live.league)
        self.tickets, self.progress = Tickets(self.panel), Progress(self.panel)
        self.tokens = Tokens(live.league.store)

    @property
    def league(self) -> League:
        """The league."""
        return self.live.league

    def shown_to(self) -> Role:
        """Return who sees the ratings: readers, unless the panel hides them."""
        rules = self.league.last_state.rules
        sights: dict[str, Role] = {"judges": "judge", "organisers": "organiser"}
        return "reader" if rules is None else sights.get(rules.board, "reader")

    def need(self) -> None:
        """Check that there is a panel."""
        if self.league.state.rules is None:
            raise UnknownNameError("there is no panel here yet; an organiser sets one up")

    # ------------------------------------------------------------------ judges

    def invited(self) -> list[Token]:
        """List the tokens of judges, revoked ones too."""
        return [token for token in self.tokens.all() if token.role == "judge"]

    def names(self) -> list[str]:
        """List the judges who may judge."""
        return list(dict.fromkeys(it.name for it in self.invited() if it.revoked is None))

    def invite(self, name: str) -> str:
        """Make a code for a judge, shown this once."""
        return self.tokens.make("judge", name.strip())

    def revoke(self, id: str) -> None:
        """Let the code of a judge be worth nothing from now on."""
        if not any(it.id == id and it.revoked is None for it in self.invited()):
            raise InputError(f"there is no judge's code {id!r}, or it is revoked; look at the list")
        self.tokens.revoke(id)

    # ------------------------------------------------------------------ votes

    def vote(self, judge: str, a: str, b: str, y: Any, comment: str | None, **more: Any) -> Event:
        """Take the vote of a judge; sent again with the same key, it counts once."""
        self.need()
        event = self.panel.vote(judge, a, b, y, comment=comment, **more)
        self.tickets.close(judge)
        self.live.written()
        return event

    def change(self, judge: str, vote: str, y: Any, comment: str | None, **more: Any) -> Event:
        """Change a vote of one's own."""
        self.need()
        event = self.panel.change(judge, vote, y, comment=comment, **more)
        self.live.written()
        return event
