"""Nouns from the header: ``task,model,score`` is of things, ``race,runner,time`` of people.

Only words of the two lists below are taken over, whatever their language, for only these are said
in the languages of a report. Where one of the two is told and the other is not, things are tried on
tasks, and whoever is tried is a candidate. People stay contestants, who meet in contests.
"""

from __future__ import annotations

import re

from qrja.data import CONTESTED, JUDGED, Nouns
from qrja.tables.roles import NAMES, root
from qrja.tables.shapes import ChosenColumns, fold_name

EVENTS = {
    "task": "tasks taskid taskname aufgabe aufgaben tache tarea compito tarefa taak",
    "dataset": "datasets datasetid datasetname datensatz jeudedonnees conjuntodedatos",
    "benchmark": "benchmarks benchmarkid benchmarkname bench",
    "question": "questions questionid frage fragen pregunta domanda pergunta vraag",
    "problem": "problems problemid problemname probleme problema probleem",
    "prompt": "prompts promptid",
    "query": "queries queryid",
    "test": "tests testid testname testcase",
    "instance": "instances instanceid instanz",
}
"""What things are tried on, and what columns of them are called besides."""
CANDIDATES = {
    "model": "models modelid modelname llm modell modelle modele modelo modello",
    "classifier": "classifiers klassifikator classifieur clasificador",
    "algorithm": "algorithms algorithmus algorithme algoritmo algoritme",
    "method": "methods verfahren methode metodo approach",
    "system": "systems systemid systemname systeme sistema systeem",
    "solver": "solvers",
    "item": "items itemid",
    "product": "products produkt produit producto prodotto produto",
    "option": "options",
    "response": "responses",
    "answer": "answers antwort",
    "assistant": "assistants",
    "candidate": "candidates kandidat candidat candidato",
}
"""Things that are rated, in the same way."""
COUNTED = {
    "goals": "goals goal fthg hg tore buts but goles gol doelpunten",
    "points": "points point pts punkte punti puntos pontos punten",
    "runs": "runs",
    "tries": "tries",
    "sets": "sets",
    "games": "games",
    "frames": "frames",
    "strokes": "strokes",
}
"""What scores count, and what columns of them are called besides."""
_WORDS = re.compile(r"[\W_]+")
_UNSAID = {"name", "nom", "nombre", "nome", "naam", "who"}
"""Columns of names that do not say whose."""


def find_nouns(chosen: ChosenColumns) -> Nouns:
    """Return the words for a table by the names of its columns.

    Examples
    --------
    >>> columns = {"contest": "Task", "contestant": "LLM", "score": "points"}
    >>> find_nouns(ChosenColumns("entries", columns, ()))
    Nouns(event='task', candidate='model')
    >>> find_nouns(ChosenColumns("entries", columns | {"contestant": "runner"}, ()))
    Nouns(event='contest', candidate='contestant')
    """
    if chosen.shape == "judgments":
        both = _known(_side(chosen.column.get("a", "")), CANDIDATES)
        return Nouns(JUDGED.event, both or JUDGED.candidate)
    if chosen.shape == "matches":
        return CONTESTED
    header = {role: fold_name(chosen.column.get(role, "")) for role in ("contest", "contestant")}
    for role in header.keys() & {chosen.spread}:
        header[role] = _first_word(chosen)
    event = _known(header["contest"], EVENTS)
    candidate = _known(header["contestant"], CANDIDATES)
    if candidate is not None:
        told = "task" if chosen.spread == "contest" else CONTESTED.event
        return Nouns(event or told, candidate)
    if event is not None and header["contestant"] not in {*NAMES["contestant"]} - _UNSAID:
        return Nouns(event, "candidate")
    return CONTESTED


def find_counted(chosen: ChosenColumns) -> str:
    """Return what the scores of a table count, by the name of their column; "" if it does not say.

    Examples
    --------
    >>> find_counted(ChosenColumns("matches", {"home_score": "home_goals"}, ()))
    'goals'
    >>> find_counted(ChosenColumns("matches", {"home_score": "home score"}, ()))
    ''
    """
    column = chosen.column.get("home_score", chosen.column.get("score", ""))
    words = [] if chosen.spread else [fold_name(it) for it in _WORDS.split(column)]
    return next(filter(None, (_known(word, COUNTED) for word in words)), "")


def _first_word(chosen: ChosenColumns) -> str:
    """Return the word that all headers of scores begin with: ``model A``, ``model B``."""
    scores = [name for role, name in chosen.column.items() if root(role) == "score"]
    words = {fold_name(_WORDS.split(name.strip())[0]) for name in scores}
    return words.pop() if len(words) == 1 else ""


def _side(name: str) -> str:
    """Return what ``model_a`` is one of."""
    folded = fold_name(name)
    return folded[:-1] if folded[-1:] in ("a", "1") else folded


def _known(name: str, nouns: dict[str, str]) -> str | None:
    """Return the noun that a column is called by, in whatever form."""
    return next((noun for noun, forms in nouns.items() if name in (noun, *forms.split())), None)
