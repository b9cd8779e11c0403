"""Configuration of the documentation: MyST pages, docstrings, nothing from outside."""

from qrja import __version__

project = "qrja"
author = "the qrja contributors"
copyright = "2026, the qrja contributors"
version = release = __version__
# No mathjax: it loads a script from outside, so formulas are written as plain text.
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "notebooks"]
html_static_path = ["_static"]
html_theme = "furo"
html_title = f"qrja {__version__}"
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
