# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether ROS security, where an environment asks for it, has what it needs: a keystore, and in it an enclave with
its keys. Without them a program ends as it begins, or goes on without a word in the clear."""

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
# What an RMW looks for in the folder of an enclave (rmw_dds_common/security.cpp): keys may be in a token instead.
_KEYS = ("identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s")
_MEANT = ("true", "1", "on", "yes")
_OFF = f"unset {_ENABLE}"


@dataclass(frozen=True)
class Insecurity:
    """`fatal`: programs do not start; else they start in the clear, or with less than was asked for."""

    cause: str
    mend: str
    fatal: bool

    def __str__(self) -> str:
        outcome = "no program would start" if self.fatal else "programs start without what was asked for"
        return f"ROS security: {self.cause}: {outcome}; {self.mend}"


def insecurity(environment: Mapping[str, str], root: Path = Path("/")) -> Insecurity | None:
    """Of programs that name no enclave of their own, as takt's do not; None if nothing is amiss. `root`: of the host
    that the paths are of. As rcl reads the variables (rcl/security.c)."""
    enable = environment.get(_ENABLE, "")
    if enable != "true":
        if enable.lower() not in _MEANT:
            return None
        return Insecurity(f"{_ENABLE}={enable} is not true, so that it is off", f"export {_ENABLE}=true", False)
    strategy = environment.get(_STRATEGY, "")
    lack = _lack(environment, root)
    if lack is not None:
        cause, mend = lack
        return Insecurity(cause, f"{mend}, or {_OFF}", strategy == "Enforce")
    if strategy not in {"", "Enforce", "Permissive"}:
        cause = f"{_STRATEGY}={strategy} is taken as Permissive, which lets in who has no keys"
        return Insecurity(cause, f"export {_STRATEGY}=Enforce", False)
    return None


def demand_security() -> None:
    """HostError where this environment lets no program start; a line on standard error, once, where programs start
    without the security that it asks for."""
    found = insecurity(os.environ)
    if found is not None and found.fatal:
        raise HostError(str(found))
    if found is not None:
        _say(str(found))


def _lack(environment: Mapping[str, str], root: Path) -> tuple[str, str] | None:
    """What is not there, and the command that makes it."""
    keystore = environment.get(_KEYSTORE, "")
    if not keystore:
        return f"{_KEYSTORE} is not set", f"export {_KEYSTORE}=DIR (ros2 security create_keystore DIR makes one)"
    # As it is on this host, where it may be relative.
    store = Path(keystore) if root == Path("/") else root / keystore.lstrip("/")
    if not store.is_dir():
        return f"{_KEYSTORE}={keystore} is no folder", f"ros2 security create_keystore {keystore}"
    enclave = environment.get(_ENCLAVE, "") or "/"
    place = store / "enclaves" / enclave[1:]
    make = f"ros2 security create_enclave {keystore} {enclave}, or name another by {_ENCLAVE}"
    if not place.is_dir():
        return f"the keystore {keystore} has no enclave {enclave}", make
    for key in _KEYS:
        if not any((place / name).is_file() for name in (key, key.replace(".pem", ".p11"))):
            return f"the enclave {enclave} of the keystore {keystore} has no {key}", make
    return None


@lru_cache(maxsize=1)
def _say(line: str) -> None:
    print(f"takt: {line}", file=sys.stderr, flush=True)
