# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Stale executions and data age, by the sequence numbers that publishers and readers recorded."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from takt_cli.analysis.grid import Outcomes, Window, indices_within
from takt_cli.analysis.job_keys import job_keys
from takt_cli.results.sample_files import READS, Ints, Rows
from takt_cli.spec.application import Application


@dataclass(frozen=True)
class Executions:
    """The jobs that read something, in order of task, then index."""

    task: Ints
    index: Ints
    start: Ints
    stale: npt.NDArray[np.bool_]


class NodeFreshness(msgspec.Struct, frozen=True):
    """The number of a node's executions, whether they read anything or not, and of the stale ones; `stale_share` is
    None for a node that did not run."""

    node: str
    executions: int
    stale: int
    stale_share: float | None


def reads_within(application: Application, window: Window, reads: Rows) -> Rows:
    """Return the reads of jobs that were released inside the window."""
    limits = np.array([indices_within(task.callback, window) for task in application.tasks], np.int64).reshape(-1, 2)
    index = reads["index"].astype(np.int64)
    reads_in_window: Rows = reads[(index >= limits[reads["task"], 0]) & (index < limits[reads["task"], 1])]
    return reads_in_window


def stale_reads(reads: Rows, publishes: Rows, external: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which reads did not use the newest message whose publish call had returned before the job's start.

    The publisher may be in any process. If the newer message was lost, the read is stale as well. Topics that are
    published from outside of the application are not judged.
    """
    stale = np.zeros(len(reads), np.bool_)
    returned_publishes = publishes[publishes["returned"] >= 0]
    for topic in np.unique(reads["topic"]):
        if external[topic]:
            continue
        sent = returned_publishes[returned_publishes["topic"] == topic]
        sent = sent[np.argsort(sent["returned"], kind="stable")]
        reads_of_topic = np.flatnonzero(reads["topic"] == topic)
        newest_before = np.searchsorted(sent["returned"], reads["start"][reads_of_topic], side="left")
        newest = np.concatenate([[-1], np.maximum.accumulate(sent["sequence"])])[newest_before]
        stale[reads_of_topic] = reads["sequence"][reads_of_topic] < newest
    return stale


def executions_of(application: Application, reads: Rows, publishes: Rows) -> Executions:
    """Return the jobs that read a judged topic. A job is stale if any of its reads is."""
    external = np.array([topic.external for topic in application.topics], np.bool_)
    judged_reads = reads[~external[reads["topic"]]] if len(external) else reads
    stale = stale_reads(judged_reads, publishes, external)
    keys = job_keys(judged_reads["task"], judged_reads["index"])
    unique, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return Executions(
        task=unique >> 40,
        index=unique & ((1 << 40) - 1),
        start=judged_reads["start"][first].astype(np.int64),
        stale=np.bincount(place, weights=stale, minlength=len(unique)) > 0,
    )


def stale_by_node(application: Application, out: Outcomes, executions: Executions) -> list[NodeFreshness]:
    """Return the executions of each node, and the stale ones."""
    node = np.array([task.node for task in application.tasks], np.int64)
    count = len(application.nodes)
    executed_by_node = np.bincount(node[out.task[out.begin >= 0]], minlength=count).tolist()
    stale = np.bincount(node[executions.task[executions.stale]], minlength=count).tolist()
    return [
        NodeFreshness(each.name, n, old, old / n if n else None)
        for each, n, old in zip(application.nodes, executed_by_node, stale, strict=True)
    ]


def mean_share(nodes: list[NodeFreshness]) -> float | None:
    """Return the mean, over the nodes that ran, of their shares of stale executions."""
    shares = [node.stale_share for node in nodes if node.stale_share is not None]
    return sum(shares) / len(shares) if shares else None


def simulated_reads(application: Application, jobs: Rows) -> Rows:
    """Return what the jobs of a simulation read of topics from inside the application. There, a job publishes when it
    finishes."""
    parts = []
    finished = jobs[jobs["finish"] >= 0]
    started = jobs[jobs["start"] >= 0]
    for task in application.tasks:
        jobs_of_task = started[started["task"] == task.index]
        for topic in task.callback.reads:
            if topic not in application.producers:
                continue
            sent = np.sort(finished["finish"][finished["task"] == application.producers[topic].index])
            reads = np.zeros(len(jobs_of_task), READS)
            reads["task"], reads["topic"] = task.index, topic
            reads["index"], reads["start"] = jobs_of_task["index"], jobs_of_task["start"]
            reads["sequence"] = np.searchsorted(sent, jobs_of_task["start"], side="right") - 1
            reads["published"] = np.concatenate([sent, [-1]])[reads["sequence"]]
            parts.append(reads)
    return np.concatenate(parts) if parts else np.empty(0, READS)


def data_age(reads: Rows) -> npt.NDArray[np.float64]:
    """Return the job's start minus the instant of publication, in ns; infinite if there was no message yet."""
    age: npt.NDArray[np.float64] = (reads["start"] - reads["published"]).astype(np.float64)
    age[reads["published"] < 0] = np.inf
    return age
