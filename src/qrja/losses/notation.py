"""A loss in writing: ``huber:2`` on the command line, a name and its numbers in a file."""

from __future__ import annotations

from typing import Any

from qrja.errors import InputError, nearest
from qrja.losses.known import KnownLoss
from qrja.losses.protocols import Loss


def kinds() -> list[type[Any]]:
    """Return the losses that have a word, in the order in which they were defined."""
    return [kind for kind in KnownLoss.__subclasses__() if kind.word]


def parse(text: str) -> KnownLoss:
    """Read a loss such as ``huber:2``.

    Examples
    --------
    >>> parse("huber:2")
    Huber(delta=2.0)
    >>> parse("hubber:2")
    Traceback (most recent call last):
    qrja.errors.InputError: no loss 'hubber'; did you mean 'huber'?
    """
    by_word = {kind.word: kind for kind in kinds()}
    name, _, given = text.strip().partition(":")
    if name.casefold() not in by_word:
        hint = nearest(name, by_word) or f"; choose one of {', '.join(by_word)}"
        raise InputError(f"no loss {name!r}{hint}")
    try:
        value = float(given)
    except ValueError:
        raise InputError(
            f"loss is {text!r}; give its number after a colon, such as {name}:{1 if given else 2}"
        ) from None
    loss: KnownLoss = by_word[name.casefold()](value)
    return loss


def describe(loss: Loss) -> dict[str, Any]:
    """Return the name and the numbers of a loss, from which :func:`restore` makes it again.

    Examples
    --------
    >>> from qrja.losses import Huber
    >>> describe(Huber(2.0))
    {'name': 'Huber', 'delta': 2.0}
    """
    if type(loss) not in kinds():
        raise InputError(f"the loss {loss!r} is not of qrja.losses and cannot be saved")
    return {"name": type(loss).__name__, **vars(loss)}


def restore(told: dict[str, Any]) -> KnownLoss:
    """Make the loss that :func:`describe` described.

    Examples
    --------
    >>> restore({"name": "Huber", "delta": 2.0})
    Huber(delta=2.0)
    """
    numbers = dict(told)
    name = numbers.pop("name")
    known = {kind.__name__: kind for kind in kinds()}
    if name not in known:
        raise InputError(f"there is no loss {name!r}")
    loss: KnownLoss = known[name](**numbers)
    return loss
