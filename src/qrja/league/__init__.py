"""A league that lives: events in a database, and ratings that follow them.

    ratings = fit(fold(log))

Reading order: :mod:`events` (what happened, with its digest) and :mod:`payloads` (what it says,
checked), :mod:`state` (what a log says) and :mod:`happenings` (what each kind of event does to it),
:mod:`following` (as of now, with the ratings of it) and :mod:`modelling`. The log is kept by
:mod:`storage`. :mod:`incoming` reads what is added, :mod:`exchange` writes what is there,
:mod:`answers` say as of which event they are, :mod:`event_words` what happened. :mod:`league` is
the door to all of it, :mod:`writing` the half of it that changes something, :mod:`backups` look
after it, and :mod:`judging` asks a panel of judges (:mod:`panels`).
"""

from qrja.league.answers import LeagueAnswer
from qrja.league.backups import backup, check, read_backup, restore
from qrja.league.event_words import say_event
from qrja.league.events import Draft, Event
from qrja.league.following import find_undone
from qrja.league.incoming import Incoming
from qrja.league.judging import LeaguePanel
from qrja.league.league import League
from qrja.league.modelling import draft_model, drafts_of
from qrja.league.panels import (
    SCALES,
    SIGHTS,
    Ballot,
    Certainty,
    Item,
    JudgeNote,
    NextPair,
    PanelRules,
    StopSign,
    choose_pair,
)
from qrja.league.payloads import HeldContest, HeldJudgment
from qrja.league.state import State
from qrja.league.storage import (
    ROLES,
    DealtTickets,
    KeptFile,
    KeptFiles,
    Role,
    Ticket,
    Token,
    Tokens,
)
from qrja.league.writing import Signed

__all__ = [
    "ROLES",
    "SCALES",
    "SIGHTS",
    "Ballot",
    "Certainty",
    "DealtTickets",
    "Draft",
    "Event",
    "HeldContest",
    "HeldJudgment",
    "Incoming",
    "Item",
    "JudgeNote",
    "KeptFile",
    "KeptFiles",
    "League",
    "LeagueAnswer",
    "LeaguePanel",
    "NextPair",
    "PanelRules",
    "Role",
    "Signed",
    "State",
    "StopSign",
    "Ticket",
    "Token",
    "Tokens",
    "backup",
    "check",
    "choose_pair",
    "draft_model",
    "drafts_of",
    "find_undone",
    "read_backup",
    "restore",
    "say_event",
]
