"""Draw the picture of the first page: python tools/index_picture.py > docs/_static/marathons.svg.

Three runners on a line, once by their mean time and once by their rating; arcs are the margins of
the races, from which the ratings follow.
"""

from __future__ import annotations

from html import escape

import numpy as np

from qrja import Contests, datasets, fit

WIDTH, HEIGHT, MEAN, RATING = 720, 300, 62, 240
LEFT, RIGHT, MINUTES = 70, 650, 11.0
# Colours that can be read on a light and on a dark page.
INK, QUIET, BLUE = "#7d8896", "#8f99a6", "#2f80c8"


def at(seconds: float) -> float:
    """Return where a lead of so many seconds is drawn: the best to the right."""
    return LEFT + (seconds / 60 + MINUTES) / (2 * MINUTES) * (RIGHT - LEFT)


def text(
    x: float, y: float, words: str, colour: str = INK, size: int = 14, anchor: str = "middle"
) -> str:
    """Return words at a place."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}"'
        f' text-anchor="{anchor}">{escape(words)}</text>'
    )


def runners(values: dict[str, float], y: float, colour: str) -> list[str]:
    """Return a line with a dot and a name for each runner."""
    drawn = [f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}" stroke="{QUIET}"/>']
    for name, value in values.items():
        x = at(value)
        near = [at(other) - x for other in values.values() if 0 < abs(at(other) - x) < 60]
        # Names of close runners lean away from each other.
        anchor = "middle" if not near else "end" if near[0] > 0 else "start"
        drawn.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{colour}"/>')
        drawn.append(text(x + {"end": 6, "start": -6}.get(anchor, 0), y + 24, name, anchor=anchor))
    return drawn


def arcs(races: Contests, ratings: dict[str, float]) -> list[str]:
    """Return an arc over every two runners, with the margins of the races that they shared."""
    margins: dict[tuple[str, str], list[str]] = {}
    for race in races:
        order = np.argsort(-race.score)
        for i, a in enumerate(order):
            for b in order[i + 1 :]:
                pair = (str(races.names[race.who[a]]), str(races.names[race.who[b]]))
                margins.setdefault(pair, []).append(f"{(race.score[a] - race.score[b]) / 60:.0f}")
    drawn = []
    for (a, b), minutes in margins.items():
        x1, x2 = at(ratings[b]), at(ratings[a])
        height = 30 if x2 - x1 < 300 else 78
        middle = (x1 + x2) / 2
        drawn.append(
            f'<path d="M{x1:.1f} {RATING - 9} Q{middle:.1f} {RATING - 9 - 2 * height} {x2:.1f}'
            f' {RATING - 9}" fill="none" stroke="{BLUE}" stroke-opacity=".55" stroke-width="2"/>'
        )
        drawn.append(text(middle, RATING - 15 - height, f"{', '.join(minutes)} min", BLUE, 13))
    return drawn


def picture() -> str:
    """Return the whole drawing."""
    races = datasets.marathons()
    ratings = dict(zip(map(str, races.names), fit(races, p=2).solution.x.tolist(), strict=True))
    means = np.bincount(races.who, races.score) / np.bincount(races.who)
    level = dict(zip(map(str, races.names), (means - means.mean()).tolist(), strict=True))
    parts = [
        text(
            LEFT,
            28,
            "by mean time: Charlie, who ran the fast course only, is before Bob",
            INK,
            14,
            "start",
        ),
        *runners(level, MEAN, QUIET),
        text(LEFT, 122, "by qrja: the ratings that fit the margins best", INK, 14, "start"),
        *arcs(races, ratings),
        *runners(ratings, RATING, BLUE),
        text(RIGHT, RATING + 52, "faster →", QUIET, 13, "end"),
    ]
    label = "Bob beat Charlie in the only race they shared; the mean puts Charlie first, qrja Bob"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            f' aria-label="{label}" font-family="system-ui, sans-serif">',
            *parts,
            "</svg>",
        ]
    )


if __name__ == "__main__":
    print(picture())
