"""Single numbers: what is one, and what is said of what is not."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from qrja import InputError
from qrja.data import as_float, check_callable, check_level, whole_number

NOT_NUMBERS = [None, True, np.True_, "2", "", b"2", [2], (2,), {}, 2j, Decimal("2"), np.ones(1)]


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_what_is_no_number_is_not_a_float_nor_whole(value: object) -> None:
    assert math.isnan(as_float(value))
    with pytest.raises(InputError, match=r"^k is .*; give a whole number of at least 0$"):
        whole_number(value, "k", 0)


@pytest.mark.parametrize(
    "value", [2, 2.0, np.int8(2), np.uint64(2), np.float32(2), np.float64(2), Fraction(2)]
)
def test_numbers_of_any_make_become_plain_floats(value: object) -> None:
    assert type(as_float(value)) is float
    assert as_float(value) == 2.0


@pytest.mark.parametrize("value", [2, np.int8(2), np.uint64(2)])
def test_whole_numbers_of_any_make_become_plain_ints(value: object) -> None:
    assert type(whole_number(value, "k", 0)) is int
    assert whole_number(value, "k", 0) == 2


def test_whole_numbers_have_a_range() -> None:
    assert [whole_number(k, "k", 1, 3) for k in (1, 3)] == [1, 3]
    for k in (0, 4, 10**400):
        with pytest.raises(InputError, match=f"^k is {k}; give a whole number from 1 to 3$"):
            whole_number(k, "k", 1, 3)
    with pytest.raises(InputError, match=r"^k is 2\.0; give a whole number of at least 1$"):
        whole_number(2.0, "k", 1)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan, math.inf, "0.95", None, True])
def test_levels_lie_between_0_and_1(level: object) -> None:
    with pytest.raises(InputError, match=r"; give a number between 0 and 1, such as 0\.95$"):
        check_level(level)


def test_what_will_be_called_can_be() -> None:
    check_callable(None, "progress")
    check_callable(len, "progress")
    with pytest.raises(InputError, match=r"^progress is 'yes'; give a function, or leave it out$"):
        check_callable("yes", "progress")
