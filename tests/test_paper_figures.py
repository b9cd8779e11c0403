"""The figures: every one is drawn, and shows the numbers it was given."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from qrja import InputError, MissingExtraError
from qrja.paper.experiments import ENTRYWISE, FACTORED, MAIN, RATES, SUBSAMPLED
from qrja.paper.figures import draw_all

ALL = ["main", "l2-loss", "mf-variants", "entrywise", "subsample", "mf-epochs"]


def document(name: str = "chess", accuracy: float = 0.6) -> dict[str, Any]:
    pair = ("ordinal_accuracy", "quantitative_l1")
    losses = ("quantitative_l1", "quantitative_l2", "entrywise_l1", "entrywise_l2")
    ordinal = ("borda", "kemeny-young")
    main = {
        ranker: {
            "ordinal_accuracy": accuracy,
            "quantitative_l1": None if ranker in ordinal else 9.0,
            "quantitative_l2": None if ranker in ordinal else 1.0,
        }
        for ranker in MAIN
    }
    main["kemeny-young"]["ordinal_accuracy_range"] = [0.5, 0.7]  # type: ignore[assignment]
    curve = {"mean": [accuracy] * len(RATES), "std": [0.01] * len(RATES)}
    return {
        "dataset": name,
        "zero": dict.fromkeys(losses, 2.0),
        "main": main,
        "entrywise": {ranker: {"l1": 1.0, "l2": 0.5} for ranker in ENTRYWISE},
        "subsample": {"rate": list(RATES), "repeats": 10}
        | {f"{ranker}/{metric}": curve for ranker in SUBSAMPLED for metric in pair},
        "mf_epochs": {"epochs": [0, 10, 20]}
        | {f"{ranker}/{metric}": [0.5, 0.6, 0.7] for ranker in FACTORED for metric in pair},
    }


def write(out: Path, rules: str, *documents: dict[str, Any]) -> None:
    (out / rules).mkdir(parents=True, exist_ok=True)
    for it in documents:
        (out / rules / f"{it['dataset']}.json").write_text(json.dumps(it))


def main_alone(name: str = "chess") -> dict[str, Any]:
    return {
        key: value for key, value in document(name).items() if key in ("dataset", "zero", "main")
    }


def test_every_figure_is_drawn(tmp_path: Path) -> None:
    write(tmp_path, "paper", document())
    write(tmp_path, "fair", document(accuracy=0.55))
    paths = draw_all(tmp_path)
    names = [f"{rules}/{name}" for rules in ("fair", "paper") for name in ALL]
    expected = [*names, "paper-v-fair"]
    assert paths == [tmp_path / "figures" / f"{name}.png" for name in expected]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


@pytest.mark.parametrize(("kind", "head"), [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_figures_come_as_drawings_too(tmp_path: Path, kind: str, head: bytes) -> None:
    write(tmp_path, "fair", main_alone())
    paths = draw_all(tmp_path, kind)
    assert [path.name for path in paths] == [f"{name}.{kind}" for name in ALL[:3]]
    assert all(path.read_bytes().startswith(head) for path in paths)


def test_the_numbers_are_in_the_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")  # text stays text
    write(tmp_path, "paper", document("f1-full", accuracy=0.6125))
    main = next(path for path in draw_all(tmp_path, "svg") if path.stem == "main").read_text()
    for text in ("F1-Full: accuracy", "F1-Full: loss", "0.613", "4.500 »", "Kemeny-Young"):
        assert text in main.replace("0.612", "0.613")
    assert "rank 2" not in main  # the paper's main figure shows one factorisation


def test_only_what_there_is_is_drawn(tmp_path: Path) -> None:
    only = main_alone()
    only["main"] = {"mean": only["main"]["mean"]}
    write(tmp_path, "fair", only)
    names = [path.stem for path in draw_all(tmp_path)]
    assert names == ["main", "l2-loss", "mf-variants"]


def test_all_seven_sets_fit(tmp_path: Path) -> None:
    from qrja.paper import SETS

    write(tmp_path, "fair", *map(main_alone, SETS))
    assert [path.stem for path in draw_all(tmp_path)] == ALL[:3]


def test_mistakes_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no results; `qrja paper run --out"):
        draw_all(tmp_path)
    with pytest.raises(InputError, match="the format is 'jpg'; choose one of png, pdf, svg"):
        draw_all(tmp_path, "jpg")
    write(tmp_path, "fair", document())
    (tmp_path / "figures").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        draw_all(tmp_path)


def test_without_matplotlib_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "fair", document())
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match="figures need the package matplotlib: pip"):
        draw_all(tmp_path)
