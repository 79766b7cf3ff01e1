# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The middleware's settings for a run: stated explicitly, and the same for every executor."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from takt_cli.host.rmw_choice import CHOICE, preloaded_libraries, rmw_variable, usable_environment
from takt_cli.host.ros_logs import VARIABLE as LOGS
from takt_cli.host.ros_logs import log_folder
from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.origin import MiddlewareFacts
from takt_cli.spec.application import Application

_MIB = 1024 * 1024
SMALLEST_SEGMENT = 4 * _MIB
_AMPLE_SEGMENT = 64 * _MIB

# By default rmw_fastrtps publishes on the calling thread; this is set explicitly to be independent of the default.
_PUBLICATION_MODE = "SYNCHRONOUS"
# On one host, discovery sends unicast messages to participants by their index, of which Fast DDS and rmw_cyclonedds
# try 32 by default. No more than necessary are configured, which are the run's processes and some for programs that
# look at it, such as `takt top`: every 3 s Fast DDS's event thread, which has a higher priority than the workers,
# addresses each of them, which takes it 0.2 ms for 32 and 0.9 ms for 250.
_FURTHER_PARTICIPANTS, _MOST_PARTICIPANTS = 4, 250
# The asynchronous sender (dds.asyn) retries without a pause whatever it cannot send. With the real-time priority that
# it would inherit it starves the threads that have to make room, for ever; so it is an ordinary thread (SCHED_OTHER)
# under every executor.
_SENDER = "SCHED_OTHER"

# These variables change the range of discovery.
RANGE, LOCALHOST = "ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"
_REMOVED_VARIABLES = (RANGE, "ROS_LOCALHOST_ONLY", "ROS_STATIC_PEERS", "ROS_DISCOVERY_SERVER")

_ENDPOINT = """\
    <{kind} profile_name="/{topic}">
      <topic>
        <resourceLimitsQos>
          <max_samples>{n}</max_samples>
          <max_instances>1</max_instances>
          <max_samples_per_instance>{n}</max_samples_per_instance>
          <allocated_samples>{n}</allocated_samples>
        </resourceLimitsQos>
      </topic>
    </{kind}>
"""
# Cyclone DDS reads this after rmw_cyclonedds's own configuration, so it takes precedence. In 0.10 every index must be
# below the maximum, not equal to it. The receive buffers hold all messages in flight, as shared memory does for Fast
# DDS; the host allows at most net.core.rmem_max.
_CYCLONE = """\
<CycloneDDS><Domain>\
<Discovery><MaxAutoParticipantIndex>{participants}</MaxAutoParticipantIndex></Discovery>\
<Internal><SocketReceiveBufferSize max="{buffer}B"/></Internal>\
</Domain></CycloneDDS>"""


@dataclass(frozen=True)
class Middleware:
    """The ROS settings of a run's processes, of which there are `processes`. Logs go to the folder `logs`. `rmw`
    replaces the caller's choice of RMW if it is given."""

    domain: int
    profile: Path
    segment_size: int
    logs: Path
    processes: int = 1
    rmw: str | None = None

    def environment(self, own_variables: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the complete environment of a process: the caller's without variables that would let it discover other
        nodes, with this run's settings and with `own_variables`. Raises a HostError if no program can start with this
        RMW."""
        outer = {name: value for name, value in os.environ.items() if name not in _REMOVED_VARIABLES}
        environment = (
            outer
            | {
                LOGS: log_folder(self.logs),
                "ROS_DOMAIN_ID": str(self.domain),
                # The older and the newer name of the same setting.
                "FASTRTPS_DEFAULT_PROFILES_FILE": str(self.profile),
                "FASTDDS_DEFAULT_PROFILES_FILE": str(self.profile),
                "RMW_FASTRTPS_PUBLICATION_MODE": _PUBLICATION_MODE,
                "RMW_FASTRTPS_USE_QOS_FROM_XML": "0",
                "CYCLONEDDS_URI": self._cyclone,
            }
            | rmw_variable(self.rmw)
            | dict(own_variables or {})
        )
        environment.setdefault(RANGE, _range(environment))
        return usable_environment(environment)

    @property
    def _cyclone(self) -> str:
        return _CYCLONE.format(participants=self.participants, buffer=self.segment_size)

    @property
    def participants(self) -> int:
        """The highest number of processes that can discover each other on this host."""
        return _participants(self.processes)

    def facts(self) -> MiddlewareFacts:
        return MiddlewareFacts(
            domain=self.domain,
            discovery="this host",
            shared_memory_segment=self.segment_size,
            publication_mode=_PUBLICATION_MODE,
            asynchronous_sender=_SENDER,
            profile=self.profile.name,
            participants=self.participants,
            socket_receive_buffer=self.segment_size,
            socket_receive_buffer_limit=socket_receive_buffer_limit(),
            cyclonedds_uri=self._cyclone,
            preloaded=preloaded_libraries(self.environment()),
        )


def socket_receive_buffer_limit(system: System = THIS_HOST) -> int | None:
    """Return the largest receive buffer that a socket may request, in bytes; None if it cannot be read."""
    return system.integer("proc/sys/net/core/rmem_max")


def segment_size(application: Application) -> int:
    """Return the size of the shared-memory segment of each participant, in bytes: enough for its messages in flight.

    With Fast DDS's default of 512 KiB, large best-effort messages are lost. The node that publishes most decides, and
    every participant gets the same size, whether a process holds one node or all. The middleware allocates all of it
    when it starts, so 50 processes with 256 MiB each need 13 GB. Therefore, beyond what is in flight to one reader at
    most (512 fragments of 64 KiB), there is room for each message four times and no more.
    """
    published = (
        sum(application.topics[topic].size for callback in node.callbacks for topic in callback.publishes)
        for node in application.nodes
    )
    largest = max(published)
    need = min(16 * (application.qos.depth + 1) * largest, max(_AMPLE_SEGMENT, 4 * largest))
    size = SMALLEST_SEGMENT
    while size < need:
        size *= 2
    return size


def write_profile(
    path: Path,
    segment: int,
    processes: int,
    shared_memory: bool = True,
    priority: int | None = None,
    histories: Mapping[str, int] | None = None,
) -> None:
    """Write the Fast DDS profile for a run of this many processes, which without `shared_memory` are not all on this
    host. `priority` is the FIFO priority of the threads that receive data and of those for timed events; None leaves it
    alone. `histories` gives, by topic, the number of samples that its writers and readers allocate in advance, and
    never exceed."""
    text = files(__package__).joinpath("fast_dds.xml").read_text("utf-8")
    # Not by jinja2, which takes longer to load than all else that a guest needs. On one host, the metatraffic address
    # prevents that Fast DDS uses multicast.
    for name, wanted in (("shared_memory", shared_memory), ("priority", priority is not None)):
        block = re.compile(f"<!-- if {name} -->\n(.*?)<!-- end {name} -->\n", re.DOTALL)
        text = block.sub(r"\1" if wanted else "", text)
    endpoints = "".join(
        _ENDPOINT.format(kind=kind, topic=topic, n=n)
        for topic, n in (histories or {}).items()
        for kind in ("data_writer", "data_reader")
    )
    profile = text.format(
        segment=segment, participants=_participants(processes), priority=priority, endpoints=endpoints
    )
    path.write_text(profile, "utf-8")


def _participants(processes: int) -> int:
    return min(processes + _FURTHER_PARTICIPANTS, _MOST_PARTICIPANTS)


def _range(environment: Mapping[str, str]) -> str:
    """Return the range of discovery that confines it to this host. With rmw_fastrtps the profile does that: for the
    range LOCALHOST it would add a second pair of transports to those of the profile, so that everything that goes by
    UDP is sent twice."""
    return "SYSTEM_DEFAULT" if "fastrtps" in environment.get(CHOICE, "rmw_fastrtps_cpp") else LOCALHOST
