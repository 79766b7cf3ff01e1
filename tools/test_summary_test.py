"""Tests of what test_summary.py counts."""

from pathlib import Path

from test_summary import count

REPORT = """<testsuites><testsuite>
<testcase classname="a" name="passes" time="0.5"/>
<testcase classname="a" name="again" time="1"><failure/></testcase>
<testcase classname="a" name="again" time="2"/>
<testcase classname="a" name="fails" time="0"><failure/></testcase>
<testcase classname="a" name="skips" time="0"><skipped/></testcase>
</testsuite></testsuites>"""


def test_the_last_of_several_attempts_counts(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text(REPORT)
    (tmp_path / "two.xml").write_text(REPORT.replace('"again" time="2"/>', '"again" time="2"><error/></testcase>'))
    assert count(tmp_path) == (3, 3, 2, 5.0)
