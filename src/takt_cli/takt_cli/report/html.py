# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the pages have in common: their templates, and how texts get into them."""

from __future__ import annotations

import json
import re
from typing import Any

import jinja2
from markupsafe import Markup, escape

FACTS = {
    "kernel": "kernel",
    "preemption": "preemption",
    "cpu_model": "CPU",
    "cpus": "CPUs",
    "used_cpus": "ran on CPU",
    "virtual": "virtual machine",
    "governor": "governor",
    "rt_throttling": "real-time throttling",
    "load": "load before",
    "cmdline": "kernel command line",
}
# What would end a script, or a line of one.
_UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def template(name: str) -> jinja2.Template:
    """One of report/templates; whatever is put into it is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("takt_cli", "report/templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = _code
    return environment.get_template(name)


def _code(text: str) -> Markup:
    """With elements of code for what stands between backticks."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def script_json(data: Any) -> Markup:
    """JSON that may stand inside a script element."""
    return Markup(json.dumps(data, allow_nan=False, separators=(",", ":")).translate(_UNSAFE))


def host_facts(host: dict[str, Any]) -> list[tuple[str, str]]:
    """What a host is and how it is set."""

    def shown(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in value)
        return "not told" if value is None else str(value)

    return [(label, shown(host.get(key))) for key, label in FACTS.items()]
