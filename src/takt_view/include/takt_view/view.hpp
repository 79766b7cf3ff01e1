// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <takt_msgs/srv/inspect.hpp>
#include <takt_msgs/srv/set_scenario.hpp>

#include "takt_core/tasks/diagnostics.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::view {

/// What an executor shows of itself and is asked, as messages. A node of its front end carries them:
/// it publishes diagnostics() on `/diagnostics` once a period, and answers `~/inspect` and
/// `~/set_scenario`. One thread at a time; of ordinary priority, as all of it takes locks for short
/// times and allocates.
class View {
 public:
  /// `registry`: for as long as this.
  View(tasks::TaskRegistry & registry, const Diagnostics & options);
  ~View();
  View(const View &) = delete;
  View & operator=(const View &) = delete;

  /// What the node is called; no other view of this process has that name meanwhile, unless it was
  /// given.
  const std::string & node_name() const noexcept { return node_name_; }
  Duration period() const noexcept { return period_; }

  /// With it a period ends. `now`: what the node's clock says, ns; where nodes of the executor are on
  /// simulated time the message bears that.
  diagnostic_msgs::msg::DiagnosticArray diagnostics(std::int64_t now);
  void inspect(const takt_msgs::srv::Inspect::Request & request,
               takt_msgs::srv::Inspect::Response & response, std::int64_t now);
  void set_scenario(const takt_msgs::srv::SetScenario::Request & request,
                    takt_msgs::srv::SetScenario::Response & response);

 private:
  class Place;
  struct Parts;
  tasks::TaskRegistry & registry_;
  const Duration period_;
  const std::unique_ptr<Place> place_;  // if it has no name of its own
  const std::string node_name_;
  const std::string host_;
  const std::unique_ptr<Parts> parts_;
};

/// Asks by `request_scenario`, as tasks::Listener has it, and says what came of it.
void set_scenario(const std::function<std::int64_t(std::string_view name)> & request_scenario,
                  const takt_msgs::srv::SetScenario::Request & request,
                  takt_msgs::srv::SetScenario::Response & response);

}  // namespace takt::view
