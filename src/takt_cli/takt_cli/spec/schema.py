# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Validation by the published JSON Schema, with errors in one line that says what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from takt_cli.errors import SpecError
from takt_cli.spec.document import Document, Path, show_path
from takt_cli.spec.hints import did_you_mean, hint_for_key, hint_for_missing_period, hint_for_value
from takt_cli.spec.units import DURATION_HINT, SIZE_HINT, parse_duration, parse_size

_KINDS = {
    "array": "a list",
    "object": "keys and values",
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}


APPLICATION = "application"


def load_schema(name: str = APPLICATION) -> dict[str, Any]:
    """Return a published schema."""
    text = files("takt_cli").joinpath(f"schema/{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def validate(document: Document) -> None:
    """Validate an application. Raises a SpecError for the first error in the order of the file's lines."""
    validate_part(document, (), document.data, APPLICATION)


def validate_part(document: Document, path: Path, value: Any, schema: str, definition: str | None = None) -> None:
    """Validate the value at `path` by a schema or by one of its definitions. Raises a SpecError."""
    errors = list(_validator(schema, definition).iter_errors(value))
    if any(error.validator == "additionalProperties" for error in errors):
        # The unknown key may be a required one that is misspelt or misplaced, so it is reported first.
        errors = [error for error in errors if error.validator != "required"]
    if errors:
        raise min((_spec_error(document, path, error, schema) for error in errors), key=lambda e: (e.line or 0, e.key))


@lru_cache(maxsize=32)
def _validator(schema: str, definition: str | None) -> Any:
    validator_class: Any = extend
    full_schema = load_schema(schema)
    part = full_schema if definition is None else {"$ref": f"#/$defs/{definition}", "$defs": full_schema["$defs"]}
    return validator_class(Draft202012Validator, {"pattern": _pattern})(part)


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    # JSON Schema's `$` only matches the end of the text; Python's also matches before a final newline.
    if isinstance(instance, str) and re.search(pattern.removesuffix("$") + r"\Z", instance, re.ASCII) is None:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _spec_error(document: Document, prefix: Path, error: Any, schema: str) -> SpecError:
    path: Path = (*prefix, *error.absolute_path)
    if error.validator == "additionalProperties":
        known_keys = list(error.schema["properties"])
        key = next(k for k in error.instance if k not in known_keys)
        path = (*path, key)
        text = (hint_for_key(path, load_schema()) if schema == APPLICATION else None) or _unknown(key, known_keys)
    elif error.validator == "required":
        key = next(k for k in error.validator_value if k not in error.instance)
        reader = (
            hint_for_missing_period(document.data, error.instance) if (schema, key) == (APPLICATION, "period") else None
        )
        text = reader or _missing(key, error.schema["properties"][key], schema)
    else:
        meant = schema == APPLICATION and path and error.validator in {"type", "pattern"}
        callback = load_schema()["$defs"]["callback"] if meant else {}
        text = (hint_for_value(path[-1], error.instance, callback) if meant else None) or _value_fault(error)
    return SpecError(document.file, document.line(path), show_path(path), text)


def _unknown(key: str, known_keys: list[str]) -> str:
    return "unknown key; " + did_you_mean(key, known_keys, f"known here: {', '.join(known_keys)}")


def _missing(key: str, part: dict[str, Any], schema: str) -> str:
    hint = part.get("examples") or _example(part, schema)
    return f"{key!r} is missing; add it" + (f", such as '{key}: {hint[0]}'" if hint else "")


def _example(part: dict[str, Any], schema: str) -> list[str]:
    reference = str(part.get("$ref", "")).rpartition("/")[2]
    examples: list[str] = load_schema(schema)["$defs"].get(reference, {}).get("examples", [])
    return examples


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "keys and values"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _value_fault(error: Any) -> str:
    shown, kind, limit = _shown(error.instance), error.validator, error.validator_value
    definition_name = _definition(error)
    if definition_name and kind in {"type", "pattern"}:
        unit, hint = {"duration": (parse_duration, DURATION_HINT), "size": (parse_size, SIZE_HINT)}[definition_name]
        if not isinstance(error.instance, str | int | float):
            return f"{shown} is not a {definition_name}; {hint}"
        try:
            unit(str(error.instance))
        except ValueError as reason:
            return str(reason)
    match kind:
        case "type":
            expected_kind = _KINDS[limit if isinstance(limit, str) else limit[0]]
            return f"{shown} is not {expected_kind}; give {expected_kind}"
        case "enum":
            words = [str(value) for value in limit]
            hint = did_you_mean(str(error.instance), words, f"give one of {', '.join(words)}")
            return f"{shown} is not known; {hint}"
        case "const":
            return f"{shown} is not {limit}; this takt reads version {limit}"
        case "minimum" | "maximum":
            expected_kind = _KINDS[error.schema["type"]]
            least, most = error.schema["minimum"], error.schema["maximum"]
            return f"{shown} is outside {least} to {most}; give {expected_kind} within"
        case "minItems":
            return "the list is empty; it needs at least one entry"
        case "maxItems":
            return f"{len(error.instance)} entries are more than {limit}; write fewer"
        case "minLength" | "maxLength":
            return f"the text has {len(error.instance)} characters; 1 to {error.schema['maxLength']} are allowed"
        case "pattern" if "skip" in limit:
            return f"{shown} is not known; give skip, or queue(n) with n from 1 to 9999"
        case "pattern":
            return f"{shown} is not a name; use {_error_text(error)}"
    return str(error.message).splitlines()[0][:200]


def _error_text(error: Any) -> str:
    description = str(error.schema.get("description", "letters, digits and underscores")).rstrip(".")
    return description[0].lower() + description[1:]


def _definition(error: Any) -> str:
    """Return which kind of value the schema expects here: `duration`, `size`, or an empty string for others."""
    examples = error.schema.get("examples", [""])
    if "10ms" in examples:
        return "duration"
    return "size" if "256B" in examples else ""
