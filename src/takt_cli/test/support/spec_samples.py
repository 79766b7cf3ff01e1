# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Specs that several tests share."""

GOOD = """\
name: three
policy: fp
qos: {reliability: best_effort, depth: 2}
topics:
  - {name: scan, size: 4KiB}
  - {name: outside/gps, size: 64B, external: true}
nodes:
  - name: lidar
    callbacks:
      - {name: grab, period: 10ms, wcet: 1ms, priority: 90, publishes: [scan]}
  - name: planner
    group: reentrant
    callbacks:
      - name: plan
        period: 20ms
        phase: 1.5ms
        deadline: 40ms
        overrun: queue(2)
        priority: 80
        wcet: 375us
        reads: [scan, outside/gps]
"""

# Has every key that a spec may have, except for an overload, and names that are reserved in C++ or CMake, or that the
# generated packages use for something else.
EVERY = """\
schema_version: 1
name: "Every key: <all & more>"
policy: fp
qos: {reliability: best_effort, depth: 2}
topics:
  - {name: scan, size: 64KiB}
  - {name: map/tiles, size: 1MiB}
  - {name: /plan, size: 1000B}
  - {name: outside/gps, size: 64B, external: true}
nodes:
  - name: Node1
    processor: 1
    callbacks:
      - {name: grab, period: 10ms, wcet: 200us, priority: 90, publishes: [scan], extra_releases: true}
      - {name: delete, period: 40ms, phase: 1.5ms, wcet: 500us, priority: 20, publishes: [map/tiles, /plan]}
  - name: planner
    group: reentrant
    callbacks:
      - name: plan
        period: 20ms
        phase: 1.5ms
        deadline: 40ms
        overrun: queue(2)
        priority: 80
        wcet: 375us
        processor: 1
        reads: [scan, outside/gps]
        max_age: {scan: 15ms, outside/gps: 30ms}
        on_stale: report
      - name: now
        period: 50ms
        wcet: 0ms
        priority: 7
        processor: 0
        reads: [scan, /plan]
        max_age: {/plan: 1s}
        on_stale: skip
  - name: test
    callbacks:
      - name: timer
        period: 100ms
        deadline: 90ms
        wcet: 4ms
        priority: 1
        budget: 2ms
        on_budget: background
        reads: [map/tiles]
"""
