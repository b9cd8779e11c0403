"""``python -m qrja`` is ``qrja``; Ctrl-C is answered from the first line on."""

from __future__ import annotations

from qrja.interrupts import answered


def main(arguments: list[str] | None = None) -> None:
    """Load the command line, which takes a moment, run it, and exit with its code."""
    with answered():
        from qrja.cli import main as command

        command(arguments)


if __name__ == "__main__":
    main()
