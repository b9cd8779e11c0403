"""Results against each other: splits, omissions, cycles; each as a fit anew has it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qrja import Contests, InputError, Judgments, fit
from qrja.cli import run
from qrja.ratings.consistency import cycle_search, list_closures, misfit_parts
from qrja.ratings.consistency.cycle_search import search_cycles
from reference.evidence import (
    chi_square_of_cycles,
    cycles_by_trying,
    difference_of,
    direct_of_contests,
    kept,
    normal_equations,
    pooled_pairs,
    without_contrast,
)

TRIALS = Path(__file__).parents[2] / "shared" / "fields" / "diabetes-trials.csv"


def random_judgments(seed: int, n: int = 6, m: int = 16) -> Judgments:
    rng = np.random.default_rng(seed)
    a = np.append(np.arange(n - 1), rng.integers(n, size=m))
    b = np.append(np.arange(1, n), (a[n - 1 :] + rng.integers(1, n, size=m)) % n)
    return Judgments.from_arrays(a, b, rng.normal(size=len(a)), se=rng.uniform(0.2, 2, len(a)))


def random_contests(seed: int, sizes: tuple[int, ...] = (2, 3, 4, 3, 5, 2)) -> Contests:
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.choice(5, size, replace=False) for size in sizes])
    contest = np.repeat(np.arange(len(sizes)), sizes)
    return Contests.from_arrays(contest, who, rng.normal(size=len(who)))


# ---------------------------------------------------------------------- direct against indirect


def test_a_split_is_what_a_fit_without_the_meetings_says() -> None:
    judged = random_judgments(1)
    ratings = fit(judged)
    table = ratings.splits()
    assert len(table["a"]) == len(
        {frozenset(pair) for pair in zip(judged.a, judged.b, strict=True)}
    )
    for a, b in zip(table["a"], table["b"], strict=True):
        split = ratings.split(a, b)
        i, j = judged.number[a], judged.number[b]
        met = ((judged.a == i) & (judged.b == j)) | ((judged.a == j) & (judged.b == i))
        direct, var = difference_of(*normal_equations(kept(judged, met)), i, j)
        indirect, other = difference_of(*normal_equations(kept(judged, ~met)), i, j)
        found = split.direct, split.direct_se, split.indirect, split.indirect_se, split.gap_se
        wanted = direct, var**0.5, indirect, other**0.5, (var + other) ** 0.5
        assert found == pytest.approx(wanted, abs=1e-9)
        assert split.gap == pytest.approx(direct - indirect, abs=1e-9)
        assert split.share * direct + (1 - split.share) * indirect == pytest.approx(
            split.difference
        )


def test_a_trial_of_several_arms_gives_its_contrast_to_the_direct_evidence() -> None:
    rng = np.random.default_rng(2)
    variance = np.array([0.3, 0.5, 0.2])
    means = rng.normal(size=3)
    a, b = [0, 0, 1], [1, 2, 2]
    y = [means[i] - means[j] for i, j in zip(a, b, strict=True)]
    se = [np.sqrt(variance[i] + variance[j]) for i, j in zip(a, b, strict=True)]
    more = random_judgments(3, 4, 6)
    judged = Judgments.from_arrays(
        [*a, *more.a], [*b, *more.b], [*y, *more.y], se=[*se, *more.se],
        study=["trial"] * 3 + [f"s{k}" for k in range(more.m)],
    )  # fmt: skip
    split = fit(judged).split(0, 1)
    # By hand: pairs in other studies are dropped, of the trial what is left given its contrast.
    met = np.array([{i, j} == {0, 1} for i, j in zip(judged.a, judged.b, strict=True)])
    alone = np.arange(judged.m) >= 3
    laplacian, pull = normal_equations(kept(judged, alone & ~met))
    part = without_contrast(means, np.diag(variance), 0, 1)
    laplacian[:3, :3] += part[0]
    pull[:3] += part[1]
    indirect, other = difference_of(laplacian, pull, 0, 1)
    weight = np.append(judged.w[alone & met], 1 / se[0] ** 2)
    signs = np.where(judged.a[alone & met] == 0, 1, -1)
    direct = weight @ np.append(signs * judged.y[alone & met], y[0]) / weight.sum()
    found = split.direct, split.direct_se, split.indirect, split.indirect_se
    assert found == pytest.approx((direct, weight.sum() ** -0.5, indirect, other**0.5), abs=1e-9)


@pytest.mark.parametrize("sizes", [(3,) * 6, (2, 3, 4, 3, 5, 2)])
def test_splits_of_contests_have_the_errors_of_their_entries(sizes: tuple[int, ...]) -> None:
    contests = random_contests(4, sizes)

    def numbers(one: Contests) -> np.ndarray:
        split = fit(one).split(0, 1, errors="scaled")
        return np.array([split.difference, split.direct, split.indirect, split.gap])

    split = fit(contests).split(0, 1)
    i, j = contests.number[0], contests.number[1]
    direct, weight = direct_of_contests(contests, i, j)
    laplacian, pull = normal_equations(contests.to_judgments())
    pair = np.zeros(contests.n)
    pair[i], pair[j] = 1.0, -1.0
    laplacian, pull = laplacian - weight * np.outer(pair, pair), pull - weight * direct * pair
    assert (split.direct, split.indirect) == pytest.approx(
        (direct, difference_of(laplacian, pull, i, j)[0])
    )
    # All numbers are linear in the scores: raise each by 1, and add up the squares.
    base, squares = numbers(contests), np.zeros(4)
    for entry in range(contests.entries):
        score = contests.score.copy()
        score[entry] += 1.0
        squares += (numbers(replace(contests, score=score)) - base) ** 2
    noise = fit(contests).statistics().reduced_chi
    found = split.se, split.direct_se, split.indirect_se, split.gap_se
    assert found == pytest.approx(noise * np.sqrt(squares))


def test_only_direct_and_only_indirect_evidence() -> None:
    chain = Judgments.from_arrays("abb", "bcc", [1, 2, 3], se=[1, 1, 1])
    ratings = fit(chain)
    only = ratings.split("a", "b")
    assert (only.share, only.direct, only.indirect, only.p) == pytest.approx((1.0, 1.0, None, None))
    other = ratings.split("a", "c")
    assert (other.meetings, other.direct, other.indirect) == (0, None, pytest.approx(3.5))
    assert ratings.splits()["p"] == [None, None]
    with pytest.raises(InputError, match="both are 'a'"):
        ratings.split("a", "a")
    with pytest.raises(InputError, match="the covariance of the model is for p = 2"):
        fit(chain, p=1).split("a", "b")


def test_turning_the_pair_turns_the_signs() -> None:
    ratings = fit(random_judgments(5))
    one, other = ratings.split(0, 1), ratings.split(1, 0)
    assert (one.gap, one.direct, one.p) == pytest.approx((-other.gap, -other.direct, other.p))


def test_an_explanation_sets_direct_against_indirect() -> None:
    judged = Judgments.from_arrays("aabc", "bbca", [1, 1.2, 1, -8], se=[0.5] * 4)
    told = fit(judged).explain("a", "c")
    line = (
        "Their own judgments say +8.000, all else +2.100: they disagree, 7.5 standard errors apart"
    )
    assert f"{line} (p < 0.001)." in told.text()
    assert told.to_dict()["split"]["gap"] == pytest.approx(5.9)
    assert fit(judged, p=1.5).explain("a", "c").split is None


# ---------------------------------------------------------------------- each left out in turn


def test_an_omission_is_what_a_fit_without_it_says() -> None:
    judged = random_judgments(8)
    ratings = fit(judged)
    table = ratings.omissions(None)
    whole = ratings.statistics()
    assert len(table["judgment"]) == int(ratings.left_out.df.sum())
    assert table["p"] == sorted(table["p"])
    for k, row in enumerate(table["judgment"]):
        rest = fit(kept(judged, np.arange(judged.m) != row))
        x, i, j = rest.solution.x, judged.a[row], judged.b[row]
        assert table["foretold"][k] == pytest.approx(x[i] - x[j])
        assert ratings.left_out.q[row] == pytest.approx(whole.q - rest.statistics().q)
        changed = x - ratings.solution.x
        assert abs(table["by"][k]) == pytest.approx(np.abs(changed).max())
        assert table["reordered"][k] == (rest.ranks != ratings.ranks).sum()
        # The textbook's: the error of what the others foretell, over its standard error.
        se = np.sqrt(judged.se[row] ** 2 + rest.covariance.of_differences([i], [j])[0])
        off = judged.y[row] - table["foretold"][k]
        assert table["studentised"][k] == pytest.approx(off / se)


def test_scaled_omissions_are_seen_in_all_other_results() -> None:
    judged = random_judgments(9)
    ratings = fit(judged)
    table = ratings.omissions(3, errors="scaled")
    every = ratings.omissions(None)
    known = dict(zip(every["judgment"], every["studentised"], strict=True))
    for row, studentised in zip(table["judgment"], table["studentised"], strict=True):
        rest = fit(kept(judged, np.arange(judged.m) != row)).statistics()
        assert studentised == pytest.approx(known[row] / rest.reduced_chi)


@pytest.mark.parametrize("sizes", [(3,) * 6, (2, 3, 4, 3, 5, 2)])
def test_a_contest_is_left_out_as_a_whole(sizes: tuple[int, ...]) -> None:
    contests = random_contests(10, sizes)
    ratings = fit(contests)
    table = ratings.omissions(None)
    loss = ratings.solution.objective
    for k, label in enumerate(table["contest"]):
        row = contests.labels.index(label)
        rest = ratings.remove(label)
        whole = ratings.left_out.df[row] == contests.sizes[row] - 1
        assert ratings.left_out.q[row] == pytest.approx(loss - rest.solution.objective)
        if whole and rest.problem.n == contests.n:
            back = [rest.problem.number[name] for name in contests.names]
            changed = rest.solution.x[back] - ratings.solution.x
            assert abs(table["by"][k]) == pytest.approx(np.abs(changed).max(), abs=1e-9)


def test_a_study_is_one_omission_and_a_bridge_is_none() -> None:
    judged = Judgments.from_arrays(
        "aabab", "bccbd", [1, 3, 2, 4, 1], se=[1, 1, 1, 1, 1], study=["t", "t", "t", "u", "v"]
    )
    table = fit(judged).omissions()
    assert (table["study"], table["df"]) == (["t", "u"], [1, 1])
    assert "foretold" not in table
    with pytest.raises(
        InputError, match="errors are 'known', and no judgment has a standard error"
    ):
        fit(Judgments.from_arrays("aab", "bbc", [1, 2, 3])).omissions(errors="known")


def test_measured_values_are_evidence_too() -> None:
    judged = Judgments.from_arrays("abca", "bcad", [1, 1, -5, 2], se=[1, 1, 2, 1])
    measured, names = {"a": (0.0, 0.5), "b": (-1.0, 0.3)}, np.array(judged.names)
    ratings = fit(judged, anchors=measured)
    table = ratings.omissions(None)
    for row, foretold in zip(table["judgment"], table["foretold"], strict=True):
        keep = np.arange(4) != row
        columns = names[judged.a[keep]], names[judged.b[keep]], judged.y[keep]
        rest = fit(Judgments.from_arrays(*columns, se=judged.se[keep]), anchors=measured).solution
        x = dict(zip(rest.names, rest.x, strict=True))
        assert foretold == pytest.approx(x[names[judged.a[row]]] - x[names[judged.b[row]]])
    # Without one of the others what is left agrees to the digit: nothing tells how far is far.
    assert ratings.omissions(None, errors="scaled")["judgment"] == [0]


# ---------------------------------------------------------------------- cycles


@pytest.mark.parametrize("seed", [20, 21])
def test_cycles_are_found_and_measured(seed: int) -> None:
    judged = random_judgments(seed, 7, 8)
    wanted = cycles_by_trying(judged, 5)
    found = list_closures(fit(judged), None)
    assert len(found) == len(wanted)
    sizes = sorted((abs(off) / variance**0.5 for off, variance in wanted.values()), reverse=True)
    assert [one.z for one in found] == pytest.approx(sizes)
    worst = found[0]
    pairs, who = pooled_pairs(judged), [judged.number[name] for name in worst.contestants]
    steps = zip(who, who[1:] + who[:1], strict=True)
    assert worst.margins == pytest.approx([pairs[step][0] for step in steps])
    assert worst.off == pytest.approx(sum(worst.margins))
    assert worst.off > 0


def test_searching_stops_where_there_would_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = np.triu_indices(8, 1)
    counts = [len(cycles.nodes) for cycles in search_cycles(8, low, high, 5)]
    assert counts == [56, 210, 672]
    monkeypatch.setattr(cycle_search, "MOST", 1000)
    assert [len(cycles.nodes) for cycles in search_cycles(8, low, high, 5)] == [56, 210]


def test_a_cycle_within_one_trial_closes_by_itself() -> None:
    judged = Judgments.from_arrays(
        "aabbc", "bccdd", [1, 3, 2, 1, 0], se=[1] * 5, study=["t", "t", "t", "u", "v"]
    )
    found = list_closures(fit(judged), None)
    assert {frozenset(one.contestants) for one in found} == {frozenset("bcd"), frozenset("abcd")}
    with pytest.raises(InputError, match="longest is 2"):
        fit(judged).cycles(longest=2)
    with pytest.raises(InputError, match="contests of unequal sizes have no covariance of pairs"):
        fit(random_contests(3)).cycles()
    assert len(fit(random_contests(3, (3,) * 6)).cycles()["z"]) > 0


@pytest.mark.parametrize("seed", range(30, 34))
def test_parts_of_the_misfit_are_chi_squares_of_cycles(seed: int) -> None:
    judged = random_judgments(seed, 8, 9)
    ratings = fit(judged)
    whole, parts = ratings.statistics(), ratings.misfit_parts()
    repeats, triangles, longer, longest = parts
    assert sum(part.q for part in parts) == pytest.approx(whole.q)
    assert sum(part.df for part in parts) == whole.df
    assert repeats.df == judged.m - len(pooled_pairs(judged)) // 2
    q3, df3 = chi_square_of_cycles(judged, 3)
    q5, df5 = chi_square_of_cycles(judged, 5)
    assert (triangles.q, triangles.df) == pytest.approx((q3, df3))
    assert (longer.q, longer.df) == pytest.approx((q5 - q3, df5 - df3), abs=1e-9)
    assert min(part.q for part in parts) >= 0
    assert longest.df >= 0


def test_parts_of_the_misfit_of_trials_and_with_anchors() -> None:
    rng = np.random.default_rng(40)
    a, b = [0, 0, 1, 0, 1, 2, 3, 0], [1, 2, 2, 1, 3, 3, 4, 4]
    study = ["t", "t", "t", "u", "v", "w", "x", "y"]
    y = rng.normal(size=8)
    y[2] = y[1] - y[0]
    judged = Judgments.from_arrays(a, b, y, se=np.ones(8), study=study)
    for anchors in (None, {0: 0.0, 3: 1.0}, {0: (0.0, 0.5), 3: (1.0, 0.5)}):
        ratings = fit(judged, anchors=anchors)
        parts, whole = ratings.misfit_parts(), ratings.statistics()
        assert sum(part.q for part in parts) == pytest.approx(whole.q)
        assert sum(part.df for part in parts) == whole.df
        assert min(part.df for part in parts) >= 0
    plain = {part.kind: part.df for part in fit(judged).misfit_parts()}
    # The trial of three and another have 0 and 1 in common; 1 2 3; 0 1 3 4.
    assert list(plain.values()) == [1, 1, 1, 0]
    assert fit(judged, ridge=1.0).misfit_parts() == ()


# ---------------------------------------------------------------------- trust and command line


def test_trust_names_what_others_contradict() -> None:
    a, b = np.triu_indices(5, 1)
    y = (b - a).astype(float)
    y[3] += 9.0
    judged = Judgments.from_arrays(a.astype(str), b.astype(str), y, se=np.full(10, 0.5))
    report = fit(judged).trust()
    worst = "the worst: 0 against 4, where judgments of both say +13.00 and all else +4.00"
    assert worst in report["direct and indirect"].sentence
    assert " In standard errors the worst goes round 0 - 4 - 1" in report["circles"].sentence
    assert "(6) round triangles" in report["stated errors"].sentence
    sentence = report["left out"].sentence
    assert "the worst: the judgment of 0 and 4 (row 3), 13.9 standard errors off" in sentence
    assert "without it the rating of" in sentence
    assert report["left out"].details["results"][0]["foretold"] == pytest.approx(4.0)


def test_nothing_is_said_of_chance() -> None:
    made = random_judgments(11)
    y = made.se * np.random.default_rng(1).normal(size=made.m)
    kinds = {finding.kind for finding in fit(replace(made, y=y)).trust().findings}
    assert not {"direct and indirect", "left out"} & kinds


def test_tables_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = tmp_path / "judged.csv"
    judged.write_text("a,b,y,se\nx,y,1,1\ny,z,1,1\nx,z,8,1\nz,u,1,1\n")
    assert run(["trust", str(judged), "--list", "splits", "--quiet"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split()[2:] == ["judgments", "share", "direct", "indirect", "gap", "gap_se", "p"]
    assert rows[0].split()[-2:] == ["1.732", "0.001"]
    assert rows[-1].split()[-1] == "-"
    assert run(["trust", str(judged), "--list", "omissions", "--json", "--quiet"]) == 0
    (first, *_) = json.loads(capsys.readouterr().out)["omissions"]
    assert (first["df"], first["moved"]) == (1, "x")
    assert run(["trust", str(judged), "--list", "cycles", "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[-4:] == ["3", "6.000", "1.732", "3.464"]
    assert run(["trust", str(judged), "--list", "misfit", "--json", "--quiet"]) == 0
    parts = json.loads(capsys.readouterr().out)["misfit"]
    assert [(part["q"], part["df"]) for part in parts][1] == (pytest.approx(12.0), 1)
    chain = tmp_path / "chain.csv"
    chain.write_text("a,b,y,se\nx,y,1,1\ny,z,1,1\n")
    assert run(["trust", str(chain), "--list", "misfit", "--quiet"]) == 2
    refused = capsys.readouterr().err
    assert "the misfit of these is not split" in refused
    assert f"at most {misfit_parts.MOST_CONTRASTS} candidates" in refused
    assert run(["trust", str(judged), "--list", "splits", "--out", str(tmp_path / "s.csv")]) == 0
    assert (tmp_path / "s.csv").read_text().startswith("a,b,difference,se,meetings")
