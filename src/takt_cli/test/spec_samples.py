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
