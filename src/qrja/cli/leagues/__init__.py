"""The commands of leagues: a group ``qrja league``, and what ``qrja update`` does to one.

Reading order: ``league_options`` (the arguments that they share), ``league_log`` (make a league,
look at its log, undo), ``league_keeping`` (back up, restore, check, import, export), and
``league_updates``. ``panel_commands`` is the group ``qrja league panel``, ``serving`` a group of
its own, ``qrja serve``, which ``demo_panel`` gives something to show.
"""

from qrja.cli.leagues.league_keeping import keep_commands
from qrja.cli.leagues.league_log import league
from qrja.cli.leagues.league_updates import update_league
from qrja.cli.leagues.panel_commands import panel
from qrja.cli.leagues.serving import serve

keep_commands(league)
league.add_typer(panel, name="panel")

__all__ = ["league", "serve", "update_league"]
