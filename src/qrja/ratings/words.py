"""Words: names as people type them; margins, meetings and shares as people say them.

One place knows how to say "Alice beat Bob by 8:00 in New York", whatever the units: a ratio is
"one x is worth 3 y", a judgment has no place, and a margin that rounds to nothing is a tie. People
meet in contests; of things it speaks in the words of their table, see :class:`qrja.data.Nouns`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from qrja.data import CONTESTED, Nouns, Problem
from qrja.errors import InputError
from qrja.letters import visible
from qrja.plurals import count
from qrja.ratings.fitted import Fit
from qrja.speech import Noun, Numeral, Sentence, joined, plural
from qrja.tables import Units

LISTED = 3
"""Meetings named one by one; more are counted."""
SAID = (Sentence, Numeral)
"""Texts that are not names."""
EVENT, CANDIDATE = ("event", "events"), ("candidate", "candidates")
"""Parts of templates that are nouns: one of them, and several."""
_MARGINS = {
    "met": ("{a} was level with {b}", "{a} beat {b} by {amount}", "{a} lost to {b} by {amount}"),
    "scored": (
        "{a} was level with {b}",
        "{a} was {amount} better than {b}",
        "{a} was {amount} worse than {b}",
    ),
    "judged": (
        "{a} was judged equal to {b}",
        "{a} was judged {amount} better than {b}",
        "{a} was judged {amount} worse than {b}",
    ),
}
"""How a margin is told: of none, of one ahead, of one behind."""


@dataclass(frozen=True)
class Wording:
    """How to speak of a problem.

    Parameters
    ----------
    units : Units
        Of its scores.
    nouns : Nouns
        What it is made of, and who is rated.

    Examples
    --------
    >>> from qrja.data import JUDGED
    >>> say = Wording(Units("time", lower_is_better=True))
    >>> say.meeting("Alice", "Bob", 480, ["New York"])
    'Alice beat Bob by 8:00 in New York'
    >>> Wording(Units("ratio"), JUDGED).meeting("gas", "trash", 1.0986, [2])
    'one gas was judged worth 3 trash'
    """

    units: Units
    nouns: Nouns = CONTESTED

    @classmethod
    def of(cls, ratings: Fit) -> Wording:
        """Return how to speak of ratings."""
        return cls(ratings.units, ratings.problem.nouns)

    @property
    def judged(self) -> bool:
        """Whether two at a time are judged against each other."""
        return self.nouns.judged

    @property
    def word(self) -> str:
        """What compares those who are rated: a contest, a judgment, a task."""
        return self.nouns.event

    @property
    def words(self) -> str:
        """Several of them."""
        return plural(self.word)

    @property
    def who(self) -> str:
        """What those who are rated are called: contestants have met, items were compared."""
        return self.nouns.candidate

    @property
    def meetings(self) -> str:
        """What is told of two directly: people meet, things are compared."""
        return self.words if self.nouns.of_things else "meetings"

    @property
    def never_met(self) -> str:
        """What is said of groups that nothing compares."""
        return "were never compared" if self.nouns.of_things else "never met"

    def either(self, of_people: str, of_things: str, **parts: Any) -> Sentence:
        """Say what is said of people, or what is said of things, in the nouns of these.

        A template of things may have ``{event}``, ``{events}``, ``{candidate}`` and
        ``{candidates}`` for parts.

        Examples
        --------
        >>> say = Wording(Units(), Nouns("task", "model"))
        >>> say.either("Add {more} contests.", "Add {more} {events}.", more=3)
        'Add 3 tasks.'
        """
        if not self.nouns.of_things:
            return Sentence(of_people, **parts)
        nouns = {
            name: Noun(noun, number)
            for noun, one, several in ((self.word, *EVENT), (self.who, *CANDIDATE))
            for name, number in ((one, 1), (several, 2))
            if f"{{{name}" in of_things
        }
        return Sentence(of_things, **nouns, **parts)

    def met_nobody(self, number: int) -> Sentence:
        """Say that so many cannot be compared with any other.

        Examples
        --------
        >>> from qrja.data import JUDGED
        >>> Wording(Units()).met_nobody(1), Wording(Units(), JUDGED).met_nobody(2)
        ('1 contestant met nobody', '2 items were compared with none')
        """
        said = "{who} met nobody", "{who} {who:was/were} compared with none"
        return self.either(*said, who=count(number, self.who))

    def amount(self, value: float) -> Numeral:
        """Write a margin without its sign; a ratio is at least 1."""
        return Numeral(self.units.show(abs(value)).lstrip("+"))

    def signed(self, value: float) -> Numeral:
        """Write a part of a difference with its sign; a part of a ratio as a factor."""
        text = self.units.show(value)
        if self.units.kind == "ratio":
            return Numeral(f"x {text}")
        return Numeral(text if text[:1] in "+-" or self.is_nothing(value) else f"+{text}")

    def error(self, value: float) -> str:
        """Write by how much something is off."""
        amount = self.amount(value)
        return Sentence("a factor of {amount}", amount=amount) if self.by_ratio else amount

    @property
    def by_ratio(self) -> bool:
        """Whether margins are ratios."""
        return self.units.kind == "ratio"

    def is_nothing(self, value: float) -> bool:
        """Tell whether a margin is written as 0."""
        return self.amount(value) == self.amount(0.0)

    def meeting(
        self,
        a: Hashable,
        b: Hashable,
        margin: float,
        labels: Sequence[Hashable],
        *,
        alike: bool = False,
    ) -> Sentence:
        """Say what the meetings of two candidates said; ``alike``: each of them the same."""
        said, place = self.margin(a, b, margin), self.place(labels, alike)
        return joined(" ", [said, place]) if place else said

    def margin(self, a: Hashable, b: Hashable, margin: float) -> Sentence:
        """Say by how much a was better than b."""
        names = {"a": spoken(a), "b": spoken(b)}
        if self.by_ratio:
            ratio = Numeral(self.units.show(margin))
            return Sentence("one {a} was judged worth {ratio} {b}", ratio=ratio, **names)
        kind = "judged" if self.judged else "scored" if self.nouns.of_things else "met"
        level, better, worse = _MARGINS[kind]
        if self.is_nothing(margin):
            return Sentence(level, **names)
        return Sentence(better if margin > 0 else worse, amount=self.amount(margin), **names)

    def place(self, labels: Sequence[Hashable], alike: bool = False) -> str:
        """Say where: in a few contests by name, in many by their number."""
        mean = not alike and len(labels) > 1
        if not labels or (self.judged and len(labels) < 2):
            return ""
        if not self.judged and len(labels) <= LISTED:
            where = listed([self.called(label) for label in labels])
            return Sentence("on average in {where}" if mean else "in {where}", where=where)
        many = count(len(labels), self.word)
        return Sentence("on average in {many}" if mean else "in {many}", many=many)

    def called(self, label: Hashable) -> str:
        """Name a contest or a judgment; a bare number needs a word before it.

        Examples
        --------
        >>> say = Wording(Units(), Nouns("task", "model"))
        >>> say.called("Boston"), say.called(327)
        ('Boston', 'task 327')
        """
        if self.judged or str(label).isdigit():
            return Sentence("{event} {label}", event=Noun(self.word, 1), label=spoken(label))
        return spoken(label)

    def difference(self, a: Hashable, b: Hashable, value: float) -> Sentence:
        """Say how two ratings differ."""
        names = {"a": spoken(a), "b": spoken(b)}
        if self.by_ratio:
            ratio = Numeral(self.units.show(value))
            return Sentence("One {a} is rated worth {ratio} {b}", ratio=ratio, **names)
        if self.is_nothing(value):
            return Sentence("{a} and {b} are rated level", **names)
        above, below = "{a} is rated {amount} above {b}", "{a} is rated {amount} below {b}"
        return Sentence(above if value > 0 else below, amount=self.amount(value), **names)


def spoken(name: object) -> str:
    r"""Write a name in a sentence, in one line and as letters that can be seen.

    Examples
    --------
    >>> print(spoken("Ann\n1. Bob"))
    Ann\n1. Bob
    """
    return visible(str(name))


def percent(share: float) -> str:
    """Write a share; a small one is not nothing.

    Examples
    --------
    >>> percent(0.5), percent(0.004), percent(0.0), percent(0.9999)
    ('50%', 'under 1%', '0%', '100%')
    """
    if 0 < share < 0.01:
        return Sentence("under 1%")
    return Numeral(f"{100 * share:.0f}%")


def chance(probability: float) -> str:
    """Write a probability in percent; nothing is quite certain.

    Examples
    --------
    >>> chance(0.31), chance(0.9996), chance(0.0)
    ('31%', '>99%', '<1%')
    """
    if probability < 0.005:
        return "<1%"
    return ">99%" if probability > 0.995 else f"{probability:.0%}"


def number_of(names: Sequence[Hashable], name: Hashable, what: str = "contestant") -> int:
    """Find somebody, or a contest, by name; the text of a label does for the label itself.

    Who is not there is answered by the nearest names.

    Examples
    --------
    >>> number_of(("Alice", 7), "7")
    1
    >>> number_of(("Alice", "Bob"), "alice")
    Traceback (most recent call last):
    qrja.errors.InputError: no contestant 'alice'; did you mean 'Alice'?
    >>> number_of(("Alice", "Bob"), "Alise")
    Traceback (most recent call last):
    qrja.errors.InputError: no contestant 'Alise'; did you mean 'Alice'?
    """
    found = find_number(names, name)
    if found is None:
        raise InputError(f"no {what} {name!r}{hint_at(names, name)}")
    return found


def number_in(problem: Problem, name: Hashable) -> int:
    """Find one of those who are rated by name; things that are judged are items.

    Examples
    --------
    >>> from qrja import Judgments
    >>> number_in(Judgments.from_arrays("ab", "bc", [1, 2]), "d")
    Traceback (most recent call last):
    qrja.errors.InputError: no item 'd'; there are 3, such as a, b, c
    """
    return number_of(problem.names, name, problem.nouns.candidate)


def find_number(names: Sequence[Hashable], name: Hashable) -> int | None:
    """Find somebody by name, or by the text of a label; None if nobody is called so."""
    try:
        return names.index(name)
    except ValueError:
        same = [number for number, known in enumerate(names) if str(known) == str(name)]
    return same[0] if len(same) == 1 else None


def similar(names: Sequence[Hashable], name: Hashable) -> list[Hashable]:
    """List those who may have been meant: up to three, the likeliest first.

    Examples
    --------
    >>> similar(("Alice", "Bob"), "Alise"), similar(("Alice", "Bob"), "Zoe")
    (['Alice'], [])
    """
    word = str(name).casefold()
    by_folded = {str(name).casefold(): name for name in names}
    if word in by_folded:
        return [by_folded[word]]
    close = get_close_matches(word, list(by_folded), n=3, cutoff=0.7)
    # Short names have few letters in common: the nearest one will do.
    close = close or get_close_matches(word, list(by_folded), n=1, cutoff=0.6)
    close += [folded for folded in by_folded if word in folded.split()]
    return [by_folded[folded] for folded in dict.fromkeys(close)][:3]


def hint_at(names: Sequence[Hashable], name: Hashable) -> str:
    """Name those who may have been meant; else say how many there are.

    Examples
    --------
    >>> hint_at(("Alice", "Bob"), "Alise"), hint_at(("Alice", "Bob"), "Zoe")
    ("; did you mean 'Alice'?", '; there are 2, such as Alice, Bob')
    """
    if offered := similar(names, name):
        return f"; did you mean {' or '.join(map(repr, offered))}?"
    some = ", ".join(str(name) for name in names[:3])
    return f"; there are {len(names)}, such as {some}" if names else "; there are none"


def listed(words: Sequence[object]) -> Sentence:
    """Write a list as in a sentence.

    Examples
    --------
    >>> listed(["Boston"]), listed(["Boston", "New York", "Chicago"])
    ('Boston', 'Boston, New York and Chicago')
    """
    texts = [word if isinstance(word, SAID) else spoken(word) for word in words]
    if len(texts) < 2:
        return joined("", texts)
    return Sentence("{most} and {last}", most=joined(", ", texts[:-1]), last=texts[-1])
