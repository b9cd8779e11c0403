"""The panel of the demonstration: a made-up hackathon, its judges, and some of their votes.

    y = round(x_a - x_b + noise), at most 3 either way

One judge is erratic and one favours the left, so that the page of judges has something to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qrja.league import League

PROJECTS = {
    "Second Helping": "Tells the food bank next door what the canteen has left, at a quarter past"
    " two every day.",
    "Night Bus": "A timetable for the buses that are not in the timetable, by people who wait for"
    " them.",
    "Pocket Herbarium": "Take a picture of a leaf; it names three plants that it may be, and what"
    " would tell them apart.",
    "Quiet Hours": "A map of how loud the streets are at night, measured by old telephones on"
    " window sills.",
    "Mend": "Who in your street can sew, solder or sharpen, and when they have time.",
    "Paper Trail": "Reads the minutes of the town council and says which sentence changed since the"
    " last draft.",
    "Ferry": "Carries large files across a room by sound, where there is no network.",
    "Grandmother Tongue": "Records how older people say a word, and draws where it is said so.",
    "Rain Check": "Asks the gutters whether the garden needs water today.",
    "Loose Threads": "Finds the questions in a long discussion that nobody answered.",
    "Tide Clock": "One wooden hand that shows when you can walk to the island.",
    "Blank Page": "A text editor that lets you write, and not read, until it is noon.",
}
JUDGES = ("Ada", "Boris", "Chloe", "Dev", "Emil", "Fatou")
ERRATIC, LEANING = "Boris", "Emil"
GIVEN, SEED = 15, 7
"""Votes of each judge, and where chance begins."""
COMMENTS = {
    3: "I would use this tomorrow.",
    17: "The demo stopped half way; judged by what they said.",
    40: "Close. The second had the better idea, the first works.",
}


def fill_demo_panel(league: League) -> str:
    """Set up the panel, let its judges vote, and return a code for one more judge."""
    import numpy as np

    from qrja.league import Certainty, LeaguePanel, Tokens

    rng, panel, known = np.random.default_rng(SEED), LeaguePanel(league), Certainty()
    league.entitle("Hackathon by the sea", author="demo")
    panel.set_up(question="Which project should win?", accuracy=0.9, author="demo")
    panel.list_items(({"item": it, "text": text} for it, text in PROJECTS.items()), author="demo")
    truth = dict(zip(PROJECTS, rng.normal(0.0, 1.0, len(PROJECTS)), strict=True))
    for turn in range(GIVEN * len(JUDGES)):
        judge = JUDGES[turn % len(JUDGES)]
        pair = panel.next(judge, rng, known=known)
        if pair is None:
            continue
        noise = rng.normal(0.0, 3.2 if judge == ERRATIC else 0.8)
        lean = 2.0 if judge == LEANING else 0.0
        y = float(np.clip(round(truth[pair.a] - truth[pair.b] + noise + lean), -3, 3))
        tells = rng.random() > 0.04
        panel.vote(judge, pair.a, pair.b, y if tells else None, comment=COMMENTS.get(turn))
    tokens = Tokens(league.store)
    for judge in JUDGES:
        tokens.make("judge", judge)
    return tokens.make("judge", "Guest")
