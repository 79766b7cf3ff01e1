# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The YAML files that are part of the command: texts, options, catalogues and tables of data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from string import Template
from typing import Any, TypeVar

import msgspec
import yaml

from takt_cli.errors import TaktError

_Content = TypeVar("_Content")


def packaged(package: str, name: str, kind: type[_Content], /, **values: Iterable[str]) -> _Content:
    """Return the content of the file `name`.yaml in a package. Raises a TaktError that names the file.

    Its texts may name `values`: `$policies` by itself is their list, and within a text they are separated by commas.
    """
    path = files(package).joinpath(f"{name}.yaml")
    try:
        content = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        return msgspec.convert(_filled(content, {each: list(value) for each, value in values.items()}), kind)
    except KeyError as error:
        raise TaktError(f"{path}: nothing is given for ${error.args[0]}") from None
    except (OSError, ValueError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise TaktError(f"{path}: {error}") from None


def _filled(content: Any, values: Mapping[str, list[str]]) -> Any:
    if isinstance(content, dict):
        return {key: _filled(value, values) for key, value in content.items()}
    if isinstance(content, list):
        return [_filled(each, values) for each in content]
    if not isinstance(content, str):
        return content
    if content.startswith("$") and (chosen := values.get(content[1:])) is not None:
        return chosen
    return Template(content).substitute({name: ", ".join(value) for name, value in values.items()})
