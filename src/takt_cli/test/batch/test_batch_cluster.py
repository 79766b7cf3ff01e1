# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a batch on a real Dask cluster of two workers on this host, with real runs; one worker is killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from spec_samples import GOOD
from waiting import wait_until

import takt_cli
from takt_cli.analysis.result_set import read_set
from takt_cli.errors import HostError, UsageError
from takt_cli.host.cpu_locks import lock_exclusively
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program

pytestmark = pytest.mark.programs

TAKT = [sys.executable, "-m", "takt_cli", "batch"]
SMALL = ["--executors", "takt", "--runs", "2", "--duration", "0.3", "--warmup", "0.1", "--cooldown", "0"]
OUT = Path("out")


class Cluster:
    """A Dask cluster on this host; each of its processes leads a process group."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file))
        # The file may exist before it has its content.
        wait_until(
            lambda: self._file.exists() and self._file.read_text("utf-8").rstrip().endswith("}"), "the scheduler starts"
        )
        self.address = str(json.loads(self._file.read_text("utf-8"))["address"])

    def start_worker(self, name: str, *options: str, env: dict[str, str] | None = None) -> None:
        place = self._folder / name
        self._start(name, self.address, "--name", name, "--local-directory", str(place), *options, env=env)
        log = self._folder / f"{name}.log"
        wait_until(lambda: b"Registered to" in log.read_bytes(), f"{name} joins")

    def running(self, worker: str) -> bool:
        """Return whether a run is in progress on the worker."""
        return any((self._folder / worker).glob("*/worker-*/takt-*/result/resolved.json"))

    def kill(self, name: str) -> None:
        """Kill the worker together with its nanny, which would start another one."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end(self) -> None:
        for name in list(self._processes):
            self.kill(name)

    def _start(self, name: str, *arguments: str, env: dict[str, str] | None = None) -> None:
        kind = "scheduler" if name == "scheduler" else "worker"
        command = [sys.executable, "-m", "dask", kind, *arguments, "--no-dashboard"]
        with (self._folder / f"{name}.log").open("wb") as log:
            self._processes[name] = subprocess.Popen(
                command, stdout=log, stderr=log, start_new_session=True, env=os.environ | (env or {})
            )


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    try:
        find_program("runner")
    except HostError as error:
        (pytest.fail if os.environ.get("TAKT_REQUIRE_PROGRAMS") else pytest.skip)(str(error))
    monkeypatch.chdir(tmp_path)
    Path("apps").mkdir()
    for name in ("one", "two"):
        Path(f"apps/{name}.yaml").write_text(GOOD, "utf-8")
    Path("dask").mkdir()
    made = Cluster(tmp_path / "dask")
    try:
        yield made
    finally:
        made.end()


def journal() -> list[dict[str, Any]]:
    path = OUT / "journal.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def takt(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TAKT, *arguments], capture_output=True, text=True, check=False)


def test_two_workers_of_which_one_dies_run_everything_once(cluster: Cluster) -> None:
    url = ["--cluster", cluster.address]
    # A worker with threads makes one run at a time, too.
    cluster.start_worker("a", "--nthreads", "2")
    cluster.start_worker("b", "--nthreads", "1")
    with subprocess.Popen([*TAKT, "apps", *SMALL, *url, "--out", "out", "--json"], stdout=subprocess.PIPE) as batch:
        wait_until(lambda: cluster.running("a") or batch.poll() is not None, "a run begins at a")
        assert batch.poll() is None
        cluster.kill("a")
        output, _ = batch.communicate(timeout=120)
    assert batch.returncode == 0
    summary = json.loads(output)
    assert (summary["runs"], summary["pending"], summary["failed"]) == (4, 0, [])
    lines = journal()
    assert Counter((e["application"], e["executor"], e["run"]) for e in lines) == {
        (name, "takt", run): 1 for name in ("one", "two") for run in (1, 2)
    }
    assert {(e["outcome"], e["attempt"]) for e in lines} == {("done", 1)}
    assert "b" in {e["worker"] for e in lines} <= {"a", "b"}
    for run in read_set(OUT).runs:
        (entry,) = [e for e in lines if (e["application"], e["run"]) == (run.application, run.run)]
        assert entry["host"]["hostname"] == run.host.hostname
        assert run.envelope.origin.command[:2] == ["takt", "batch"]
        assert run.summary.totals.jobs == 45
    assert not list(OUT.rglob("*.partial"))


def test_finished_runs_are_kept_when_a_batch_on_a_cluster_is_ended(cluster: Cluster) -> None:
    """Finished runs are kept after Ctrl-C and after the end of the scheduler; then the batch continues without a
    cluster."""
    cluster.start_worker("a", "--nthreads", "1")
    url = ["--cluster", cluster.address]
    stopped = stop(["apps", *SMALL, *url, "--out", "out"], cluster, lambda batch: batch.send_signal(signal.SIGINT))
    assert "takt: interrupted; " in stopped
    assert stopped.endswith(" of 4 runs are kept; continue with: takt batch --resume out\n")
    stopped = stop(["--resume", "out", *url], cluster, lambda _: cluster.kill("scheduler"))
    assert stopped.endswith("its scheduler has gone; finished runs are kept, and --resume continues\n")
    # A run in progress on the worker ends with the scheduler, and then the CPU is free.
    with lock_exclusively([allowed_cpus()[-1]], "a test", patience=120):
        before = journal()
    assert 2 <= len(before) < 4
    ended = takt("--resume", "out", "--json")
    assert (ended.returncode, json.loads(ended.stdout)["runs"]) == (0, 4)
    assert journal()[: len(before)] == before
    assert len(journal()) == 4


def stop(arguments: list[str], cluster: Cluster, how: Callable[[subprocess.Popen[str]], None]) -> str:
    """Start a batch and end it by `how` when a run is done and the next one has begun. Return its line on standard
    error."""
    before = len(journal())
    with subprocess.Popen([*TAKT, *arguments], stderr=subprocess.PIPE, text=True) as batch:
        wait_until(lambda: len(journal()) > before or batch.poll() is not None, "a run is done")
        wait_until(lambda: cluster.running("a") or batch.poll() is not None, "the next begins")
        assert batch.poll() is None
        kept = journal()
        how(batch)
        _, errors = batch.communicate(timeout=120)
    assert batch.returncode != 0
    assert journal()[: len(kept)] == kept
    assert len(errors.splitlines()) == 1, errors
    return errors


def test_workers_that_cannot_take_part_in_a_batch_are_reported(cluster: Cluster, tmp_path: Path) -> None:
    assert takt("apps", *SMALL, "--cluster", cluster.address).stderr.startswith(
        f"takt: --cluster {cluster.address}: has no workers; start some with: dask worker {cluster.address}"
    )
    shutil.copytree(Path(takt_cli.__file__).parent, tmp_path / "other" / "takt_cli")
    with (tmp_path / "other/takt_cli/errors.py").open("a") as file:
        file.write("# another one\n")
    cluster.start_worker("odd", env={"PYTHONPATH": f"{tmp_path / 'other'}:{os.environ['PYTHONPATH']}"})
    result = takt("apps", *SMALL, "--cluster", cluster.address)
    assert re.fullmatch(
        r"takt: worker tcp://\S+ has takt .*, but the batch was begun with .*; install .*\n", result.stderr
    )
    assert not Path("results").exists()


def test_invalid_addresses_of_a_cluster_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from takt_cli.batch import cluster

    monkeypatch.setattr(cluster, "_CONNECTING", 0.2)
    for address in ("nonsense://x:1", "host", "tcp://", "tcp://host"):
        with pytest.raises(UsageError, match="is not a scheduler's address"), cluster._client(address):
            pass
    with pytest.raises(HostError, match="no scheduler answers there"), cluster._client("tcp://127.0.0.1:9"):
        pass
