// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "spec.hpp"
#include "work_task.hpp"

namespace takt::lab {

/// The tasks of a spec, or of one of its nodes, as they run in this process. Derived classes create the
/// nodes of a front end for them.
class Application {
 public:
  Application(const Application &) = delete;
  Application & operator=(const Application &) = delete;

  std::vector<std::unique_ptr<WorkTask>> & tasks() noexcept { return tasks_; }

  /// Returns a text that names a publisher or subscription that is not matched yet; empty once each of
  /// them is matched with all its partners in the application. External topics are ignored.
  std::string missing() const;
  /// The CPU time spent inside callbacks since the start, in ns. Any thread.
  model::Duration callback_cpu() const noexcept;
  /// Records that a job of the callback of this name missed its deadline. One thread at a time.
  void mark_late(const std::string & callback, std::uint64_t index) noexcept;

  /// Returns each publisher and subscription with its QoS in use.
  nlohmann::ordered_json qos_json() const;
  /// Returns each publisher and subscription with its message counts since the start.
  nlohmann::ordered_json messages_json() const;

 protected:
  /// Allocates everything that the jobs will need, except for the nodes. `node` is the index of the only
  /// node to run; without it, all are run. `length` is that of the release grid in ns. `spec` and `work`
  /// must outlive the object. Throws Error.
  Application(const Spec & spec, std::optional<std::uint32_t> node, const Work & work,
              model::Duration length);
  ~Application() = default;

  const Spec & spec_;
  std::vector<std::unique_ptr<WorkTask>> tasks_;
};

}  // namespace takt::lab
