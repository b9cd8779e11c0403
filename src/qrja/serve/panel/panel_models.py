"""What programs send to a panel, as the OpenAPI description has it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from qrja.serve.api_models import Name, Score, Sent

Comment = Annotated[str | None, Field(max_length=2000, examples=["the second was unfinished"])]
Answer = Annotated[
    Score | None,
    Field(
        description="By how much a is better than b, or how many b one a is worth; without it, the"
        " judge cannot tell.",
        examples=[2],
    ),
]


class SentVote(Sent):
    """What a judge says of two items, in the order in which they were shown."""

    a: Annotated[Name, Field(examples=["Zoom"])]
    b: Annotated[Name, Field(examples=["Bloom"])]
    y: Answer = None
    comment: Comment = None


class SentChange(Sent):
    """What a vote shall be; without y, that the judge cannot tell."""

    y: Answer = None
    comment: Comment = None


class SentItem(BaseModel):
    """An item to compare; one of this name is changed."""

    item: Annotated[Name, Field(examples=["Zoom"])]
    text: Annotated[str, Field(max_length=20_000, examples=["Video calls that end on time."])] = ""
    link: Annotated[str, Field(max_length=2000, examples=["https://example.org/zoom"])] = ""
    owner: Annotated[str, Field(max_length=500, description="Who is not asked about it.")] = ""


class SentItems(Sent):
    """Items to compare."""

    items: Annotated[list[SentItem], Field(min_length=1, max_length=10_000)]


class SentRules(Sent):
    """What a panel is asked; what is left out stays as it is."""

    question: Annotated[Name | None, Field(examples=["Which project is better?"])] = None
    scale: Literal["grades", "slider", "ratio"] | None = None
    grades: Annotated[list[Name] | None, Field(min_length=1, max_length=5)] = None
    accuracy: Annotated[float | None, Field(ge=0.1, le=0.99)] = None
    repeats: Annotated[float | None, Field(ge=0.0, le=0.5)] = None
    board: Literal["everybody", "judges", "organisers"] | None = None


class SentJudge(Sent):
    """Who shall get a code to judge by."""

    name: Annotated[Name, Field(examples=["Bea"])]
