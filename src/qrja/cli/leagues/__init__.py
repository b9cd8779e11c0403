"""The commands of leagues: a group ``qrja league``, and what ``qrja update`` does to one.

Reading order: ``league_options`` (the arguments that they share), ``league_log`` (make a league,
look at its log, undo), ``league_keeping`` (back up, restore, check, import, export), and
``league_updates``. ``serving`` is a group of its own, ``qrja serve``.
"""

from qrja.cli.leagues.league_keeping import keep_commands
from qrja.cli.leagues.league_log import league
from qrja.cli.leagues.league_updates import update_league
from qrja.cli.leagues.serving import serve

keep_commands(league)

__all__ = ["league", "serve", "update_league"]
