"""Plain values: options that nobody typed, and texts, go without a validator.

Typer checks every value of every option, defaults too, by a library of validators that takes a
tenth of a second to load: a sixth of ``qrja rank`` on a small file. A default is right as it
stands, a text is whatever was typed, and a parser of ours checks for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

WORDS = (str, list[str])


def spare_the_validator(parameters: Iterable[Any]) -> None:
    """Let the options of a command ask typer for a validator only where there is work for it."""
    for parameter in parameters:
        # Older versions of typer check values themselves, at no cost.
        if hasattr(parameter, "get_runtime_param"):
            checked = Checked(parameter, parameter.get_runtime_param)
            parameter.get_runtime_param = lambda checked=checked: checked


class Checked:
    """What stands in for the validator of one option."""

    def __init__(self, parameter: Any, build: Any) -> None:
        self.type, self.default = parameter.type_descriptor.annotation, parameter.default
        self.parser = parameter.type_descriptor.parameter_info.parser
        self.build = build

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value as the command takes it."""
        if self._is_plain(value):
            return list(value) if self.type == list[str] and value is not None else value
        if self.parser is not None:
            return self.parser(value)
        return self.build().coerce(value, param=param, ctx=ctx)

    def _is_plain(self, value: Any) -> bool:
        if value is None or value is self.default:
            return True
        texts = value if isinstance(value, list | tuple) else [value]
        return self.type in WORDS and self.parser is None and all(type(it) is str for it in texts)
