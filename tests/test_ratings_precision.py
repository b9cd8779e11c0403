"""Standard errors in, classical errors out: peers' figures, exact algebra and invariances."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja import InputError, Judgments, fit
from qrja.ratings.intervals import IntervalRequest, choose_method
from qrja.ratings.precision import Covariance, covariance, estimate_tau2

FIELDS = Path(__file__).parents[2] / "shared" / "fields"
LEAF = [(a, b, y + 0.01 * (k - 4.5) / 3, 100.0) for a, b, y in
        (("A", "B", 1.0), ("B", "C", 1.0), ("A", "C", 2.0)) for k in range(10)]  # fmt: skip
LEAF += [("D", "A", 7.3, 0.04)]


def field(name: str) -> Path:
    if not (FIELDS / name).exists():
        pytest.skip("the data of other fields are not in ../shared/fields")
    return FIELDS / name


def trials(**options: object) -> qrja.Ratings:
    columns = {"a": "treat1", "b": "treat2", "y": "TE", "se": "seTE", "study": "studlab"}
    return fit(field("diabetes-trials.csv"), anchors={"plac": 0}, **columns, **options)


def random_judgments(rng: np.random.Generator, n: int = 6, m: int = 14) -> Judgments:
    a = np.append(np.arange(n - 1), rng.integers(n, size=m))
    b = np.append(np.arange(1, n), (a[n - 1 :] + rng.integers(1, n, size=m)) % n)
    return Judgments.from_arrays(a, b, rng.normal(size=len(a)), se=rng.uniform(0.2, 2, len(a)))


def laplacian(judgments: Judgments) -> np.ndarray:
    table = np.zeros((judgments.n, judgments.n))
    for a, b, w in zip(judgments.a, judgments.b, judgments.w, strict=True):
        table[a, a] += w
        table[b, b] += w
        table[a, b] -= w
        table[b, a] -= w
    return table


# ---------------------------------------------------------------------- the peers' figures


def test_free_energies_are_those_of_their_own_tool() -> None:
    ratings = fit(
        field("free-energies.csv"),
        a="Ligand2",
        b="Ligand1",
        y="calc_DDG",
        se="calc_dDDG(MBAR),calc_dDDG(additional)",
    )
    expected = json.loads(field("free-energies.expected.json").read_text())["values"]
    found = ratings.intervals()
    for name, x, se in zip(found.names, found.x, found.se, strict=True):
        assert [x, se] == pytest.approx(expected[name], abs=1e-8)
    statistics = ratings.statistics()
    assert (round(statistics.q), statistics.df) == (258, 23)
    report = ratings.trust()
    assert report.verdict == "Use with care: stated errors are too small by a factor of 3.4."
    assert "Q is 258.4 on 23 degrees of freedom (p < 0.001)" in report["stated errors"].sentence


@pytest.mark.parametrize(("effects", "kind"), [(None, "fixed"), ("dl", "random")])
def test_trials_are_those_of_their_own_tool(effects: str | None, kind: str) -> None:
    expected = json.loads(field("diabetes-trials.expected.json").read_text())
    ratings = trials(random_effects=effects)
    table = ratings.differences(against="plac")
    wanted = zip(expected[f"TE_{kind}_vs_plac"], expected[f"seTE_{kind}_vs_plac"], strict=True)
    known = dict(zip(expected["treatments"], wanted, strict=True))
    for name, x, se in zip(table["a"], table["difference"], table["se"], strict=True):
        assert (x, se) == pytest.approx(known[name], abs=1e-6)
    found = ratings.statistics()
    assert (found.q, found.df) == pytest.approx((expected["Q"], 18), abs=1e-6)
    assert found.p == pytest.approx(expected["pval_Q"], rel=1e-6)
    assert found.tau2 == pytest.approx(expected["tau2"] if effects else 0.0, abs=1e-6)


# ---------------------------------------------------------------------- precision in


def test_an_imprecise_judgment_makes_an_imprecise_rating() -> None:
    ratings = fit(Judgments.from_arrays(*zip(*LEAF, strict=True)))
    noise = ratings.statistics().reduced_chi
    for method in ("auto", "bootstrap", "sandwich"):
        low, high = ratings.intervals(method=method, resamples=2000).difference("D", "A")
        assert (high - low) / 2 == pytest.approx(1.96 * 5 * noise, rel=0.15)
    known = Judgments.from_arrays(*list(zip(*LEAF, strict=True))[:3], se=[0.1] * 30 + [5.0])
    low, high = fit(known).intervals().difference("D", "A")
    assert (high - low) / 2 == pytest.approx(9.8, rel=1e-3)


def test_several_columns_of_errors_combine_as_the_root_of_squares() -> None:
    table = io.BytesIO(b"a,b,y,stat,syst\nx,y,1,3,4\ny,z,1,1,0\n")
    assert qrja.read_judgments(table, se="stat, syst").se == pytest.approx([5, 1])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b,y,se\nx,y,1,0\n", "the file:2: the standard error is '0'; give a positive number"),
        ("a,b,y,se\nx,y,1,-1\n", "the file:2: the standard error is '-1'; give a positive number"),
        ("a,b,y,se\nx,y,1,\n", "the standard error is missing; give a positive number"),
    ],
)
def test_errors_that_are_none_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        qrja.read_judgments(io.BytesIO(text.encode()))
    assert words in str(caught.value)


def test_an_error_given_as_a_weight_is_pointed_out() -> None:
    table = qrja.read_table(io.BytesIO(b"a,b,y,seTE\nx,y,1,2\n"), w="seTE", se="")
    assert any("the weight 'seTE' sounds like an error" in line for line in table.summary.lines())


# ---------------------------------------------------------------------- errors out


@pytest.mark.parametrize("dense", [3000, 0])
def test_the_covariance_is_the_pseudo_inverse(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covariance, "DENSE", dense)
    judgments = random_judgments(np.random.default_rng(5))
    inverse = np.linalg.pinv(laplacian(judgments))
    ratings = fit(judgments)
    found = Covariance(ratings.problem, ratings.demands)
    assert found.variances() == pytest.approx(np.diag(inverse), rel=1e-7)
    i, j = np.triu_indices(judgments.n, 1)
    wanted = np.diag(inverse)[i] + np.diag(inverse)[j] - 2 * inverse[i, j]
    assert found.of_differences(i, j) == pytest.approx(wanted, rel=1e-7)
    drawn = found.draw(4000, np.random.default_rng(1))
    assert drawn.var(axis=1) == pytest.approx(np.diag(inverse), rel=0.12)


def test_units_scale_errors_and_an_anchor_leaves_differences() -> None:
    judgments = random_judgments(np.random.default_rng(6))
    labels = judgments.a, judgments.b
    larger = Judgments.from_arrays(*labels, 7 * judgments.y, se=7 * judgments.se)
    plain, scaled = fit(judgments).differences(), fit(larger).differences()
    assert np.array(scaled["se"]) == pytest.approx(7 * np.array(plain["se"]))
    pairs = list(zip(plain["a"], plain["b"], strict=True))
    held = fit(judgments, anchors={judgments.names[2]: 5}).differences(pairs=pairs)
    assert held["se"] == pytest.approx(plain["se"])


def test_scaled_errors_know_proportions_only() -> None:
    judgments = random_judgments(np.random.default_rng(7))
    tenfold = judgments.with_errors(10 * judgments.se)
    ours, theirs = (fit(one).intervals(errors="scaled") for one in (judgments, tenfold))
    assert ours.se == pytest.approx(theirs.se)
    assert "errors scaled with 14 degrees of freedom" in repr(ours)


def test_json_says_where_no_errors_were_stated() -> None:
    weighed = Judgments.from_arrays("aab", "bbc", [1, 5, 2], [1, 1, 2])
    told = fit(weighed).to_dict(level=None)["statistics"]
    assert told.pop("errors_stated") is False
    assert told == {
        "q": None,
        "p": None,
        "i2": None,
        "tau2": None,
        "df": 1,
        "reduced_chi": pytest.approx(8**0.5),
    }
    stated = Judgments.from_arrays("aab", "bbc", [1, 5, 2], se=[1, 1, 1])
    told = fit(stated).to_dict(level=None)["statistics"]
    assert told["errors_stated"] is True
    assert told["q"] == pytest.approx(8.0)


def test_what_the_model_cannot_say_is_refused() -> None:
    plain = Judgments.from_arrays("abc", "bca", [1, 1, 1])
    with pytest.raises(InputError, match="no judgment has a standard error; give se, or take"):
        fit(plain).intervals(errors="known")
    with pytest.raises(InputError, match="is for p = 2, and the loss is"):
        fit(plain, p=1).intervals(method="model")
    with pytest.raises(InputError, match="random effects need the standard error of each"):
        fit(plain, random_effects="dl")
    with pytest.raises(InputError, match="nobody met twice"):
        fit(Judgments.from_arrays("ab", "bc", [1, 1], se=[1, 1])).intervals(errors="scaled")


# ---------------------------------------------------------------------- studies, random effects


def test_a_study_is_as_good_as_the_means_of_its_arms() -> None:
    arms = {"a": (3.0, 0.5), "b": (1.0, 0.2), "c": (-1.0, 0.8), "d": (0.0, 0.3)}
    pairs = [(x, y) for x in arms for y in arms if x < y]
    y = [arms[i][0] - arms[j][0] for i, j in pairs]
    se = [np.sqrt(arms[i][1] + arms[j][1]) for i, j in pairs]
    study = Judgments.from_arrays(*zip(*pairs, strict=True), y, se=se, study=["t"] * 6)
    assert study.independent == 3
    ratings = fit(study)
    assert ratings.statistics().q == pytest.approx(0, abs=1e-20)
    assert ratings.differences(pairs=pairs)["se"] == pytest.approx(se)
    some = [0, 1, 3, 5, 2]  # without b and d: ab, ac, bc is an odd circle, which fixes the arms
    fewer = Judgments.from_arrays(
        *zip(*(pairs[k] for k in some), strict=True),
        [y[k] for k in some],
        se=[se[k] for k in some],
        study=["t"] * 5,
    )
    assert fit(fewer).differences(pairs=pairs)["se"] == pytest.approx(se)


@pytest.mark.parametrize(
    ("a", "b", "y", "se", "words"),
    [
        ("aab", "bcc", [1, 3, 2], [1, 1, 9], "errors of study 't' do not go together"),
        ("aab", "bcc", [1, 3, 5], [1, 1, 1], "margins of study 't' contradict each other by 1"),
        ("ab", "ba", [1, 1], [1, 1], "compares 'a' and 'b' twice; give each a study of its own"),
        ("ac", "bd", [1, 1], [1, 1], "has no chain of contrasts from 'a' to 'c'"),
    ],
)
def test_a_study_that_cannot_be_is_named(
    a: str, b: str, y: list[float], se: list[float], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        Judgments.from_arrays(a, b, y, se=se, study=["t"] * len(a))
    assert words in str(caught.value)


def test_reml_is_where_the_restricted_likelihood_is_greatest() -> None:
    judgments = random_judgments(np.random.default_rng(8), n=4, m=20)
    noisy = judgments.with_errors(0.3 * judgments.se)
    ratings = fit(noisy)
    tau2 = estimate_tau2(noisy, ratings.demands, "reml")

    def likelihood(at: float) -> float:
        weighed = noisy.with_heterogeneity(at)
        values = np.linalg.eigvalsh(laplacian(weighed))[1:]
        return np.log(weighed.w).sum() - np.log(values).sum() - fit(weighed).solution.objective

    assert tau2 > 0
    assert likelihood(tau2) > max(likelihood(0.99 * tau2), likelihood(1.01 * tau2))


def test_errors_and_studies_are_saved(tmp_path: Path) -> None:
    study = Judgments.from_arrays(
        "aabc", "bccd", [1, 3, 2, 1], se=[1, 1, 1, 2], study=["t", "t", "t", "u"]
    )
    fit(study, random_effects="dl").save(tmp_path / "one.qrja")
    again = qrja.load(tmp_path / "one.qrja")
    assert again.data.se == pytest.approx([1, 1, 1, 2])
    assert (again.data.studies, again.data.independent) == (("t", "u"), 3)
    assert again.model.random_effects == "dl"
    assert again.update(Judgments.from_arrays("d", "a", [0], se=[1], study=["v"])).data.m == 5
    with pytest.raises(InputError, match="study 't' is there already"):
        again.update(Judgments.from_arrays("d", "a", [0], se=[1], study=["t"]))


def test_many_candidates_are_resampled_unless_asked_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for limit in ("DENSE", "QUICK", "FEW"):
        monkeypatch.setattr(covariance, limit, 2)
    margins = [1, 1, -2.2, 1.1, 0.9, -2]
    judged = qrja.Judgments.from_arrays("abcabc", "bcabca", margins, se=[0.1] * 6)
    ratings = qrja.fit(judged)
    assert ratings.intervals(resamples=50).method == "bootstrap"
    assert ratings.intervals(method="model").method == "model"
    why = choose_method(ratings, IntervalRequest()).why
    assert "those of the model take long for 3 candidates and 6 judgments" in why
    monkeypatch.setattr(covariance, "FEW", 3)
    assert qrja.fit(judged).intervals().method == "model"
