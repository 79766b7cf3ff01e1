# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The style of all charts: colours by meaning, light and dark, and the font of pages."""

from __future__ import annotations

# The colours of light and dark pages. Each stands for one meaning. SVG files have the light ones, of which `svg.themed`
# replaces each with a CSS variable, so they must differ from one another.
_COLOURS = {
    "ink": ("#1b1f24", "#e6e9ec"),
    "muted": ("#5d6771", "#9aa5b1"),
    "line": ("#d5dadf", "#3a424b"),
    "paper": ("#ffffff", "#171a1e"),
    "takt": ("#0b7a75", "#35c9bd"),
    "baseline0": ("#c65102", "#ff9a4d"),
    "baseline1": ("#6a45c2", "#b39bff"),
    "takt-rclcpp": ("#1f6fb2", "#6cb4f0"),
    "rclcpp-single": ("#8a5a2b", "#cf9a66"),
    "rclcpp-multi": ("#b5479a", "#ee86d3"),
    "rclcpp-events": ("#6b7d1e", "#b4c95a"),
    "late": ("#d01c3f", "#ff5c7a"),
    "skipped": ("#e8879a", "#a8475c"),
    "host": ("#8a94a0", "#77818c"),
    "stale": ("#e0a100", "#ffcc33"),
    "waiting": ("#e9edf0", "#2a3037"),
}
COLOURS = {name: light for name, (light, _) in _COLOURS.items()}
DARK = {name: dark for name, (_, dark) in _COLOURS.items()}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"


def known_colour(name: str) -> str:
    """Return the name, if it is one of a colour; otherwise that of the colour for everything else."""
    return name if name in COLOURS else "host"
