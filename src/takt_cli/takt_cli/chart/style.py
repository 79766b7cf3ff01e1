# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The style of all charts: colours by meaning, light and dark, and the font of pages."""

from __future__ import annotations

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


def known_colour(name: str) -> str:
    """Return the name, if it is one of a colour; otherwise that of the colour for everything else."""
    return name if name in COLOURS else "host"
