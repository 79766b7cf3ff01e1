import json
from pathlib import Path

import pytest
from tidy import Target, batches, by_target, main


def write(folder: Path, **texts: str) -> list[Path]:
    files = [folder / f"{name}.cpp" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text, "utf-8")
    return files


def names(found: list[list[Path]]) -> list[str]:
    return ["".join(file.stem for file in batch) for batch in found]


def test_every_file_is_in_one_batch(tmp_path: Path) -> None:
    files = write(tmp_path, a="", b="", c="", d="", e="")
    assert names(batches(files, 20)) == ["eabcd"]
    assert sorted("".join(names(batches(files, 2)))) == list("abcde")
    assert all(len(batch) <= 2 for batch in batches(files, 2))
    assert sorted(names(batches(files, 1))) == list("abcde")


def test_files_with_declarations_checked_only_in_inputs_are_inputs(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        a="using namespace x;\nusing A = x::A;\n",
        b="  using x::y;\n",
        c="// using x::y;\nusing Base::Base;\n",
        d="namespace q = x::y;\n",
        e="namespace q {\n}\n",
    )
    assert names(batches(files, 20)) == ["bae", "dc"]


def test_files_are_grouped_by_the_target_that_compiles_them(tmp_path: Path) -> None:
    a, b, c, younger = write(tmp_path, a="", b="", c="", younger="")
    deleted = tmp_path / "deleted.cpp"
    (tmp_path / "Unity").mkdir()
    (united,) = write(tmp_path / "Unity", united=f'/* generated */\n\n#include "{a}"\n\n#include "{c}"\n')
    entries = [
        {"file": str(file), "command": f'c++ -DA="x y" -o CMakeFiles/{target}.dir/{file.stem}.o -c {file}'}
        for file, target in ((united, "one"), (b, "two"), (deleted, "one"))
    ]
    flags = ["-DA=x y"]
    assert by_target(entries, [a, b, c, younger, deleted]) == [Target(flags, [a, c]), Target(flags, [b])]


def test_a_build_that_knows_no_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = list(map(str, write(tmp_path, a="", b="")))
    assert main([str(tmp_path), *files]) == 0  # nothing has been built
    entry = {"file": "/c.cpp", "command": "c++ -o CMakeFiles/one.dir/c.o -c /c.cpp"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    assert main(["--alone", str(tmp_path), *files]) == 0
    assert main([str(tmp_path), *files]) == 1
    assert "knows none of 2 files" in capsys.readouterr().out
