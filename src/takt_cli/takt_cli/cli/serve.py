# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure serve`: the server of round trips that another machine measures; that one starts or prints it."""

from __future__ import annotations

from typing import Any

import click

from takt_cli.cli.output import print_plain
from takt_cli.measurements.round_trip import ROUND_TRIP
from takt_cli.options.usage import with_options
from takt_cli.run.remote import serve as serve_one


def _serve(where: str, **options: Any) -> None:
    """Be the server of `takt measure round-trip` that another machine measures, at DOMAIN,HERE,THERE.

    That command starts it, or prints the whole line to enter here.

    \b
    Example:
      takt measure serve 42,10.0.0.2:7000,10.0.0.1:7001 --transport takt
    """
    serve_one(ROUND_TRIP.settings(**options), where, print_plain)


_place = click.argument("where", metavar="DOMAIN,HERE,THERE")
serve = click.command("serve", hidden=True)(with_options(_serve, _place, *ROUND_TRIP.options))
