"""What Sphinx is told; `build_site.py` calls it on pages that were staged."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "rulebook"
author = "The authors of rulebook"
html_title = "rulebook"
extensions = ["myst_parser"]
myst_heading_anchors = 5
suppress_warnings = ["myst.header"]  # a part of a page may begin with a deeper heading than the page
exclude_patterns = ["**/README.md"]
smartquotes = False  # `--` of a command is no dash
html_theme = "furo"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_js_files = [("asking.js", {"defer": "defer"})]
html_extra_path = []
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {"top_of_page_buttons": []}


def setup(app: Sphinx) -> None:
    """Let scripts be coloured wherever they stand."""
    from lexer import RulebookLexer
    from pygments.lexers.shell import BashLexer

    for name in ("yaml", "effect", "expr"):
        app.add_lexer(name, RulebookLexer)
    app.add_lexer("console", BashLexer)  # commands without a prompt
