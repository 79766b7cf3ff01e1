# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where a result comes from, as it is written into `result.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from takt_cli.host.versions import commit, versions
from takt_cli.results.achieved import Achieved
from takt_cli.results.folder import now
from takt_cli.results.origin import Host, Origin
from takt_cli.run.session import Session

if TYPE_CHECKING:
    from takt_cli.analysis.result import Result  # with numpy, which a guest may not have


def origin_of(session: Session, command: Sequence[str], began: str, conditions: Achieved | None = None) -> Origin:
    """Return the origin of a measurement that is made in `session`; to be called at its end, inside the session."""
    return Origin(
        command=list(command),
        began=began,
        versions=versions(),
        commit=commit(),
        host=session.host(),
        middleware=session.middleware.facts(),
        conditions=conditions,
    )


def origin_before(command: Sequence[str], host: Host | None = None) -> Origin:
    """Return the origin of a result that is written before its first part is measured, on this host if one is given."""
    return Origin(command=list(command), began=now(), versions=versions(), commit=commit(), host=host)


def origin_of_runs(first: Result, command: Sequence[str], began: str) -> Origin:
    """Return the origin of a measurement that consists of runs, of which `first` is one."""
    origin = msgspec.structs.replace(first.origin, command=list(command), began=began)
    return msgspec.structs.replace(origin, conditions=Achieved(load=first.record.stress))
