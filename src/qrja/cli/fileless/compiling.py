"""``qrja compile``: compile all inner loops now."""

from __future__ import annotations

from qrja.cli import options
from qrja.cli.output import bars, say, say_json
from qrja.plurals import count


def compile(json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Compile all inner loops now, instead of some when they are first needed.

    Small files need none of them. Images and machines for tests do this once, after installing:
    minutes of one core, and seconds where it was done before.

    \b
    Examples:
      qrja compile
      qrja compile --json
    """
    from qrja.compilation import compile_parts

    with bars(quiet) as progress:
        made = compile_parts(progress=progress)
    if json:
        say_json(made._asdict())
        return
    if not made.loops:
        say(f"nothing to compile: all inner loops are kept ({made.seconds:.0f} s to load them)")
        return
    where = f"in {made.folder}" if made.folder else "nowhere; NUMBA_CACHE_DIR names a place"
    say(f"compiled {count(made.loops, 'inner loop')} in {made.seconds:.0f} s, kept {where}")
