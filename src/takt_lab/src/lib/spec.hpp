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
  bool external = false;   ///< published by nobody inside the application
};

/// A periodic callback.
struct CallbackSpec {
  std::string name;
  model::Duration period = 0;
  model::Duration phase = 0;
  model::Duration deadline = 0;  ///< relative
  int priority = 1;
  model::Duration wcet = 0;
  std::uint32_t queue = 0;                ///< 0: an overrun skips
  std::vector<std::uint32_t> reads;       ///< indices into Spec::topics
  std::vector<std::uint32_t> publishes;   ///< indices into Spec::topics
  std::vector<model::Duration> max_ages;  ///< of `reads`, model::never for any
  /// Not said: told, and refused where nothing could refresh what it reads.
  std::optional<model::OnStale> on_stale;
  bool extra_releases = false;
  std::optional<std::size_t> processor;   ///< where it has to run, from 0
  model::Duration budget = model::never;  ///< CPU time of a job
  model::OnBudget on_budget = model::OnBudget::report;
};

struct NodeSpec {
  std::string name;
  bool exclusive = true;  ///< its callbacks exclude each other
  std::vector<CallbackSpec> callbacks;
};

/// For a while the jobs of all callbacks take `factor` times their WCET: those released at `from`
/// from t0 or later, and before `to`.
struct OverloadSpec {
  model::Duration from = 0;
  model::Duration to = 0;
  double factor = 1;
};

struct QosSpec {
  bool reliable = false;
  std::uint32_t depth = 1;
};

/// An application as the command resolved it: defaults applied, durations in ns, topics as indices.
struct Spec {
  std::string name;
  std::string policy;
  QosSpec qos;
  std::vector<TopicSpec> topics;
  std::vector<NodeSpec> nodes;
  OverloadSpec overload = {};

  /// A callback with its task index, which counts the callbacks of all nodes from 0.
  struct Task {
    std::uint32_t index = 0;
    std::uint32_t node = 0;
    const CallbackSpec * callback = nullptr;
    std::string id;  ///< `node/name`
  };
  /// In order of index; points into this spec, which must outlive it. Allocates.
  std::vector<Task> tasks() const;

  /// How long a job of a callback takes, by its number on the grid. One beyond the grid (see
  /// model::first_extra_job) takes its WCET.
  model::Duration work(const CallbackSpec & callback, std::uint64_t index) const noexcept;
  /// What the scheduler is to know of a callback's data; channels are topics.
  static model::DataFlow data_flow(const CallbackSpec & callback);
  /// How many extra jobs of a callback its readers may ask for within `length`, at most.
  std::uint64_t extra_jobs(const CallbackSpec & callback, model::Duration length) const;
};

/// Parses a resolved spec. `where` names it in errors. Throws Error that says which key is wrong.
Spec parse_spec(const std::string & json, const std::string & where);

/// Reads `resolved.json`. Throws Error.
Spec read_spec(const std::string & path);

}  // namespace takt::lab
