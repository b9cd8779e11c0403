"""Options that belong together: how to read a file, what to minimise, how to resample.

One dataclass a group, one option a field; :func:`qrja.cli.options.expand` gives them to commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

Level = Annotated[
    float, typer.Option(metavar="SHARE", help="How often an interval should hold the truth.")
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Repeats the same random draws.")]


def _column(help: str) -> Any:
    return typer.Option(metavar="COLUMN", help=help)


@dataclass(frozen=True)
class Reading:
    """How to read the file. Columns that are not named are guessed, and the guess is printed."""

    contest: Annotated[
        str | None, _column("Which contest a row belongs to; several columns: A,B.")
    ] = None
    contestant: Annotated[str | None, _column("Who took part.")] = None
    score: Annotated[str | None, _column("The result: a number or a time.")] = None
    date: Annotated[str | None, _column("When; orders contests and judgments.")] = None
    weight: Annotated[str | None, _column("How much a contest counts.")] = None
    home: Annotated[
        str | None, _column("First side of a match with two scores; alone: find what it is worth.")
    ] = None
    away: Annotated[str | None, _column("Second side of a match.")] = None
    home_score: Annotated[str | None, _column("Score of the first side.")] = None
    away_score: Annotated[str | None, _column("Score of the second side.")] = None
    a: Annotated[str | None, _column("Judgments: the candidate that is better by y.")] = None
    b: Annotated[str | None, _column("Judgments: the other candidate.")] = None
    y: Annotated[str | None, _column("Judgments: by how much.")] = None
    w: Annotated[str | None, _column("Judgments: how much each counts (importance).")] = None
    se: Annotated[
        str | None,
        _column("Standard error of a judgment or a score; several columns A,B: root of squares."),
    ] = None
    study: Annotated[
        str | None, _column("Judgments: rows of one study are contrasts between its arms.")
    ] = None
    topic: Annotated[
        str | None, _column("Judgments: what each is about, such as a prompt or a task.")
    ] = None
    ratio: Annotated[str | None, _column("Judgments: one unit of a is worth so many of b.")] = None
    judge: Annotated[str | None, _column("Who made a judgment, or gave a score.")] = None
    lower_is_better: Annotated[
        bool | None,
        typer.Option(
            "--lower-is-better/--higher-is-better",
            help="Which scores win. Times: the lower, unless said otherwise.",
            show_default=False,
        ),
    ] = None
    dnf: Annotated[
        str | None,
        typer.Option(
            metavar="worst+X",
            help="Give DNF, DQ and empty scores the worst of the contest and X more; else they are"
            " left out, as are always those who did not start (DNS).",
        ),
    ] = None
    left_out: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Your own words for no score: 'Sturz,o.W.'."),
    ] = None
    on_error: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="A score that cannot be read, a name that is missing: stop, or skip the row.",
        ),
    ] = "stop"
    duplicates: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="A contestant several times in one contest: best, first, last, mean, error; or"
            " auto: the mean if most are, else the best.",
        ),
    ] = "auto"
    aliases: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Other spellings of names: a file with a spelling and a name a line; or alike:"
            " those that differ by capitals, accents, blanks and order.",
        ),
    ] = None
    pairs: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="What a pair of a contest of k weighs: unit (1), mean (1/(k-1)), additive (1/k).",
        ),
    ] = "unit"
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="How scores of different contests compare: log (percent), or divided by the sd,"
            " mad or range of their contest, or rank.",
        ),
    ] = None
    where: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION",
            help="Read only such rows: \"category = 'F' and km >= 10\"; also != < in (...), or,"
            " not, is empty.",
        ),
    ] = None
    wide: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="A wide table: what its columns are, contestants or contests; a square one: its"
            " cells, ratios or margins; else recognised.",
        ),
    ] = None
    grades: Annotated[
        str | None,
        typer.Option(
            metavar="A>>B=3,...",
            help="What verdicts in words count, else in equal steps; fitted: by the data.",
        ),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(metavar="SHEET", help="Of a spreadsheet: the name or the number of a sheet."),
    ] = None
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHAR", help="What separates columns; else recognised.")
    ] = None
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="utf-8 or latin-1; else recognised.")
    ] = None
    covariates: Annotated[
        list[str] | None,
        typer.Option(
            "--covariate",
            metavar="COLUMN",
            help="Find what a column is worth beside the ratings, numbers or levels; home: the home"
            " side (or --home alone); altitude*home: a product. May be repeated.",
        ),
    ] = None
    remote: Annotated[
        bool,
        typer.Option(
            "--remote", help="Let DuckDB fetch Parquet from https:// or s3://; else nothing is."
        ),
    ] = False


def read_power(text: Any) -> float | str:
    """Read a power: a number, or the word auto.

    Examples
    --------
    >>> read_power("1.5"), read_power("auto")
    (1.5, 'auto')
    """
    if text == "auto":
        return "auto"
    try:
        return float(text)
    except (TypeError, ValueError):
        raise typer.BadParameter(f"{text!r} is neither a number nor 'auto'.") from None


@dataclass(frozen=True)
class Modelling:
    """What the ratings minimise, and what is known besides the results."""

    p: Annotated[
        Any,
        typer.Option(
            "--p",
            metavar="P",
            parser=read_power,
            help="The power of the loss: 2, 1, above 1, inf; or auto: loss, half-life and ridge by"
            " the past, p by how judgments foretell each other.",
        ),
    ] = 2.0
    loss: Annotated[
        str | None,
        typer.Option(
            metavar="NAME:X",
            help="Another loss than a power: huber:2, logcosh:1, insensitive:0.5, pinball:0.9.",
        ),
    ] = None
    half_life: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="A contest of this age counts half: '180 days', '20 contests', or a number"
            " (days if there are dates).",
        ),
    ] = None
    drift: Annotated[
        str | None,
        typer.Option(
            metavar="SPEED",
            help="Strengths move: '0.3 per year' (or per month, per contest), or auto: as fast as"
            " the results say. Ratings are those of the latest period.",
        ),
    ] = None
    per: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Contestants differ by context, such as the voter or the surface; as much as the"
            " results say. Ratings are those as such.",
        ),
    ] = None
    with_: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="COLUMNS",
            help="Entries are made of more than their contestant, such as jockey,trainer: scores"
            " add up, and each part has a board.",
        ),
    ] = None
    covariate_ridge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="X",
            help="Pull what covariates are worth toward 0 by so much: all of them, or NAME=X one of"
            " them. May be repeated.",
        ),
    ] = None
    ridge: Annotated[
        float,
        typer.Option(min=0, metavar="X", help="Pull everybody toward the mean by so much."),
    ] = 0.0
    random_effects: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="True margins vary between studies: dl (by moments) or reml (by likelihood).",
        ),
    ] = None
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=RATING",
            help="Give a rating, or NAME=RATING+-SE a measured one; may be repeated.",
        ),
    ] = None
    anchors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Known values, signed as the scores: name, value and perhaps standard error, the"
            " first columns or FILE:NAME,VALUE,SE.",
        ),
    ] = None


@dataclass(frozen=True)
class Sampling:
    """How intervals are found: unless known or scaled, whole contests are drawn again and again."""

    level: Level = 0.95
    errors: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Where intervals come from: known (standard errors are right), scaled (right in"
            " proportion), resampled, or sandwich. Else chosen, and said.",
        ),
    ] = None
    resamples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How often results are drawn anew. Else 200 times, or as often as some seconds"
            " allow.",
        ),
    ] = None
    seed: Seed = 0
