# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks that ROS security has what it needs where an environment asks for it: a keystore with an enclave and its keys.
Without them a program ends at once, or continues unencrypted and without a warning."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from takt_cli.errors import HostError

_ENABLE, _STRATEGY = "ROS_SECURITY_ENABLE", "ROS_SECURITY_STRATEGY"
_KEYSTORE, _ENCLAVE = "ROS_SECURITY_KEYSTORE", "ROS_SECURITY_ENCLAVE_OVERRIDE"
# The files that an RMW looks for in an enclave's folder (rmw_dds_common/security.cpp); keys may also be in a token.
_KEYS = ("identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s")
_ENABLING_VALUES = ("true", "1", "on", "yes")
_OFF = f"unset {_ENABLE}"


@dataclass(frozen=True)
class SecurityProblem:
    """A problem of ROS security. If it is `fatal`, programs do not start; else they start with less security than was
    asked for, or none."""

    cause: str
    remedy: str
    fatal: bool

    def __str__(self) -> str:
        outcome = "no program would start" if self.fatal else "programs start without the requested security"
        return f"ROS security: {self.cause}: {outcome}; {self.remedy}"


def security_problem(environment: Mapping[str, str], root: Path = Path("/")) -> SecurityProblem | None:
    """Return the problem of programs without an enclave of their own, such as takt's; None if there is none. `root` is
    the root of the host's files. The variables are read as rcl does (rcl/security.c)."""
    enable = environment.get(_ENABLE, "")
    if enable != "true":
        if enable.lower() not in _ENABLING_VALUES:
            return None
        return SecurityProblem(
            f"{_ENABLE}={enable} does not enable it, only true does", f"export {_ENABLE}=true", False
        )
    strategy = environment.get(_STRATEGY, "")
    problem = _missing_file(environment, root)
    if problem is not None:
        cause, mend = problem
        return SecurityProblem(cause, f"{mend}, or {_OFF}", strategy == "Enforce")
    if strategy not in {"", "Enforce", "Permissive"}:
        cause = f"{_STRATEGY}={strategy} counts as Permissive, which admits programs without keys"
        return SecurityProblem(cause, f"export {_STRATEGY}=Enforce", False)
    return None


def require_security() -> None:
    """Raise a HostError if no program would start in this environment. If programs would start without the requested
    security, print that once."""
    problem = security_problem(os.environ)
    if problem is not None and problem.fatal:
        raise HostError(str(problem))
    if problem is not None:
        _print_error_line(str(problem))


def _missing_file(environment: Mapping[str, str], root: Path) -> tuple[str, str] | None:
    """Return what is missing, and the command that creates it."""
    keystore = environment.get(_KEYSTORE, "")
    if not keystore:
        return f"{_KEYSTORE} is not set", f"export {_KEYSTORE}=DIR (ros2 security create_keystore DIR makes one)"
    # On the live host the path may be relative.
    store = Path(keystore) if root == Path("/") else root / keystore.lstrip("/")
    if not store.is_dir():
        return f"{_KEYSTORE}={keystore} is not a folder", f"ros2 security create_keystore {keystore}"
    enclave = environment.get(_ENCLAVE, "") or "/"
    place = store / "enclaves" / enclave[1:]
    remedy = f"ros2 security create_enclave {keystore} {enclave}, or name another by {_ENCLAVE}"
    if not place.is_dir():
        return f"the keystore {keystore} has no enclave {enclave}", remedy
    for key in _KEYS:
        if not any((place / name).is_file() for name in (key, key.replace(".pem", ".p11"))):
            return f"the enclave {enclave} of the keystore {keystore} has no {key}", remedy
    return None


@lru_cache(maxsize=1)
def _print_error_line(line: str) -> None:
    print(f"takt: {line}", file=sys.stderr, flush=True)
