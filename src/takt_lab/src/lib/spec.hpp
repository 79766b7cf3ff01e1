// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <takt_core/model/input.hpp>
#include <takt_core/model/task.hpp>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

struct TopicSpec {
  std::string name;
  std::uint64_t size = 0;  ///< bytes of payload in one message
  bool external = false;   ///< whether it is published outside of the application
};

/// A periodic callback.
struct CallbackSpec {
  std::string name;
  model::Duration period = 0;
  model::Duration phase = 0;
  model::Duration deadline = 0;  ///< relative to the release
  int priority = 1;
  model::Duration wcet = 0;
  std::uint32_t queue = 0;                ///< jobs that may wait on an overrun; 0: they are skipped
  std::vector<std::uint32_t> reads;       ///< indices into Spec::topics
  std::vector<std::uint32_t> publishes;   ///< indices into Spec::topics
  std::vector<model::Duration> max_ages;  ///< for each of `reads`; model::never: any age
  /// If not given, stale data is reported, and it is an error if no task could refresh the data.
  std::optional<model::OnStale> on_stale;
  bool extra_releases = false;
  std::optional<std::size_t> processor;   ///< processor on which it must run, from 0
  model::Duration budget = model::never;  ///< CPU time that a job may use
  model::OnBudget on_budget = model::OnBudget::report;
};

struct NodeSpec {
  std::string name;
  bool exclusive = true;  ///< whether its callbacks exclude each other
  std::vector<CallbackSpec> callbacks;
};

/// A temporary overload: jobs of all callbacks that are released within [t0 + from, t0 + to) take `factor`
/// times their WCET.
struct OverloadSpec {
  model::Duration from = 0;
  model::Duration to = 0;
  double factor = 1;
};

struct QosSpec {
  bool reliable = false;
  std::uint32_t depth = 1;
};

/// An application in its resolved form: with defaults filled in, durations in ns, and topics as indices.
struct Spec {
  std::string name;
  std::string policy;
  QosSpec qos;
  std::vector<TopicSpec> topics;
  std::vector<NodeSpec> nodes;
  OverloadSpec overload = {};

  /// A callback with its task index: the callbacks of all nodes are numbered from 0.
  struct Task {
    std::uint32_t index = 0;
    std::uint32_t node = 0;
    const CallbackSpec * callback = nullptr;
    std::string id;  ///< `node/name`
  };
  /// Returns the tasks in the order of their index. They point into this spec, which must outlive them.
  /// Allocates.
  std::vector<Task> tasks() const;

  /// Returns how long a job of a callback takes, in ns, by its index on the grid. An extra job (see
  /// model::first_extra_job) takes its WCET.
  model::Duration work(const CallbackSpec & callback, std::uint64_t index) const noexcept;
  /// Returns the data flow of a callback for the scheduler, with topics as channels.
  static model::DataFlow data_flow(const CallbackSpec & callback);
  /// Returns the maximum number of extra jobs of a callback that its readers may cause within `length` ns.
  std::uint64_t extra_jobs(const CallbackSpec & callback, model::Duration length) const;
};

/// Parses a resolved spec. `where` names it in errors. Throws Error, which names the invalid key.
Spec parse_spec(const std::string & json, const std::string & where);

/// Reads `resolved.json`. Throws Error.
Spec read_spec(const std::string & path);

}  // namespace takt::lab
