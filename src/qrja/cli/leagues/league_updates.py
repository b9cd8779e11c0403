"""``qrja update LEAGUE``: results are added, corrected and withdrawn as events, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qrja.cli.leagues.league_options import author_or_user, open_league, tell
from qrja.cli.output import note, working
from qrja.errors import EmptyLeagueError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from qrja.league import Draft, Incoming, League
    from qrja.ratings import Ratings


def update_league(
    place: str,
    file: str | None,
    reading: Mapping[str, Any],
    remove: Sequence[str],
    correct: Sequence[tuple[str, str, str]],
    *,
    dry_run: bool,
    quiet: bool,
) -> tuple[Ratings | None, Ratings]:
    """Update a league; return its ratings before and after."""
    with open_league(place) as league:
        before = None if league.state.is_empty else league.ratings
        drafts: list[Draft | Incoming] = [league.removal(contest) for contest in remove]
        drafts += [league.correction(*one) for one in correct]
        if file is not None:
            drafts.append(_read(league, file, reading, quiet))
        if dry_run or (remove and file is None):
            after = _look(league, drafts)
        if dry_run:
            return before, after
        for event in league.write(drafts, author=author_or_user(None)):
            tell(league, event, quiet)
        with working("updating", quiet):
            return before, league.ratings


def _look(league: League, drafts: Sequence[Draft | Incoming]) -> Ratings:
    """Return what ratings would be, if any would be left."""
    try:
        return league.preview(drafts)
    except EmptyLeagueError:
        raise InputError(f"{league.name}: nothing would be left; undo events instead") from None


def _read(league: League, file: str, reading: Mapping[str, Any], quiet: bool) -> Incoming:
    from qrja.cli.file_kinds import EMBEDDED

    with working(f"reading {file}", quiet):
        if file.startswith(EMBEDDED):
            from qrja.datasets import columns

            given = league.read(columns(file.removeprefix(EMBEDDED)), **reading)
        else:
            given = league.read(file, **reading)
    for line in given.summary.lines() if given.summary is not None else []:
        note(line, quiet)
    return given
