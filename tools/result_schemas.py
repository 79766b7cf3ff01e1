#!/usr/bin/env python3
# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Write the JSON Schemas of results from their types, so that the two always agree.

tools/result_schemas.py            writes src/takt_cli/takt_cli/schema/results/KIND.schema.json
tools/result_schemas.py --check    exits with 1 if a file is not what the types yield
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src/takt_cli/takt_cli/schema/results"
SUMMARY = "summary"


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of each file by the name of its own file."""
    # The package is checked by itself, with settings of its own.
    formats = import_module("takt_cli.results.reading").formats()
    measurements = import_module("takt_cli.measurements.registry").all_measurements()
    types = {kind: each.type for kind, each in formats.items()}
    types |= {f"{kind}.{SUMMARY}": get_type_hints(each.summarise)["return"] for kind, each in measurements.items()}
    summaries = {"run": "analysis.run_summary", "batch": "analysis.batch_summary", "demo": "report.demo_summary"}
    summaries["paper"] = "paper.result"
    for kind, module in summaries.items():
        types[f"{kind}.{SUMMARY}"] = getattr(import_module(f"takt_cli.{module}"), f"{kind.title()}Summary")
    return {f"{name}.schema.json": schema_of(name, each) for name, each in sorted(types.items())}


def schema_of(name: str, kind: Any) -> dict[str, Any]:
    """Return the schema of a type under a title that says which file it describes."""
    result, of_summary, _ = name.partition(f".{SUMMARY}")
    title = f"{SUMMARY if of_summary else 'result'}.json of {result}"
    schema = msgspec.json.schema(kind, ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def main(arguments: list[str]) -> int:
    """Write or check all files; return the exit status."""
    wanted = {name: json.dumps(schema, indent=1) + "\n" for name, schema in schemas().items()}
    if arguments == ["--check"]:
        found = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")}
        wrong = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
        for name in wrong:
            print(f"{FOLDER.relative_to(ROOT) / name} is not what the types say: run tools/result_schemas.py")
        return 1 if wrong else 0
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
