"""The state of the l1 simplex on contests: arrays that grow, and what the kernels do to them.

Contestants are nodes, or share one: whoever has been in a single contest belongs to the group of
that contest and has its residual, ``x = x_group + offset`` where ``offset`` is the score above the
group's. Memory is a constant per entry and per contestant; pairs are never stored.

Between any two calls it holds that

- the places of a contest are sorted by residual ``x - score``, ties broken by the perturbation;
- an entry and its place know each other: ``places[slots[entry.slot].place].entry == entry``;
- what a slot knows of its neighbours, less the drift since, is at most their true distance;
- a tree pair has residual 0, and ``flow[v] = - sum of slopes over the subtree of v``, where the
  slope of an entry is ``w`` times those below it less those above it in its contest;
- pairs outside the forest with residual 0 are listed, with the sign that they pull with.

A pivot keeps all of this. At an optimum ``|flow| <= cap`` at every node besides, which ``prove``
checks afresh, in integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets, distinct_values, grown
from qrja.solvers.l1 import records
from qrja.solvers.l1.driver import DualSimplex
from qrja.solvers.l1.grid import Integers
from qrja.solvers.l1.near_l1 import FROM, near_l1
from qrja.solvers.l1.near_l2 import near_l2
from qrja.solvers.l1.regions import find_regions

PIVOTS_BEFORE_REGIONS = 1.0
"""Pivots per node after which regions are looked for: moves are short before that, and a contest
appended to many takes far fewer."""


class ContestSimplex(DualSimplex):
    """A dual network simplex in x-space, with implicit pairs, on contests that may be appended.

    Scores and weights are integers already; contestants are numbered from 0. ``begin`` are scores
    near the optimum of the first contests to come, where they are known.
    """

    def __init__(self, begin: Integers | None = None) -> None:
        self.begin = begin
        self.contestants = self.node_count = self.entry_count = self.contest_count = 0
        self.place_count = self.slot_count = self.pivots = 0
        self.node_of = np.empty(0, np.int32)
        self.group_of = np.empty(0, np.int32)
        self.offset = np.empty(0, np.int64)
        self.first_row = np.empty(0, np.int64)
        self.entry_of = np.empty(0, np.int32)
        self.row_count = 0
        self.forest = records.bare_forest(0, ties=1024)
        self.nodes = np.empty(0, records.NODE)
        self.reach = np.empty(0, records.REACH)
        self.entries = np.empty(0, records.ENTRY)
        self.places = np.empty(0, records.PLACE)
        self.slope = np.empty(0, np.int64)
        self.slots = np.empty(0, records.SLOT)
        self.touched = np.empty(0, np.int32)
        self.fields = np.empty(0, records.FIELD)
        self.zeros = np.zeros(1024, records.PAIR)
        self._forget_regions()

    def scores(self) -> Integers:
        """Return the score of each contestant."""
        x: Integers = self.nodes["hi"][self.node_of[: self.contestants]]
        return x + self.offset[: self.contestants]

    @property
    def node_scores(self) -> Integers:
        """The score of each node."""
        found: Integers = self.nodes["hi"][: self.node_count]
        return found

    # ------------------------------------------------------------------ contests enter

    def extend(self, sizes: Offsets, who: Index, score: Integers, weight: Integers) -> None:
        """Append contests: their sizes, contestants, scores, and what a pair of each weighs."""
        from qrja.solvers.l1.kernels.append import admit

        seen, row, times = np.unique(who, return_inverse=True, return_counts=True)
        self._forget_regions()
        self._meet(int(who.max(initial=-1)) + 1)
        self._split(seen[self.group_of[seen] >= 0])
        contest = np.repeat(np.arange(len(sizes)), sizes)
        is_new = self.node_of[who] < 0
        is_single = is_new & (times[row] == 1)
        self._add_own_nodes(distinct_values(who[is_new & ~is_single]))
        is_cold, first = not self.entry_count, self.contest_count
        entry, value = self._add_entries(contest, who, score, is_single)
        self._add_fields(sizes, entry, weight)
        self._begin_near(is_cold, entry, value)
        self._sort(entry, value)
        end = admit(first, self.contest_count, self.slot_count, self._tables())
        self.slot_count = int(end)

    def _meet(self, contestants: int) -> None:
        self.node_of = grown(self.node_of, contestants, -1)
        self.group_of = grown(self.group_of, contestants, -1)
        self.offset = grown(self.offset, contestants)
        self.first_row = grown(self.first_row, contestants)
        self.contestants = max(self.contestants, contestants)

    def _add_nodes(self, count: int) -> Index:
        """Make single nodes, each a tree of its own."""
        first, self.node_count = self.node_count, self.node_count + count
        self.nodes = grown(self.nodes, self.node_count)
        self.reach = grown(self.reach, self.node_count)
        old = self.forest
        tree, work = grown(old.tree, self.node_count), grown(old.work, self.node_count)
        moving = grown(old.moving, self.node_count)
        new = slice(first, self.node_count)
        for link in records.LINKS:
            tree[link][new] = -1
        work["bucket"][new] = -1
        tree["size"][new] = records.STEP_COST
        old.control["size"] += records.STEP_COST * count
        self.forest = old._replace(tree=tree, work=work, moving=moving)
        return np.arange(first, self.node_count, dtype=np.int32)

    def _add_own_nodes(self, contestants: Index) -> None:
        self.node_of[contestants] = self._add_nodes(len(contestants))

    def _add_entries(
        self, contest: Offsets, who: Index, score: Integers, is_single: NDArray[np.bool_]
    ) -> tuple[slice, Integers]:
        """Make an entry for each contestant with a node, and one for the rest of each contest.

        Returns which entries these are, and their scores.
        """
        grouped, leader, member = np.unique(
            contest[is_single], return_index=True, return_inverse=True
        )
        node = np.concatenate([self.node_of[who[~is_single]], self._add_nodes(len(grouped))])
        field = np.concatenate([contest[~is_single], grouped])
        value = np.concatenate([score[~is_single], score[is_single][leader]])
        count = np.ones(len(node), dtype=np.int64)
        count[len(node) - len(grouped) :] = np.bincount(member, minlength=len(grouped))
        order = np.argsort(field, kind="stable")
        first, self.entry_count = self.entry_count, self.entry_count + len(node)
        self.entries = grown(self.entries, self.entry_count)
        new = self.entries[first : self.entry_count]
        new["node"], new["contest"] = node[order], field[order] + self.contest_count
        new["count"] = count[order]
        number = np.empty(len(node), dtype=np.int32)
        number[order] = np.arange(first, self.entry_count)
        alone = who[is_single]
        row, self.row_count = self.row_count + np.arange(len(who)), self.row_count + len(who)
        self.entry_of = grown(self.entry_of, self.row_count)
        own, group = number[: len(node) - len(grouped)], number[len(node) - len(grouped) :]
        self.entry_of[row[~is_single]], self.entry_of[row[is_single]] = own, group[member]
        self.first_row[alone], self.group_of[alone] = row[is_single], group[member]
        self.node_of[alone] = node[len(node) - len(grouped) :][member]
        self.offset[alone] = score[is_single] - score[is_single][leader][member]
        return slice(first, self.entry_count), value[order]

    def _add_fields(self, sizes: Offsets, entry: slice, weight: Integers) -> None:
        """Reserve a place for every contestant, so that members can leave their group."""
        first, self.contest_count = self.contest_count, self.contest_count + len(sizes)
        self.fields = grown(self.fields, self.contest_count)
        new = self.fields[first : self.contest_count]
        new["weight"] = weight
        new["first"] = self.place_count + np.cumsum(sizes) - sizes
        new["size"] = np.bincount(self.entries["contest"][entry] - first, minlength=len(sizes))
        self.place_count += int(sizes.sum())
        self.places = grown(self.places, self.place_count)
        self.slope = grown(self.slope, self.place_count)

    def _begin_near(self, is_cold: bool, entry: slice, score: Integers) -> None:
        """Give the new nodes their first scores."""
        new = self.entries[entry]
        if is_cold:
            weight = self.fields["weight"][: self.contest_count]
            columns = new["node"], new["contest"], score, new["count"]
            if self.begin is not None and len(self.begin) == self.contestants:
                known = self.begin - self.offset[: self.contestants]
                self.nodes["hi"][self.node_of[: self.contestants]] = known
                return
            x = near_l2(*columns, weight)
            if len(score) >= FROM:
                x = near_l1(x, *columns, weight)
            self.nodes["hi"][: self.node_count] = x
            return
        is_known = self.nodes["size"] > 0
        starts = np.flatnonzero(np.diff(new["contest"], prepend=-1))
        for rows in np.split(np.arange(len(new)), starts[1:]):
            node, value = new["node"][rows], score[rows]
            known = is_known[node]
            residual = self.nodes["hi"][node[known]] - value[known]
            middle = np.sort(residual)[len(residual) // 2] if len(residual) else 0
            self.nodes["hi"][node[~known]] = value[~known] + middle
            is_known[node] = True

    def _sort(self, entry: slice, score: Integers) -> None:
        """Order the new entries by residual within their contests, and list them by node."""
        from qrja.solvers.l1.kernels.sorted_contests import fill_jitter

        new = self.entries[entry]
        jitter = np.empty(len(new), dtype=np.int64)
        fill_jitter(entry.start, jitter)
        node, field = new["node"], new["contest"]
        hi, lo = self.nodes["hi"][node] - score, self.nodes["lo"][node] - jitter
        order = np.lexsort((lo, hi, field))
        field = field[order]
        number, begins = np.arange(len(order)), np.ones(len(order), dtype=bool)
        np.not_equal(field[1:], field[:-1], out=begins[1:])
        rank = number - np.maximum.accumulate(np.where(begins, number, 0))
        at = self.fields["first"][field] + rank
        for name, values in {
            "score": score[order],
            "jitter": jitter[order],
            "entry": entry.start + order,
            "node": node[order],
            "contest": field,
        }.items():
            self.places[name][at] = values
        self._reserve_lists(node)

    def _reserve_lists(self, node: Index) -> None:
        """Make room in ``slots``: exactly for new nodes, for the moves of lists that are full."""
        touched, extra = np.unique(node, return_counts=True)
        size, room = self.nodes["size"][touched], self.nodes["room"][touched]
        new = touched[room == 0]
        first = self.slot_count + np.cumsum(extra[room == 0]) - extra[room == 0]
        self.nodes["first"][new], self.nodes["room"][new] = first, extra[room == 0]
        self.slot_count += int(extra[room == 0].sum())
        longer = (size + extra)[room > 0]
        self._grow_lists(self.slot_count + int((4 * longer + 4).sum()))

    def _grow_lists(self, slots: int) -> None:
        self.slots, self.touched = grown(self.slots, slots), grown(self.touched, slots)

    def _split(self, leaving: Index) -> None:
        """Give contestants who come back nodes of their own."""
        from qrja.solvers.l1.kernels.append import split

        if not len(leaving):
            return
        table = np.zeros(len(leaving), records.LEAVING)
        order = np.argsort(self.group_of[leaving], kind="stable")
        leaving = leaving[order]
        table["group"], table["offset"] = self.group_of[leaving], self.offset[leaving]
        first = self.node_count
        self._add_nodes(len(leaving))
        self.entries = grown(self.entries, self.entry_count + len(leaving))
        self._grow_lists(self.slot_count + 2 * len(leaving))
        self.entry_count, used, self.slot_count = map(
            int, split(table, self.entry_count, first, self.slot_count, self._tables())
        )
        self.forest.control["size"] -= records.STEP_COST * (self.node_count - used)
        self.node_count = used
        self.node_of[leaving], self.group_of[leaving] = table["node"], -1
        # The only other entry of a group of one is the group's own.
        own = self.slots["place"][self.nodes["first"][table["node"]]]
        self.entry_of[self.first_row[leaving]] = self.places["entry"][own]
        self.offset[leaving] = 0

    # ------------------------------------------------------------------ pivots

    def _tables(self) -> records.ContestTables:
        return records.ContestTables(
            self.forest, self.nodes, self.slots, self.entries, self.places, self.fields,
            self.slope, self.touched, self.zeros, self.regions, self.borders, self.reach,
        )  # fmt: skip

    def pivot(self, most: int) -> tuple[int, int]:
        """Take some pivots; return how it stands and how many were taken."""
        from qrja.solvers.l1.kernels.pivot import run

        if self.pivots - self.pivots_before > PIVOTS_BEFORE_REGIONS * self.node_count:
            self._look_for_regions()
        status, pivots = run(most, self._tables())
        return status, pivots

    def _forget_regions(self) -> None:
        """Know of no regions, because contests enter that may join any."""
        self.regions, self.borders = np.empty(0, records.REGION), np.empty(0, np.int32)
        self.pivots_before, self.has_looked = self.pivots, False

    def _look_for_regions(self) -> None:
        """Know the regions, if there are any: a run that takes many pivots repays the search."""
        if not self.has_looked:
            self.has_looked = True
            self.regions, self.borders = find_regions(
                self._tables(), self.node_count, self.entry_count
            )

    # ------------------------------------------------------------------ proof

    def prove(self) -> Integers:
        """Return the pull of each place, checked to be a proof of optimality."""
        from qrja.solvers.l1.kernels.proof import prove

        pull = np.zeros(self.place_count, dtype=np.int64)
        if not prove(self.node_count, self.contest_count, pull, self._tables()):
            raise RuntimeError("the l1 simplex stopped at a point that is not optimal")
        return pull

    def loss(self, pull: Integers | Floats) -> float:
        """Return the loss, in units of scores times weights."""
        from qrja.solvers.l1.kernels.proof import loss_of

        return float(loss_of(self.contest_count, pull, self._tables()))

    def limits(self) -> tuple[Index, Index, Integers]:
        """List what every optimum obeys: node ``low`` rises at most ``gap`` more than ``high``."""
        from qrja.solvers.l1.kernels.face import list_limits

        nothing = np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64)
        arguments = self.contest_count, self._tables()
        count = int(list_limits(*nothing, *arguments))
        low, high, gap = (np.empty(count, column.dtype) for column in nothing)
        list_limits(low, high, gap, *arguments)
        return low, high, gap

    def pull_of_rows(self, pull: Integers | Floats) -> Floats:
        """Return what each row pulls; members of a group share its pull evenly."""
        entry = self.entries[self.entry_of[: self.row_count]]
        return np.asarray(pull[self.slots["place"][entry["slot"]]] / entry["count"])

    def flow(self, start: Offsets) -> Floats:
        """Return the flow of all pairs, in units of weights; rows ``start`` as in the contests."""
        from qrja.solvers.l1.kernels.proof import write_flow

        sizes = np.diff(start)
        out = np.empty(int((sizes * (sizes - 1) // 2).sum()))
        write_flow(start, self.entry_of[: self.row_count], out, self._tables())
        return out
