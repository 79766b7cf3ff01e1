# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs a batch on several hosts: with the same plan and folder, but by the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
import queue
import re
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from distributed import Client, KilledWorker
from distributed import TimeoutError as DaskTimeout

from takt_cli.batch.folder import BatchFolder
from takt_cli.batch.job import Answer, Job, identity, unpack
from takt_cli.batch.local import failure_message, open_batch_folder, pending_runs
from takt_cli.batch.outcome import Outcome, interrupted, outcome
from takt_cli.batch.plan import Plan
from takt_cli.batch.queue import Attempt, Queue
from takt_cli.batch.worker import end_runs, fit, run_job
from takt_cli.errors import DiskFull, HostError, Interrupted, UsageError
from takt_cli.results.batch import Item
from takt_cli.run.progress import Progress
from takt_cli.run.remaining_time import RunningPart
from takt_cli.signals import uninterrupted

_CONNECTING, _FETCHING, _ENDING = 10.0, 30.0, 10.0
# How often workers are looked up, and after how long without any the batch is ended; in s.
_UPDATE_INTERVAL, _PATIENCE = 1.0, 600.0
# A run counts as failed if this many workers were lost while they ran it.
_LOSSES = 3
_START = "start some with: dask worker {address} --nthreads 1"


def run_on_cluster(
    plan: Plan,
    folder: Path,
    command: list[str],
    progress: Progress,
    address: str,
    resume: bool = False,
    repeat_failed: bool = False,
    origin: Path | None = None,
) -> Outcome:
    """Run a batch as run_batch does, through the Dask scheduler at `address`."""
    plan.check(plan.cpus or (0,))
    with _client(address) as client:
        fleet = _Workers(client, address, plan)
        fleet.update(first=True)
        with open_batch_folder(plan, folder, command, resume, origin) as batch:
            run = _Run(batch, pending_runs(batch, repeat_failed, progress), fleet, command, progress)
            try:
                run.everything()
            except Interrupted:
                raise interrupted(batch) from None
            finally:
                with uninterrupted():
                    run.end()
            return outcome(batch, fleet.notes())


@contextmanager
def _client(address: str) -> Iterator[Client]:
    if not re.fullmatch(r"(tcp|tls|wss?)://[^/]+:[0-9]{1,5}", address):
        raise UsageError(f"--cluster {address}: is not a scheduler's address; give one such as tcp://HOST:8786")
    # Dask's own log is silenced: what matters of it is reported by takt's messages.
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=_CONNECTING, set_as_default=False)
    except (OSError, TimeoutError):
        raise HostError(f"--cluster {address}: no scheduler answers there; start one with: dask scheduler") from None
    try:
        yield client
    finally:
        with uninterrupted():
            client.close(timeout=_ENDING)


class _Workers:
    """The workers that take part in the batch."""

    def __init__(self, client: Client, address: str, plan: Plan) -> None:
        self.client = client
        self.workers: set[str] = set()
        self.needs = identity()
        self._address = address
        self._plan = plan
        self._unfit: dict[str, str] = {}
        self._last_update = self._last_present = time.monotonic()

    def update(self, first: bool = False) -> None:
        """Update the workers that are present. Raises a HostError if there have been none for too long. With `first`,
        also if there are none now, or if one of them is unfit."""
        self._last_update = time.monotonic()
        try:
            present_workers = set(self.client.nthreads())
            self.workers &= present_workers
            new_workers = sorted(present_workers - self.workers - set(self._unfit))
            answers = self._ask(new_workers) if new_workers else {}
        except OSError:
            raise self.scheduler_lost_error() from None
        for worker, answer in answers.items():
            if answer is None:
                self.workers.add(worker)
            elif not isinstance(answer, OSError):  # else it has left the cluster
                self._unfit[worker] = str(answer)
        if first and self._unfit:
            raise HostError(self.notes()[0])
        if self.workers:
            self._last_present = self._last_update
        elif first:
            raise HostError(f"--cluster {self._address}: has no workers; {_START.format(address=self._address)}")
        elif self._last_update - self._last_present > _PATIENCE:
            raise HostError(
                f"--cluster {self._address}: has had no workers for {_PATIENCE:.0f} s; finished runs are kept, "
                f"and --resume continues; {_START.format(address=self._address)}"
            )

    def _ask(self, workers: list[str]) -> dict[str, Any]:
        """Return for each worker None if it is fit, else the reason why not."""
        plan = self._plan
        answers = self.client.run(fit, self.needs, plan.cpus, plan.background, workers=workers, on_error="return")
        return dict(answers)

    def update_if_due(self) -> None:
        """Update the workers if the last look is long enough ago."""
        if time.monotonic() - self._last_update > _UPDATE_INTERVAL:
            self.update()

    def scheduler_lost_error(self) -> HostError:
        """Return the error for a scheduler that has gone."""
        return HostError(
            f"--cluster {self._address}: its scheduler has gone; finished runs are kept, and --resume continues"
        )

    def notes(self) -> list[str]:
        """Return a line for each worker that does not take part, with the reason."""
        return [f"worker {worker} {why}" for worker, why in self._unfit.items()]


@dataclass
class _SentRun:
    attempt: Attempt
    worker: str
    part: RunningPart


@dataclass
class _Run:
    """A batch in progress."""

    batch: BatchFolder
    items: Queue
    fleet: _Workers
    command: list[str]
    progress: Progress
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    _sent: dict[Any, _SentRun] = field(default_factory=dict)
    _ended_runs: queue.SimpleQueue[Any] = field(default_factory=queue.SimpleQueue)
    _last: dict[str, str] = field(default_factory=dict)
    _count: Iterator[int] = field(default_factory=count)
    _lost: Counter[Item] = field(default_factory=Counter)

    def everything(self) -> None:
        while self.items or self._sent:
            self.fleet.update_if_due()
            self._call_back()
            self.progress.pace.at_once = max(len(self.fleet.workers), 1)
            self._send()
            try:
                future = self._ended_runs.get(timeout=0.2)
            except queue.Empty:
                self.progress.draw()
                continue
            self._take(future)

    def end(self) -> None:
        """Cancel the runs that are still in progress on the workers."""
        if not self._sent:
            return
        client = self.fleet.client
        try:
            client.cancel(list(self._sent), force=True)
            client.run(end_runs, self.name, on_error="ignore")
        except (OSError, TimeoutError):
            pass  # the scheduler has gone, and the runs end with it

    def _send(self) -> None:
        """Send a run to each idle worker: one at a time, so that results do not pile up."""
        plan = self.batch.plan
        busy = {sent.worker for sent in self._sent.values()}
        for worker in sorted(self.fleet.workers - busy):
            if (attempt := self.items.take(self._last.get(worker))) is None:
                return
            future = self.fleet.client.submit(
                run_job,
                Job(self.name, plan.only(attempt.item), self.command, self.fleet.needs),
                key=f"{self.name}-{attempt.item.application}-{attempt.item.executor}-{attempt.item.run}-{next(self._count)}",
                workers=[worker],
                pure=False,
            )
            self._sent[future] = _SentRun(attempt, worker, self.progress.start(str(attempt.item), plan.length))
            self._last[worker] = attempt.item.application
            future.add_done_callback(self._ended_runs.put)

    def _call_back(self) -> None:
        """Cancel the runs that were sent to lost workers, so that others run them."""
        for future, sent in list(self._sent.items()):
            if sent.worker not in self.fleet.workers:
                del self._sent[future]
                future.cancel(force=True)
                self._lost_with(sent)

    def _lost_with(self, sent: _SentRun) -> None:
        """Queue the run of a lost worker again. It only counts as failed after several workers were lost with it."""
        item = sent.attempt.item
        self._lost[item] += 1
        if self._lost[item] < _LOSSES:
            self.items.put_back(sent.attempt)
            self.progress.finish(sent.part, succeeded=False)
            self.progress.pace.add_parts(1, self.batch.plan.length)
            return
        self._lost[item] = 0
        self._over_with(sent, time.time(), f"{_LOSSES} workers were lost while they ran it", None)

    def _take(self, future: Any) -> None:
        """Handle a run that has ended: fetch its result and store it before the next one is handled."""
        if (sent := self._sent.pop(future, None)) is None:
            return  # it was cancelled
        try:
            answer = self._fetch(future, sent.worker)
        except HostError:
            raise  # this ends the batch, not only the run
        except Exception as raised:
            self._over_with(sent, time.time(), failure_message(raised), None)
            return
        finally:
            future.release()
        if answer is None:
            self._lost_with(sent)
            return
        error = answer.error
        if answer.full:
            failure_message(DiskFull(f"worker {answer.worker}: {error}"))
        if error is None:
            try:
                with self.batch.result(sent.attempt.item) as place:
                    unpack(answer.archive, place)
            except Exception as raised:
                error = failure_message(raised)
        self._over_with(sent, answer.began, error, answer)

    def _fetch(self, future: Any, worker: str) -> Answer | None:
        """Return a run's answer, or None if its worker is lost. Raises the exception of the run."""
        patience = _FETCHING
        while not future.cancelled():
            try:
                answer: Answer = future.result(timeout=patience)
                return answer
            except KilledWorker:
                return None
            except (OSError, TimeoutError, DaskTimeout):
                if future.status == "error":
                    raise
                # A large result may take long on a slow link; but a lost worker will not deliver any.
                self.fleet.update()
                if worker not in self.fleet.workers:
                    return None
                patience *= 2
            except (CancelledError, asyncio.CancelledError):
                break
        raise self.fleet.scheduler_lost_error()

    def _over_with(self, sent: _SentRun, start_time: float, error: str | None, answer: Answer | None) -> None:
        worker, host = (answer.worker, answer.host) if answer else (None, None)
        self.batch.record_attempt(sent.attempt, start_time, error, worker, host)
        self.progress.finish(sent.part, error is None)
        if error is not None and self.items.failed(sent.attempt):
            self.progress.pace.add_parts(1, self.batch.plan.length)
