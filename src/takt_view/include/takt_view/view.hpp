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

/// The state of an executor as ROS messages. A node of the front end publishes diagnostics() on
/// `/diagnostics` once per period, and serves `~/inspect` and `~/set_scenario` by the functions of
/// the same names. To be used by one thread at a time, which should have ordinary priority, because
/// all functions allocate and take locks for short times.
class View {
 public:
  /// `registry` must outlive this object.
  View(tasks::TaskRegistry & registry, const Diagnostics & options);
  ~View();
  View(const View &) = delete;
  View & operator=(const View &) = delete;

  /// The name of the node. Unless it was given by Diagnostics::node, it is unique among the existing
  /// views of this process.
  const std::string & node_name() const noexcept { return node_name_; }
  /// The time between two messages on `/diagnostics`.
  Duration period() const noexcept { return period_; }

  /// Returns the diagnostics of the period that ends with this call. `now` is the time of the node's
  /// clock in ns, which becomes the message's stamp unless nodes of the executor use simulated time: then
  /// the stamp is that time.
  diagnostic_msgs::msg::DiagnosticArray diagnostics(std::int64_t now);
  /// Serves a request of `takt inspect` or `takt top`. `now` is the time of the node's clock in ns.
  void inspect(const takt_msgs::srv::Inspect::Request & request,
               takt_msgs::srv::Inspect::Response & response, std::int64_t now);
  /// Requests a scenario from the executor; a failure is reported in the response.
  void set_scenario(const takt_msgs::srv::SetScenario::Request & request,
                    takt_msgs::srv::SetScenario::Response & response);

 private:
  class Place;
  struct Parts;
  tasks::TaskRegistry & registry_;
  const Duration period_;
  const std::unique_ptr<Place> place_;  // nullptr if the name was given
  const std::string node_name_;
  const std::string host_;
  const std::unique_ptr<Parts> parts_;
};

/// Requests a scenario by `request_scenario`, which is used as tasks::Listener's function of that name,
/// and fills in the response. A takt::Error becomes the response's message.
void set_scenario(const std::function<std::int64_t(std::string_view name)> & request_scenario,
                  const takt_msgs::srv::SetScenario::Request & request,
                  takt_msgs::srv::SetScenario::Response & response);

}  // namespace takt::view
