#!/usr/bin/env python3
# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/spec.md from the published schema, so that the two always agree.

tools/spec_reference.py            writes the page
tools/spec_reference.py --check    exits with 1 if the page is not what the schema yields
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "src/takt_cli/takt_cli/schema/application.schema.json"
PAGE = ROOT / "docs/reference/spec.md"

Schema = dict[str, Any]

INTRODUCTION = """# The application spec

{description} In a spec, each callback is a [task](../glossary.md#task) with its timing, the topics that it reads and publishes, and its [WCET](../glossary.md#wcet). [`examples/planner.yaml`](../../examples/planner.yaml) is a complete one; the shortest useful one is:

```yaml
name: two_nodes
policy: rm
topics:
  - {{name: scan, size: 64KiB}}
nodes:
  - name: lidar
    callbacks:
      - {{name: tick, period: 20ms, wcet: 2ms, publishes: [scan]}}
  - name: planner
    callbacks:
      - {{name: plan, period: 40ms, wcet: 5ms, reads: [scan]}}
```

```
./takt simulate two_nodes.yaml                  # in virtual time
./takt run two_nodes.yaml --executor takt       # on ROS 2
```

This page is made from the schema, [`application.schema.json`]({schema}), by `tools/spec_reference.py`. Editors that support JSON Schema complete and check a spec with it. Terms are explained in the [glossary](../glossary.md).
"""  # noqa: E501


def resolve(part: Schema, definitions: Schema) -> Schema:
    """Return the part merged with the definition that its $ref names; the keys of the part take precedence."""
    if "$ref" not in part:
        return part
    return {**definitions[part["$ref"].rsplit("/", 1)[1]], **part}


def kind(part: Schema, definitions: Schema) -> str:
    """Return a short description of the values that the part permits."""
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if "const" in part:
        return f"`{part['const']}`"
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    if part.get("type") == "array":
        return "list of " + kind(part["items"], definitions)
    if part.get("type") in {"integer", "number"} and "minimum" in part:
        return f"{part['type']}, {part['minimum']} to {part['maximum']}"
    if part.get("type") == "object" and "properties" not in part:
        key, value = kind(part["propertyNames"], definitions), kind(part["additionalProperties"], definitions)
        return f"mapping: {key} to {value}"
    if part.get("type") == "object":
        return "mapping, below"
    if "pattern" in part:
        return f"string, `{part['pattern']}`".replace("|", "\\|")
    return str(part["type"])


def table(part: Schema, definitions: Schema) -> list[str]:
    """Return the lines of a table with one row for each key of a mapping."""
    required = set(part.get("required", []))
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key, value in part["properties"].items():
        whole = resolve(value, definitions)
        default = (
            "required"
            if key in required
            else f"`{json.dumps(value['default']).strip(chr(34))}`"
            if "default" in value
            else ""
        )
        rows.append(f"| `{key}` | {kind(value, definitions)} | {default} | {whole.get('description', '')} |")
    return rows


def mappings(name: str, part: Schema, definitions: Schema) -> list[tuple[str, Schema]]:
    """Return the mapping and all mappings nested in it, each with its heading."""
    found = [(name, part)]
    for key, value in part["properties"].items():
        inner = value.get("items", value)
        if "properties" in inner:
            found += mappings(f"`{key}`", inner, definitions)
    return found


def page(schema: Schema) -> str:
    """Return the Markdown text of the page."""
    definitions = schema["$defs"]
    relative = "../../" + str(SCHEMA.relative_to(ROOT))
    lines = [INTRODUCTION.format(description=schema["description"], schema=relative)]
    for name, part in mappings("Top level", schema, definitions):
        lines += [f"## {name}", "", *table(part, definitions), ""]
    for name, part in definitions.items():
        lines += [f"## {name}", "", part.get("description", ""), ""]
        if "properties" in part:
            lines += [*table(part, definitions), ""]
        elif "pattern" in part:
            examples = ", ".join(f"`{example}`" for example in part.get("examples", []))
            lines += [f"Pattern: `{part['pattern']}`." + (f" Examples: {examples}." if examples else ""), ""]
    return "\n".join(line for line in lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def main() -> int:
    text = page(json.loads(SCHEMA.read_text("utf-8")))
    if "--check" in sys.argv[1:]:
        if PAGE.exists() and PAGE.read_text("utf-8") == text:
            return 0
        print(f"{PAGE.relative_to(ROOT)} is not what the schema says: run tools/spec_reference.py")
        return 1
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
