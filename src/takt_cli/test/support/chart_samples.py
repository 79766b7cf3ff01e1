# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Marks of charts to be drawn."""

from __future__ import annotations

import numpy as np

from takt_cli.chart.marks import Band, Bars, Labels, Limit, Line, Mark, Points, Ranges

# One of each kind, each in a colour of its own.
MARKS: list[Mark] = [
    Line([0, 1, 2], [1, np.nan, 3], name="line", colour="takt", shape="square"),
    Points([0, 1], [2, 2], "cross", name="points", colour="late"),
    Points([0.5], None, name="at the top", colour="baseline0"),
    Bars([0, 1], [1, 2], name="bars", colour="baseline1", opacity=0.5),
    Bars([2], [1], hollow=True, name="outline", colour="takt-rclcpp"),
    Ranges([(0, 1, 2), (1, 1, 3)], name="ranges", colour="stale"),
    Limit(2.5, name="limit", colour="rclcpp-multi"),
    Band(0.5, 0.7, colour="waiting"),
    Labels([1], [1], texts=["bold\nweak"]),
]
