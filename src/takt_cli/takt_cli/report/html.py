# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The parts that all pages share: their Jinja templates, and the list of facts about a host."""

from __future__ import annotations

import re
from typing import Any

import jinja2
from markupsafe import Markup, escape

from takt_cli.report.texts import FACTS
from takt_cli.results.origin import Host, Origin


def template(name: str) -> jinja2.Template:
    """Return a template of report/templates. Everything that is inserted into it is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("takt_cli", "report/templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = _code
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    return environment.get_template(name)


def _code(text: str) -> Markup:
    """Return the text as HTML, with what stands between backticks as code elements."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def host_facts(host: Host) -> list[tuple[str, str]]:
    """Return the facts of a host as pairs of label and text."""

    def shown(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in value)
        return "unknown" if value is None else str(value)

    return [(label, shown(getattr(host, key))) for key, label in FACTS.items()]


def version_facts(origin: Origin) -> list[tuple[str, str]]:
    """Return the versions and the commit that a result was made with."""
    return [(name, value or "unknown") for name, value in (*origin.versions.items(), ("commit", origin.commit))]


def origin_facts(origin: Origin) -> list[tuple[str, str]]:
    """Return the facts of where a result comes from: its command, host, versions and commit."""
    made = [("command", " ".join(origin.command)), ("began", origin.began or "unknown")]
    return [*made, *host_facts(origin.known_host), *version_facts(origin)]
