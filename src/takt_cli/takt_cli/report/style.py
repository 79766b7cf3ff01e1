# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The style of all plots: colours by meaning, font sizes that stay readable on a phone, light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

# Each colour stands for one meaning. These hexadecimal values are used by the light page and by SVG files. `themed`
# replaces each of them with a CSS variable, so they must differ from one another.
COLOURS = {
    "ink": "#1b1f24",
    "muted": "#5d6771",
    "line": "#d5dadf",
    "paper": "#ffffff",
    "takt": "#0b7a75",
    "baseline0": "#c65102",
    "baseline1": "#6a45c2",
    "takt-rclcpp": "#1f6fb2",
    "rclcpp-single": "#8a5a2b",
    "rclcpp-multi": "#b5479a",
    "rclcpp-events": "#6b7d1e",
    "late": "#d01c3f",
    "skipped": "#e8879a",
    "host": "#8a94a0",
    "stale": "#e0a100",
    "waiting": "#e9edf0",
}
DARK = {
    "ink": "#e6e9ec",
    "muted": "#9aa5b1",
    "line": "#3a424b",
    "paper": "#171a1e",
    "takt": "#35c9bd",
    "baseline0": "#ff9a4d",
    "baseline1": "#b39bff",
    "takt-rclcpp": "#6cb4f0",
    "rclcpp-single": "#cf9a66",
    "rclcpp-multi": "#ee86d3",
    "rclcpp-events": "#b4c95a",
    "late": "#ff5c7a",
    "skipped": "#a8475c",
    "host": "#77818c",
    "stale": "#ffcc33",
    "waiting": "#2a3037",
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "takt",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": COLOURS["line"],
    "axes.labelcolor": COLOURS["muted"],
    "axes.labelsize": 8.5,
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["ink"],
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 9,
    "ytick.major.size": 0,
    "grid.color": COLOURS["line"],
    "grid.linewidth": 0.6,
    "figure.facecolor": COLOURS["paper"],
    "axes.facecolor": COLOURS["paper"],
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}


@contextmanager
def canvas(width: float, height: float) -> Iterator[Figure]:
    """Yield an empty figure of the given size in inches, without a window or global state of Matplotlib.

    Call `to_svg` inside the context, so that the settings of the style apply to the rendering.
    """
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(wspace=0.06))
        FigureCanvasSVG(figure)
        yield figure


@contextmanager
def plot(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    """Yield an empty figure as `canvas` does, and one plot in it."""
    with canvas(width, height) as figure:
        yield figure, figure.add_subplot()


def to_svg(figure: Figure, title: str) -> str:
    """Return the figure as an SVG document; the same content always gives the same document.

    `title` is the accessible name for screen readers. Call this inside `canvas` or `plot`.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"'DejaVu Sans'(, [^;\"]*?)?(?=[;\"])", FONT, text)
    text = text.replace("<svg ", f'<svg role="img" aria-label="{_attribute(title)}" ', 1)
    return _unused_ids_removed(text)


def themed(svg: str) -> str:
    """Return the SVG with CSS variables as colours, so that it follows light and dark mode, and without fixed size."""
    for name, colour in COLOURS.items():
        svg = svg.replace(colour, f"var(--{name})")
    head, content = svg.split(">", 1)
    return re.sub(r' (width|height)="[^"]*"', "", head) + ">" + content


def _unused_ids_removed(text: str) -> str:
    used_ids = set(re.findall(r"#([\w.-]+)", text))
    return re.sub(r' id="([^"]+)"', lambda m: m[0] if m[1] in used_ids else "", text)


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
