import pytest

from qrja import InputError, MissingExtraError, QRJAError, QRJAWarning
from qrja.errors import nearest


def test_the_tree_is_as_drawn():
    assert issubclass(InputError, QRJAError)
    assert issubclass(MissingExtraError, QRJAError)
    assert not issubclass(InputError, MissingExtraError)


def test_errors_are_also_the_ones_of_the_language():
    with pytest.raises(ValueError, match="row 3"):
        raise InputError("row 3: the score is nan")
    with pytest.raises(ImportError, match="pyamg"):
        raise MissingExtraError.of("pyamg", "amg", "grids")


def test_a_warning_is_not_an_error():
    assert issubclass(QRJAWarning, UserWarning)
    assert not issubclass(QRJAWarning, QRJAError)


def test_missing_extra_says_what_to_install():
    error = MissingExtraError.of("matplotlib", "plot", "pictures")
    assert str(error) == "pictures need the package matplotlib: pip install 'qrja[plot]'"


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("socre", ["score", "date"], "; did you mean 'score'?"),
        ("SCORE", ["Score"], "; did you mean 'Score'?"),
        ("contest", ["contestant", "contests"], "; did you mean 'contests'?"),
        ("zzz", ["score", "date"], ""),
        ("score", [], ""),
        ("", ["score"], ""),
    ],
)
def test_nearest(word, known, hint):
    assert nearest(word, known) == hint
