"""The part of the package that colcon and ament need beside pyproject.toml: its entry in the ament index."""

from setuptools import setup

setup(
    license="Apache-2.0",
    data_files=[
        ("share/ament_index/resource_index/packages", ["resource/takt_cli"]),
        ("share/takt_cli", ["package.xml"]),
        (
            "share/takt_cli/schema",
            ["takt_cli/schema/application.schema.json", "takt_cli/schema/parameters.schema.json"],
        ),
    ],
)
