"""The roles that columns play in a table: the one list of them.

To add a role, add a line to :data:`ROLES`, an argument to :func:`qrja.read_table`, an option to the
command line, and what the shape makes of it; a test tells when one of the first three is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

Shape = Literal["entries", "matches", "judgments"]
"""What a row is: an entrant of a contest, a match of two, or a judgment."""
Content = Literal["names", "dates", "scores", "ratios", "weights", "errors"]
"""What the cells of a column hold; the last four are numbers, scores perhaps times."""


@dataclass(frozen=True)
class Role:
    """What is known of a role.

    Parameters
    ----------
    shapes : tuple of str
        The shapes of table in which it occurs.
    holds : str
        What its cells are.
    called : str
        What such columns are called besides the role's own name, by letters and digits only.
    also : str
        What they are called where no column has one of these names.
    needed : bool
        Whether its shapes cannot do without it; a ratio does instead of y.
    guessed : bool
        Whether the header may decide which column plays it.
    """

    shapes: tuple[Shape, ...]
    holds: Content
    called: str = ""
    also: str = ""
    needed: bool = False
    guessed: bool = True


_ENTRIES: tuple[Shape, ...] = ("entries",)
_MATCHES: tuple[Shape, ...] = ("matches",)
_CONTESTS = _ENTRIES + _MATCHES
_JUDGMENTS: tuple[Shape, ...] = ("judgments",)


def _sided(names: str, side: str) -> str:
    """Add the names of one of two sides, such as ``model_a``."""
    kinds = ("item", "candidate", "option", "model", "response", "system", "answer", "assistant")
    return " ".join((names, *(f"{kind}{side}" for kind in kinds)))


_WINNERS = "winner winnername winnerteam winningteam wteam wteamid winnerid winnertie w"
_LOSERS = "loser losername loserteam losingteam lteam lteamid loserid losertie l"
_WON_BY, _LOST_BY = "winnername winnerid", "losername loserid"
_PLACES = (
    "position place pos finishpos finishingposition finishposition finishplace placing placement "
    "rank finalrank platz platzierung rang classement posicion puesto posto posizione piazzamento "
    "posicao lugar positie plaats"
)

ROLES = {
    "contest": Role(
        _ENTRIES,
        "names",
        "race event match game tournament competition round heat meeting dataset "
        "problem task contestid raceid eventid matchid gameid contestname racename "
        "eventname "
        "lauf rennen wettkampf wettbewerb turnier veranstaltung course epreuve concours tournoi "
        "carrera prueba torneo competicion evento partido gara corsa partita corrida prova "
        "torneio competicao wedstrijd toernooi",
        "benchmark question questionid prompt promptid query queryid instance instanceid "
        "taskid problemid datasetid datasetname benchmarkname taskname aufgabe frage datensatz "
        "tache tarea pregunta compito domanda tarefa pergunta taak vraag",
        needed=True,
    ),
    "contestant": Role(
        _ENTRIES,
        "names",
        "player team runner name athlete competitor driver participant entrant swimmer "
        "rider skier racer candidate classifier model algorithm method handle horse who "
        "playername teamname contestantname "
        "laufer lauferin teilnehmer teilnehmerin spieler athlet mannschaft fahrer nom coureur "
        "joueur equipe nombre corredor participante atleta jugador equipo nome corridore "
        "concorrente giocatore squadra jogador equipa naam loper deelnemer speler ploeg",
        "llm modelname system solver modell modele modelo modello klassifikator classifieur "
        "clasificador algorithmus algorithme algoritmo verfahren methode metodo",
        needed=True,
    ),
    "score": Role(
        _ENTRIES,
        "scores",
        "time points result mark finishtime nettime guntime rating value accuracy "
        "seconds goals total performance "
        "zeit laufzeit nettozeit bruttozeit endzeit ergebnis resultat punkte temps tiempo "
        "resultado puntos puntuacion tempo risultato punti punteggio pontos pontuacao tijd "
        "eindtijd resultaat uitslag punten",
        _PLACES,
        needed=True,
    ),
    "home": Role(
        _MATCHES,
        "names",
        "hometeam team1 player1 teama playera host white homename hteam homeclub homeid "
        "hometeamname hometeamid hometeamapiid homeneutral "
        "heim heimteam heimmannschaft heimverein domicile equipedomicile local equipolocal casa "
        "squadracasa mandante thuis thuisploeg",
        _WINNERS,
        needed=True,
    ),
    "away": Role(
        _MATCHES,
        "names",
        "awayteam team2 player2 teamb playerb visitor guest black awayname ateam awayclub awayid "
        "awayteamname awayteamid awayteamapiid visitorneutral visitorteam "
        "gast gastteam gastmannschaft gastverein exterieur equipeexterieur visitante "
        "equipovisitante ospite squadraospite trasferta uit uitploeg",
        _LOSERS,
        needed=True,
    ),
    "home_score": Role(
        _MATCHES,
        "scores",
        "homegoals homepoints homepts homeruns scorehome goalshome score1 goals1 scorea points1 "
        "hg fthg hostscore homeresult hscore hgoal hgoals hpts homegoal hometeamgoal hometeamgoals "
        "hometeamscore hometeampoints homefinal "
        "toreheim heimtore butsdomicile goleslocal golcasa golmandante doelpuntenthuis",
        "winnerscore winningscore wscore scorew winnerpoints wpoints winnerpts wpts ptsw "
        "winnergoals winnersets wsets",
        needed=True,
    ),
    "away_score": Role(
        _MATCHES,
        "scores",
        "awaygoals awaypoints awaypts awayruns scoreaway goalsaway score2 goals2 scoreb points2 "
        "ag ftag visitorscore guestscore awayresult ascore agoal agoals apts awaygoal awayteamgoal "
        "awayteamgoals awayteamscore awayteampoints awayfinal vgoal vgoals vscore visitorgoals "
        "visitorpoints visitorpts visitorruns "
        "toregast gasttore butsexterieur golesvisitante golospite golvisitante doelpuntenuit",
        "loserscore losingscore lscore scorel loserpoints lpoints loserpts lpts ptsl "
        "losergoals losersets lsets",
        needed=True,
    ),
    "a": Role(_JUDGMENTS, "names", _sided("winner better left", "a"), _WON_BY, needed=True),
    "b": Role(_JUDGMENTS, "names", _sided("loser worse right", "b"), _LOST_BY, needed=True),
    "y": Role(
        _JUDGMENTS,
        "scores",
        "margin difference diff by judgment judgement verdict preference outcome vote grade",
        needed=True,
    ),
    "ratio": Role(_JUDGMENTS, "ratios"),
    "date": Role(
        _CONTESTS + _JUDGMENTS,
        "dates",
        "day datetime timestamp when matchdate racedate eventdate gamedate contestdate "
        "startdate playedon gameday tourneydate datum tag wettkampftag jour fecha giorno",
    ),
    "weight": Role(_CONTESTS, "weights", guessed=False),
    "w": Role(_JUDGMENTS, "weights", "weight"),
    "se": Role(_CONTESTS + _JUDGMENTS, "errors", "sete stderr stderror standarderror"),
    "study": Role(_JUDGMENTS, "names", guessed=False),
    "topic": Role(
        _JUDGMENTS,
        "names",
        "prompt promptid question questionid task taskid query queryid instruction problem "
        "problemid topicid "
        "thema aufgabe frage sujet tache tema tarea pregunta domanda compito pergunta tarefa "
        "onderwerp taak vraag",
    ),
    "judge": Role(_ENTRIES + _JUDGMENTS, "names", "assessor rater annotator judgeid judgename"),
}
"""Every role, those of a shape in the order in which they are told."""

FIRST_WON = {*_WINNERS.split(), "better"}
"""What the first of two is called where it is whoever won: its place says nothing of a ground."""
LAST_LOST = {*_LOSERS.split(), "worse"}
PLACES = {*_PLACES.split()}
"""What columns of places are called, of which the lower are better."""
BY_NAME = ("contestant", "home", "away", "a", "b")
"""Roles of those who are rated: of a column of their names and one of their numbers, the names."""
NAMES = {name: tuple(role.called.split()) for name, role in ROLES.items()}
"""The other names of each role."""
ALSO = {name: tuple(role.also.split()) for name, role in ROLES.items()}
"""The names that count where there is none of those."""
ALLOWED: dict[Shape, tuple[str, ...]] = {
    shape: tuple(name for name, role in ROLES.items() if shape in role.shapes)
    for shape in get_args(Shape)
}
"""The roles of each shape."""
NEEDED: dict[Shape, tuple[str, ...]] = {
    shape: tuple(name for name in names if ROLES[name].needed) for shape, names in ALLOWED.items()
}
"""Those that it cannot do without."""


def holding(*contents: Content) -> frozenset[str]:
    """Return the roles whose cells hold such contents.

    Examples
    --------
    >>> sorted(holding("weights"))
    ['w', 'weight']
    """
    return frozenset(name for name, role in ROLES.items() if role.holds in contents)


def root(role: str) -> str:
    """Return the role that a further column of it plays: several errors make one.

    Examples
    --------
    >>> root("se_2"), root("home_score")
    ('se', 'home_score')
    """
    return _FURTHER.sub("", role)


_FURTHER = re.compile(r"_\d+$")
SCORES = holding("scores")
"""The roles that may be read as numbers at once: no message quotes theirs as written."""
NUMERIC = holding("scores", "ratios", "weights", "errors")
"""The roles whose texts are numbers or times."""
SEVERAL = ("contest", "contestant", "se")
"""The roles that several columns may play together, named with commas between them."""
