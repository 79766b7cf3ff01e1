# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""JSON files with typed content: written with line breaks, and checked against their type when read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from takt_cli.errors import ResultError
from takt_cli.results.atomic_file import replace_file

Content = TypeVar("Content")


def encoded(content: Any) -> bytes:
    """Return `content`, of structures, dataclasses and plain values, as JSON text with line breaks."""
    return msgspec.json.format(msgspec.json.encode(content, enc_hook=_plain), indent=1) + b"\n"


def plain(content: Any) -> Any:
    """Return `content` as dictionaries, lists and plain values, as `json.dumps` takes them."""
    return msgspec.to_builtins(content, enc_hook=_plain)


def write_json(path: Path, content: Any) -> None:
    """Write `content` to a file, completely or not at all. Raises OSError if this fails."""
    replace_file(path, encoded(content))


def read_json(path: Path, kind: type[Content]) -> Content:
    """Return the content of a file. Raises ResultError if the file is missing or its content is not of this type."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file; name the folder of a finished result") from None
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise ResultError(f"{path}: is not what takt writes: {error}") from None


def _plain(value: Any) -> Any:
    """Return a value that msgspec does not know as one that it does."""
    # Numpy's arrays and numbers; numpy itself takes long to load.
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")
