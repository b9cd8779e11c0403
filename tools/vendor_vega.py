"""Take the drawing library of the HTML report out of the npm packages it comes in.

::

    npm pack vega@6.4.0 vega-lite@6.4.3 vega-interpreter@2.3.2
    python tools/vendor_vega.py vega-6.4.0.tgz vega-lite-6.4.3.tgz vega-interpreter-2.3.2.tgz

Nothing is downloaded here. The built files are taken as they are, without the comment that points
to a source map; the interpreter, which is published as a module only, becomes a plain script: its
one import is read from ``vega`` and its one export put on ``vegaInterpreter``.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tarfile
from pathlib import Path

HOME = Path(__file__).parent.parent / "src" / "qrja" / "report" / "vendor"
BUILT = {
    "vega": "package/build/vega.min.js",
    "vega-lite": "package/build/vega-lite.min.js",
    "vega-interpreter": "package/build/vega-interpreter.js",
}


def read_member(package: Path, member: str) -> str:
    """Read one text file of an npm package."""
    with tarfile.open(package) as archive:
        content = archive.extractfile(member)
        assert content is not None, f"{member} is not a file"
        return content.read().decode()


def as_script(module: str) -> str:
    """Turn a module with one import from vega-util and one export into a script."""
    body, imports = re.subn(
        r"^import (\{[^}]*\}) from 'vega-util';$", r"const \1 = vega;", module, flags=re.MULTILINE
    )
    body, exports = re.subn(
        r"^export \{ (\w+) as (\w+) \};$",
        r"globalThis.vegaInterpreter = { \2: \1 };",
        body,
        flags=re.MULTILINE,
    )
    assert imports == exports == 1, "the interpreter is built in another way than it was"
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def main() -> None:
    """Write the three scripts and their licences, and print checksums of the packages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs=3, type=Path)
    for package in parser.parse_args().packages:
        name = re.sub(r"-[\d.]+\.tgz$", "", package.name)
        text = re.sub(r"\n?//# sourceMappingURL=.*\n?", "\n", read_member(package, BUILT[name]))
        script = as_script(text) if name == "vega-interpreter" else text
        assert "</script" not in script
        (HOME / f"{name}.js").write_text(script, encoding="utf-8")
        licence = read_member(package, "package/LICENSE")
        (HOME / f"{name}.LICENSE").write_text(licence, encoding="utf-8")
        print(f"{package.name}: sha256 {hashlib.sha256(package.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
