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

/// The tasks of a spec, or those of one of its nodes, as they run in this process. Derived classes
/// make the nodes of a front end for them.
class Application {
 public:
  Application(const Application &) = delete;
  Application & operator=(const Application &) = delete;

  std::vector<std::unique_ptr<WorkTask>> & tasks() noexcept { return tasks_; }

  /// What is not matched yet, for people; empty once every publisher and subscription has met all
  /// its partners inside the application. External topics are not waited for.
  std::string missing() const;
  /// CPU time inside callbacks since the start. Any thread.
  model::Duration callback_cpu() const noexcept;
  /// Notes that a job missed its deadline, by the callback's name. One thread at a time.
  void mark_late(const std::string & callback, std::uint64_t index) noexcept;

  /// Each publisher and subscription with its QoS as matched.
  nlohmann::ordered_json qos_json() const;
  /// Each publisher and subscription with its counts of messages since the start.
  nlohmann::ordered_json messages_json() const;

 protected:
  /// Allocates everything that its jobs will need, but for what the nodes do. `node`: the only one;
  /// none: all. `spec` and `work` must outlive it. Throws Error.
  Application(const Spec & spec, std::optional<std::uint32_t> node, const Work & work,
              model::Duration length);
  ~Application() = default;

  const Spec & spec_;
  std::vector<std::unique_ptr<WorkTask>> tasks_;
};

}  // namespace takt::lab
