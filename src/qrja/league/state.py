"""State: what a log says, as the fold of its events.

    state_n = state_{n-1} + event_n

Every event is checked before it changes anything, so that one that is refused leaves no trace.
Names are those that were typed; a contestant who was renamed or merged is found by the old name
too, as long as the event that said so stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_args

from qrja.data import Pairs
from qrja.errors import InputError, nearest
from qrja.league.events import Event
from qrja.league.panels import (
    HeldPass,
    Item,
    PanelRules,
    checked_item,
    checked_pass,
    checked_rules,
)
from qrja.league.payloads import (
    HeldContest,
    HeldJudgment,
    checked_comment,
    checked_contest,
    checked_judgment,
    checked_name,
    checked_reading,
    checked_units,
    checked_value,
)
from qrja.letters import cut
from qrja.ratings import Model, ModelChoice
from qrja.ratings.saving import checked_fields, checked_text, checked_word, rebuild_model
from qrja.tables import Units


@dataclass(frozen=True)
class Effect:
    """What an event made of the data: contests that came last, or something else."""

    added: tuple[str, ...] = ()
    other: bool = False


NOTHING, OTHER = Effect(), Effect(other=True)


@dataclass
class State:
    """Contests or judgments, and how they are rated.

    Parameters
    ----------
    number, digest : int, str
        Of the last event; 0 and nothing before the first.
    contests : dict
        By label, in the order in which they first came.
    judgments : dict
        By key, in the order in which they came.
    aliases : dict
        Names that stand for another.
    units : Units or None
        What scores are in.
    reading : dict
        How the first table was read; later ones are read alike.
    model, pairs, choice
        See :func:`qrja.fit`.
    title : str
        What the league is called.
    rules : PanelRules or None
        What a panel of judges is asked, if there is one.
    items : dict
        What the panel compares, by name.
    passes : dict
        Pairs of which judges could not tell, by key.
    """

    number: int = 0
    digest: str = ""
    at: str = ""
    contests: dict[str, HeldContest] = field(default_factory=dict)
    judgments: dict[str, HeldJudgment] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    units: Units | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    model: Model = field(default_factory=Model)
    pairs: Pairs = "unit"
    choice: ModelChoice | None = None
    title: str = ""
    rules: PanelRules | None = None
    items: dict[str, Item] = field(default_factory=dict)
    passes: dict[str, HeldPass] = field(default_factory=dict)

    def copy(self) -> State:
        """Return a state that can change while this one stays."""
        return replace(
            self,
            contests=self.contests.copy(),
            judgments=self.judgments.copy(),
            aliases=self.aliases.copy(),
            items=self.items.copy(),
            passes=self.passes.copy(),
        )

    def apply(self, event: Event) -> Effect:
        """Let an event happen, and say what it made of the data."""
        effect = self.say(event.kind, event.payload, event.number)
        self.number, self.digest, self.at = event.number, event.digest, event.at
        return effect

    def say(self, kind: str, payload: Mapping[str, Any], number: int) -> Effect:
        """Let something happen that an event of this kind and payload says."""
        happen = self._happenings.get(kind)
        if happen is None:
            raise InputError(
                f"event {number} is of the kind {cut(repr(kind), 40)}, which this version does not"
                " know; use the qrja that wrote it, or a later one"
            )
        return happen(payload, number)

    @cached_property
    def _happenings(self) -> dict[str, Callable[[Mapping[str, Any], int], Effect]]:
        return {
            "added": self._add,
            "judged": self._judge,
            "passed": self._pass,
            "corrected": self._correct,
            "removed": self._remove,
            "renamed": self._rename,
            "merged": self._merge,
            "modelled": self._model,
            "titled": self._entitle,
            "empanelled": self._empanel,
            "listed": self._list,
            "unlisted": self._unlist,
            "undone": lambda payload, number: NOTHING,
        }

    # ------------------------------------------------------------------ what is there

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to rate."""
        return not (self.contests or self.judgments)

    def names(self) -> Iterator[str]:
        """Yield every contestant, some several times."""
        for contest in self.contests.values():
            yield from contest.results
        for judgment in self.judgments.values():
            yield judgment.a
            yield judgment.b
        yield from self.items

    def called(self, name: str) -> str:
        """Return the name that a name stands for."""
        return self.aliases.get(name, name)

    def contest(self, label: str) -> HeldContest:
        """Return a contest, or say which labels are close."""
        if label not in self.contests:
            close = nearest(label, self.contests)
            raise InputError(f"there is no contest {label!r}{close or '; look at the log'}")
        return self.contests[label]

    def _check_units(self, payload: Mapping[str, Any]) -> tuple[Units, dict[str, Any]]:
        """Check that scores are in the units of those so far, if there are any."""
        units, now = checked_units(payload.get("units")), self.units
        reading = checked_reading(payload.get("reading", {}))
        if now is None or self.is_empty:
            return units, reading
        if (now.kind, now.lower_is_better) != (units.kind, units.lower_is_better):
            raise InputError(
                f"the scores so far are {_words(now)}, and these are {_words(units)}; write them"
                " alike"
            )
        return now, self.reading

    # ------------------------------------------------------------------ results

    def _add(self, payload: Mapping[str, Any], number: int) -> Effect:
        if self.judgments:
            raise InputError("the league holds judgments, and these are contests; keep them apart")
        units, reading = self._check_units(payload)
        given = [self._joined(one) for one in _listed(payload, "contests", checked_contest)]
        labels = {one.label for one in given}
        if len(labels) < len(given):
            raise InputError("a contest is there twice; give all its results together")
        new = tuple(one.label for one in given if one.label not in self.contests)
        self.units, self.reading = units, reading
        self.contests.update((one.label, one) for one in given)
        return Effect(added=new) if len(new) == len(given) else OTHER

    def _joined(self, given: HeldContest) -> HeldContest:
        """Return a contest with its results so far and those that come."""
        results = given.results
        if self.aliases:
            results = {self.called(name): score for name, score in results.items()}
        if len(results) < len(given.results):
            both = [self.called(name) for name in given.results]
            twice = next(name for name in both if both.count(name) > 1)
            raise InputError(
                f"contest {given.label!r} lists {twice!r} twice, once by another name; keep one"
            )
        held = self.contests.get(given.label)
        if held is None:
            self._check_alike(given)
            return replace(given, results=results) if self.aliases else given
        for what in ("date", "weight", "judge"):
            if getattr(held, what) != getattr(given, what):
                raise InputError(
                    f"contest {given.label!r} is there with the {what} {getattr(held, what)}, and"
                    f" not {getattr(given, what)}; write it alike, or give this one another name"
                )
        for name in results:
            if name in held.results:
                raise InputError(
                    f"contest {given.label!r} has a result of {name!r} already; correct it, or give"
                    " the new contest another name"
                )
        if self.reading.get("scale") not in (None, "log"):
            raise InputError(
                f"contest {given.label!r} is there already, and its scores were scaled together;"
                " remove it and add the whole of it"
            )
        return replace(held, results=held.results | results)

    def _check_alike(self, given: HeldContest) -> None:
        other = next(iter(self.contests.values()), None)
        for what, plural in (("date", "dates"), ("judge", "judges")):
            if other and (getattr(other, what) is None) != (getattr(given, what) is None):
                no, one = ("no ", "one") if getattr(other, what) is None else ("", "none")
                raise InputError(
                    f"the contests so far have {no}{plural}, and {given.label!r} has {one}; give"
                    f" every contest a {what}, or none"
                )

    def _judge(self, payload: Mapping[str, Any], number: int) -> Effect:
        if self.contests:
            raise InputError("the league holds contests, and these are judgments; keep them apart")
        units, reading = self._check_units(payload)
        given = {
            f"{number}.{k}": replace(one, a=self.called(one.a), b=self.called(one.b))
            for k, one in enumerate(_listed(payload, "judgments", checked_judgment), start=1)
        }
        self._check_judgments(given)
        self.units, self.reading = units, reading
        self.judgments |= given
        dated = next(iter(given.values())).date is not None
        return OTHER if dated else Effect(added=tuple(given))

    def _check_judgments(self, given: Mapping[str, HeldJudgment]) -> None:
        """Check that all have judges, errors and studies or none, and studies of their own."""
        first = next(iter((self.judgments or given).values()))
        parts = (
            *(("judge", "judges"), ("se", "standard errors"), ("study", "studies")),
            *(("date", "dates"), ("topic", "topics")),
        )
        known = {one.study for one in self.judgments.values()} if first.study else set()
        for one in given.values():
            if one.a == one.b:
                raise InputError(f"{one.a!r} is judged against itself, by two names; name two")
            for what, plural in parts:
                if (getattr(one, what) is None) != (getattr(first, what) is None):
                    raise InputError(f"only some judgments have {plural}; give them to all or none")
            if one.study is not None and one.study in known:
                raise InputError(
                    f"study {one.study!r} is there already, and its contrasts are weighed together;"
                    " give the new one another name"
                )

    def _correct(self, payload: Mapping[str, Any], number: int) -> Effect:
        if "judgment" in payload:
            return self._correct_judgment(payload)
        fields = checked_fields(payload, "the correction", ("contest", "contestant", "score"))
        contest = self.contest(checked_name(fields["contest"], "contest"))
        who = self.called(checked_name(fields["contestant"], "contestant"))
        if who not in contest.results:
            close = nearest(who, contest.results)
            raise InputError(f"{who!r} was not in contest {contest.label!r}{close or '; add it'}")
        results = dict(contest.results)
        if fields["score"] is None:
            del results[who]
        else:
            results[who] = checked_value(fields["score"], "score")
        if not results:
            raise InputError(
                f"{who!r} has the only result of contest {contest.label!r}; remove the contest"
            )
        self.contests[contest.label] = replace(contest, results=results)
        return OTHER

    def _correct_judgment(self, payload: Mapping[str, Any]) -> Effect:
        fields = checked_fields(payload, "the correction", ("judgment", "y"))
        key = self._judgment_key(fields["judgment"])
        y = checked_value(fields["y"], "margin")
        held = self.judgments[key]
        comment = checked_comment(fields["comment"]) if "comment" in fields else held.comment
        self.judgments[key] = replace(held, y=y, comment=comment)
        return OTHER

    def _judgment_key(self, told: Any) -> str:
        key = checked_name(told, "judgment")
        if key not in self.judgments:
            raise InputError(f"there is no judgment {key!r}; look at the log for its key")
        return key

    def _remove(self, payload: Mapping[str, Any], number: int) -> Effect:
        if "judgment" in payload:
            del self.judgments[self._judgment_key(payload["judgment"])]
        elif "pass" in payload:
            key = checked_name(payload["pass"], "pass")
            if self.passes.pop(key, None) is None:
                raise InputError(f"there is no pass {key!r}; look at the log for its key")
            return NOTHING
        else:
            label = checked_fields(payload, "the removal", ("contest",))["contest"]
            del self.contests[self.contest(checked_name(label, "contest")).label]
        return OTHER

    # ------------------------------------------------------------------ contestants

    def _rename(self, payload: Mapping[str, Any], number: int) -> Effect:
        fields = checked_fields(payload, "the renaming", ("from", "to"))
        old = self._known(checked_name(fields["from"], "contestant"))
        new = checked_name(fields["to"], "contestant")
        if new in set(self.names()):
            raise InputError(f"{new!r} is there already; merge {old!r} into it if both are one")
        self.aliases.pop(new, None)
        self._call(old, new)
        return OTHER

    def _merge(self, payload: Mapping[str, Any], number: int) -> Effect:
        fields = checked_fields(payload, "the merging", ("from", "into"))
        one = self._known(checked_name(fields["from"], "contestant"))
        into = self._known(checked_name(fields["into"], "contestant"))
        if one == into:
            raise InputError(f"{one!r} is {into!r} already; name two contestants")
        for contest in self.contests.values():
            if one in contest.results and into in contest.results:
                raise InputError(
                    f"{one!r} and {into!r} both took part in contest {contest.label!r}; they are"
                    " two, or one of these results is to be withdrawn first"
                )
        for key, judgment in self.judgments.items():
            if {judgment.a, judgment.b} == {one, into}:
                raise InputError(
                    f"{one!r} and {into!r} are compared in judgment {key}; remove it first"
                )
        self.passes = {
            key: held for key, held in self.passes.items() if {held.a, held.b} != {one, into}
        }
        if into in self.items:
            self.items.pop(one, None)
        self._call(one, into)
        return OTHER

    def _known(self, name: str) -> str:
        known = set(self.names())
        found = self.called(name)
        if found not in known:
            raise InputError(f"there is no contestant {name!r}{nearest(name, sorted(known))}")
        return found

    def _call(self, old: str, new: str) -> None:
        """Put one name in the place of another, wherever it stands."""
        for label, contest in self.contests.items():
            if old in contest.results:
                results = {new if who == old else who: it for who, it in contest.results.items()}
                self.contests[label] = replace(contest, results=results)
        for key, one in self.judgments.items():
            if old in (one.a, one.b):
                a, b = (new if who == old else who for who in (one.a, one.b))
                self.judgments[key] = replace(one, a=a, b=b)
        for key, passed in self.passes.items():
            if old in (passed.a, passed.b):
                a, b = (new if who == old else who for who in (passed.a, passed.b))
                self.passes[key] = replace(passed, a=a, b=b)
        listed = (replace(it, name=new) if it.name == old else it for it in self.items.values())
        self.items = {it.name: it for it in listed}
        for alias, meant in self.aliases.items():
            if meant == old:
                self.aliases[alias] = new
        self.aliases[old] = new

    # ------------------------------------------------------------------ how it is rated

    def _model(self, payload: Mapping[str, Any], number: int) -> Effect:
        fields = checked_fields(payload, "the model", ("model", "pairs"))
        model = rebuild_model(fields["model"])
        pairs = checked_word(fields["pairs"], "pairs", get_args(Pairs))
        said = fields.get("choice")
        choice = None
        if said is not None:
            told = checked_fields(said, "choice", ("sentence", "objective"))
            objective = checked_word(told["objective"], "objective", ("margin", "order"))
            choice = ModelChoice(checked_text(told["sentence"], "choice"), objective)
        self.model, self.pairs, self.choice = model, pairs, choice
        return OTHER

    def _entitle(self, payload: Mapping[str, Any], number: int) -> Effect:
        self.title = checked_name(payload.get("title"), "title")
        return NOTHING

    # ------------------------------------------------------------------ a panel of judges

    def _empanel(self, payload: Mapping[str, Any], number: int) -> Effect:
        rules = checked_rules(payload)
        if self.contests:
            raise InputError(
                "the league holds contests, and a panel gives judgments; make a league of its own"
            )
        if self.judgments and self.units is not None:
            was = self.rules or replace(
                rules, scale="ratio" if self.units.kind == "ratio" else "slider"
            )
            if was.is_ratio != rules.is_ratio or (self.rules and was.span != rules.span):
                raise InputError(
                    f"the votes so far are on the scale {was.scale}, which the panel keeps; change"
                    " its words, or make a league of its own"
                )
        self.rules = rules
        return NOTHING

    def _list(self, payload: Mapping[str, Any], number: int) -> Effect:
        given = _listed(payload, "items", checked_item)
        called = [self.called(one.name) for one in given]
        if len(set(called)) < len(called):
            raise InputError("an item is there twice; list it once")
        if self.contests:
            raise InputError("the league holds contests, and items are for a panel of judges")
        for name, one in zip(called, given, strict=True):
            self.items[name] = replace(one, name=name)
        return NOTHING

    def _unlist(self, payload: Mapping[str, Any], number: int) -> Effect:
        names = _listed(payload, "items", lambda told: checked_name(told, "item"))
        for name in map(self.called, names):
            if name not in self.items:
                raise InputError(f"there is no item {name!r}{nearest(name, self.items)}")
        for name in map(self.called, names):
            self.items[name] = replace(self.items[name], retired=True)
        return NOTHING

    def _pass(self, payload: Mapping[str, Any], number: int) -> Effect:
        held = checked_pass(payload)
        a, b = self.called(held.a), self.called(held.b)
        for name in (a, b):
            if name not in self.items:
                raise InputError(f"there is no item {name!r}{nearest(name, self.items)}")
        self.passes[f"{number}.1"] = replace(held, a=a, b=b)
        return NOTHING


def _listed(payload: Mapping[str, Any], what: str, read: Callable[[Any], Any]) -> list[Any]:
    told = payload.get(what)
    if not isinstance(told, list) or not told:
        raise InputError(f"there are no {what} to add; give at least one")
    return [read(one) for one in told]


def _words(units: Units) -> str:
    better = "lower is better" if units.lower_is_better else "higher is better"
    return f"{units.kind}s, {better}"
