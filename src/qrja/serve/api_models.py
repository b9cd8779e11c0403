"""What programs send, as the OpenAPI description has it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=500)]
Score = Annotated[
    float | Annotated[str, Field(max_length=100)],
    Field(description="As a table has it: 3, or a time such as 4:10:00.", examples=["4:10:00"]),
]


class Sent(BaseModel):
    """Nothing else than what is described."""

    model_config = ConfigDict(extra="forbid")

    expected: Annotated[
        int | None,
        Field(description="The last event that you know of; if others came, 409.", ge=0),
    ] = None


class SentContest(Sent):
    """Results of one contest; others of it may be there, or come later."""

    contest: Annotated[Name, Field(examples=["Boston"])]
    results: Annotated[
        dict[Name, Score],
        Field(
            min_length=1,
            max_length=100_000,
            examples=[{"Ann": "4:00:00", "Bob": "4:10:00"}],
        ),
    ]
    date: Annotated[str | None, Field(max_length=40, examples=["2026-11-15"])] = None
    weight: Annotated[float, Field(gt=0, le=1e9)] = 1.0
    judge: Name | None = None
    lower_is_better: bool | None = None
    home: Annotated[
        Name | None, Field(description="Who is at home; nobody unless told.", examples=["Ann"])
    ] = None
    covariates: Annotated[
        dict[Name, dict[Name, float | Name]] | None,
        Field(
            description="What else is known of entrants, by name.",
            examples=[{"rest": {"Ann": 3, "Bob": 5}}],
            max_length=200,
        ),
    ] = None


class SentJudgment(Sent):
    """A judgment: a is better than b by y."""

    a: Name
    b: Name
    y: Score
    judge: Name | None = None
    w: Annotated[float, Field(gt=0, le=1e9)] = 1.0
    date: Annotated[str | None, Field(max_length=40)] = None
    topic: Name | None = None
    ratio: bool = False


class SentCorrection(Sent):
    """A result as it should be; without a score it is withdrawn."""

    contest: Name
    contestant: Name | None = None
    score: Score | None = None


class SentRenaming(Sent):
    """A contestant, and the other name: a new one, or of who it is."""

    contestant: Name
    to: Name


class SentUndoing(Sent):
    """The event that shall not count."""

    event: Annotated[int, Field(ge=1, le=2**31 - 1)]


class Receipt(BaseModel):
    """What was written."""

    event: int
    kind: str
    author: str
    at: str
    key: str | None
    payload: dict[str, Any]
    digest: str


class Refusal(BaseModel):
    """Why not, in words with place, value and remedy."""

    error: str


REFUSED: dict[int | str, dict[str, Any]] = {
    code: {"model": Refusal} for code in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
"""How requests are refused, for the description."""
