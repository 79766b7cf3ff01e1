from pathlib import Path

import pytest
from affected import checks, imported

FILES = {
    "analysis/test_trips.py": "from takt_cli.analysis.trips import read_trips\n",
    "report/test_pages.py": "from page_samples import make\nimport json\n",
    "report/test_words.py": "from takt_cli.report import style, words\n",
    "report/test_templates.py": "import takt_cli.report\n",
    "conftest.py": "from stand_ins import put\n\n\n@pytest.fixture(scope='session')\ndef app() -> str: ...\n",
    "cli/test_app.py": "def test_it(app: str) -> None: ...\n",
    "support/page_samples.py": "from takt_cli.analysis.trips import (\n    read_trips,\n)\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "src/takt_cli/test"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (["src/takt_core/src/model/task.cpp", "src/takt_core/CMakeLists.txt"], ["takt_core"]),
        (["src/takt_lab/src/lib/spec.cpp", "src/takt/src/node.cpp", "setup/test.sh"], ["takt", "takt_lab", "scripts"]),
        (["src/takt_cli/takt_cli/analysis/trips.py"], ["analysis/test_trips.py", "report/test_pages.py"]),
        (["src/takt_cli/takt_cli/report/words.py"], ["report/test_words.py"]),
        (["src/takt_cli/takt_cli/report/templates/page.html"], ["report/test_templates.py", "report/test_words.py"]),
        (["src/takt_cli/test/report/test_words.py"], ["report/test_words.py"]),
        (["src/takt_cli/test/support/page_samples.py"], ["report/test_pages.py"]),
        (["src/takt_cli/test/conftest.py"], ["cli/test_app.py"]),
        (["src/takt_cli/test/support/stand_ins.py"], ["cli/test_app.py"]),
        (["README.md", "docs/measured.md"], []),
    ],
)
def test_a_change_selects_the_checks_that_it_can_affect(changed: list[str], expected: list[str], root: Path) -> None:
    found = checks(root, changed)
    assert [each.removeprefix("src/takt_cli/test/") for each in found] == expected


def test_imports_of_every_form_are_seen() -> None:
    text = "import a.b\nfrom c import d, e\n    from f.g import (\n        h,\n    )\n# import i\n"
    assert imported(text) >= {"a.b", "c", "c.d", "c.e", "f.g"}
    assert "i" not in imported(text)
