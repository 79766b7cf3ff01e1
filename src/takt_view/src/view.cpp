// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_view/view.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "diagnostics_message.hpp"
#include "inspect_message.hpp"
#include "recent_responses.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/error.hpp"
#include "thread_watch.hpp"

namespace takt::view {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

/// Reserves a number for the name of a view without a given name: the lowest one, from 0, that no other
/// view of this process uses, so that a restarted executor gets the same name again.
class View::Place {
 public:
  Place() {
    const os::Lock lock(mutex());
    for (number_ = 0; (taken() >> number_ & 1U) != 0 && number_ < 63;) ++number_;
    taken() |= std::uint64_t{1} << number_;
  }
  ~Place() {
    const os::Lock lock(mutex());
    taken() &= ~(std::uint64_t{1} << number_);
  }
  Place(const Place &) = delete;
  Place & operator=(const Place &) = delete;
  std::string node_name() const {
    const std::string name = "takt_" + std::to_string(getpid());
    return number_ == 0 ? name : name + "_" + std::to_string(number_ + 1);
  }

 private:
  static os::Mutex & mutex() {
    static os::Mutex one{os::LockRank::live_view_names};
    return one;
  }
  static std::uint64_t & taken() {
    static std::uint64_t bits = 0;
    return bits;
  }
  unsigned number_ = 0;
};

struct View::Parts {
  RecentResponses recent;
  ThreadWatch watch;
  DiagnosticsMessage message;
};

View::View(tasks::TaskRegistry & registry, const Diagnostics & options)
    : registry_(registry),
      period_(options.period),
      place_(options.node.empty() ? std::make_unique<Place>() : nullptr),
      node_name_(place_ != nullptr ? place_->node_name() : options.node),
      host_(host_name()),
      parts_(std::make_unique<Parts>()) {}

View::~View() = default;

diagnostic_msgs::msg::DiagnosticArray View::diagnostics(std::int64_t now) {
  tasks::Inspection inspection = registry_.inspect();
  parts_->recent.end_period(inspection);
  parts_->watch.look(os::now(), inspection);
  auto message = parts_->message.make(inspection, node_name_, host_);
  // Simulated time if the observed nodes use it, so that the message lies beside theirs in bags and
  // viewers.
  const std::int64_t stamp = std::max<std::int64_t>(0, inspection.simulated_now.value_or(now));
  message.header.stamp.sec = static_cast<std::int32_t>(stamp / second);
  message.header.stamp.nanosec = static_cast<std::uint32_t>(stamp % second);
  return message;
}

void View::inspect(const takt_msgs::srv::Inspect::Request & request,
                   takt_msgs::srv::Inspect::Response & response, std::int64_t now) {
  constexpr os::Time longest = 600 * second;
  tasks::Inspection inspection = registry_.inspect();
  parts_->recent.fill(inspection);
  const os::Time instant = os::now();
  if (request.watch_ns > 0) {
    parts_->watch.begin(instant, std::min<os::Time>(request.watch_ns, longest));
  }
  parts_->watch.look(instant, inspection);
  parts_->watch.fill(inspection);
  fill(response, inspection);
  response.stamp_ns = now;
  response.pid = static_cast<std::uint32_t>(getpid());
  response.program = program_invocation_short_name;
  response.host = host_;
  response.period_ns = period_.count();
}

void View::set_scenario(const takt_msgs::srv::SetScenario::Request & request,
                        takt_msgs::srv::SetScenario::Response & response) {
  view::set_scenario([this](std::string_view name) { return registry_.request_scenario(name); },
                     request, response);
}

void set_scenario(const std::function<std::int64_t(std::string_view name)> & request_scenario,
                  const takt_msgs::srv::SetScenario::Request & request,
                  takt_msgs::srv::SetScenario::Response & response) {
  response.effect_ns = -1;
  try {
    response.effect_ns = request_scenario(request.name);
    response.success = true;
  } catch (const Error & error) {
    response.message = error.what();
  }
}

}  // namespace takt::view
