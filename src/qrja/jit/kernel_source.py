"""The source of a kernel: a function, and what the compiler is to be told about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import update_wrapper
from typing import Any


class KernelSource(ABC):
    """A function that may be compiled; code that only writes into arrays it is given says so.

    ``array_form`` does the same without a loop, for calls that are not compiled and get at least
    ``array_from`` elements and that it suits.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.array_form: Callable[..., Any] | None = None
        self.array_from = 0
        self.array_suits: Callable[..., bool] | None = None
        update_wrapper(self, function)

    @property
    def allocates(self) -> bool:
        """Tell whether the function makes arrays of its own."""
        return "_nrt" not in self.options

    def has_array_form(self, arguments: tuple[Any, ...]) -> bool:
        """Tell whether there is a form in arrays for some arguments."""
        suits = self.array_suits
        return self.array_form is not None and (suits is None or suits(*arguments))

    @property
    @abstractmethod
    def is_kept(self) -> bool:
        """Whether the compiler has kept something for it."""

    def reach(self) -> set[KernelSource]:
        """Return the kernel and all that it calls, which are compiled with it."""
        found: set[KernelSource] = {self}
        ahead: list[KernelSource] = [self]
        for kernel in ahead:  # it grows meanwhile
            scope = kernel.function.__globals__
            named = (scope.get(name) for name in kernel.function.__code__.co_names)
            new = {it for it in named if isinstance(it, KernelSource)} - found
            found |= new
            ahead += new
        return found

    @property
    @abstractmethod
    def machine(self) -> Any:
        """The compiled function."""

    @abstractmethod
    def __call__(self, *arguments: Any) -> Any:
        """Run it, one way or the other."""
