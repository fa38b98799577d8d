"""Sphinx configuration:  sphinx-build -W -b html docs docs/_build/html"""

import tomllib
from pathlib import Path

_pyproject = Path(__file__).parents[1] / "pyproject.toml"
_project = tomllib.loads(_pyproject.read_text(encoding="utf-8"))["project"]

project = "biela"
author = "the biela developers"
copyright = author
version = release = _project["version"]

extensions = ["myst_parser", "sphinx.ext.mathjax"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

html_theme = "furo"
html_title = f"biela {version}"
html_show_sourcelink = False
html_show_copyright = False
