"""A server: pages for people, JSON for programs, of one league.

Reading order: :mod:`application` (all of it put together), :mod:`settings`, :mod:`guards` (around
every request), :mod:`access` (who may), :mod:`live` (what answers come from) with :mod:`behind`
(what takes longer), :mod:`told_board` and :mod:`results`;
then the faces, :mod:`api` with :mod:`api_models`, :mod:`feeds`, and :mod:`browsing` with
:mod:`drawn` (small pictures). :mod:`entering` is how organisers write by pages, :mod:`panel` asks
judges, :mod:`questions` compare two or look at all of a league, and :mod:`operation` is for whoever
runs the server.
``pages/`` holds the templates, ``static/`` style and scripts.
"""

from qrja.errors import MissingExtraError

try:
    import fastapi  # noqa: F401
    import jinja2  # noqa: F401
except ImportError as error:
    raise MissingExtraError.of(str(error.name), "serve", "servers") from None

from qrja.serve.application import make_app
from qrja.serve.settings import Settings

__all__ = ["Settings", "make_app"]
