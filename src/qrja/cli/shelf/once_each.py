"""A command whose options are given once each."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from qrja.cli.shelf.plain_values import spare_the_validator
from qrja.errors import InputError


class OnceEach(TyperCommand):
    """A command that refuses an option given twice, of which the last would win in silence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse what was typed, and look for options that were typed twice."""
        spare_the_validator(self.get_params(ctx))
        args = with_home(args, any(it.name == "covariates" for it in self.params))
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            once = option.param_type_name == "option" and not getattr(option, "multiple", False)
            if once and order.count(option) > 1 and not getattr(option, "is_flag", False):
                raise InputError(f"{option.opts[0]} is given twice; give it once{_join(option)}")
        return super().parse_args(ctx, args)


def _join(option: Any) -> str:
    from qrja.tables import SEVERAL

    return f"; several columns: {option.opts[0]} A,B" if option.name in SEVERAL else ""


def with_home(args: list[str], knows: bool) -> list[str]:
    """Read ``--home`` without a column as the covariate of the home side.

    Examples
    --------
    >>> with_home(["nfl.csv", "--home", "--top", "5"], True)
    ['nfl.csv', '--covariate', 'home', '--top', '5']
    """
    alone = [
        at
        for at, text in enumerate(args)
        if text == "--home" and (at + 1 == len(args) or args[at + 1].startswith("-"))
    ]
    for at in reversed(alone if knows else []):
        args = [*args[:at], "--covariate", "home", *args[at + 1 :]]
    return args
