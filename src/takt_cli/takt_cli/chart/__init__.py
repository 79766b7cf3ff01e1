# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts, described once and drawn by two renderers: as an SVG file, and as an interactive plot of a page.

A `chart.Chart` knows figures, colours and texts, and nothing of what was measured. `svg.to_svg` draws it with
Matplotlib, `page_figure.page_figure` describes it to Plotly.
"""

import logging

# Set before Matplotlib is imported: if the home folder is not writable, it uses a temporary folder and logs a
# warning about that, which does not concern the user of takt.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
