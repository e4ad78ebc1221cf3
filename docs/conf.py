"""How sphinx makes the site; run by scripts/docs."""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent
project = "stickslip"
version = release = re.search(r"VERSION ([0-9.]+) LANGUAGES", (root / "CMakeLists.txt").read_text()).group(1)
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "stickslip"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f6fb7", "color-brand-content": "#2f6fb7"},
    "dark_css_variables": {"color-brand-primary": "#5bb1dd", "color-brand-content": "#5bb1dd"},
}
html_show_copyright = False
highlight_language = "none"
