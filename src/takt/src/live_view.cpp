// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "live_view.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <exception>
#include <takt_msgs/srv/inspect.hpp>
#include <utility>

#include "diagnostics_message.hpp"
#include "inspect_message.hpp"
#include "recent_responses.hpp"
#include "scenario_service.hpp"
#include "takt/node.hpp"
#include "takt_core/os/clock.hpp"
#include "thread_watch.hpp"

namespace takt::detail {
namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using takt_msgs::srv::Inspect;

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// Of the executors of this process that show themselves now without a name of their own, numbers
/// from 0: the lowest that is free, so that a name comes back.
class Place {
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

NodeOptions node_options(const std::shared_ptr<Context> & context) {
  NodeOptions options;
  options.context = context;
  // A name or parameters given to the process's nodes are not meant for this one.
  options.use_global_arguments = false;
  options.enable_rosout = false;
  options.parameter_overrides = {Parameter("start_type_description_service", false)};
  options.start_parameter_services = false;
  options.start_parameter_event_publisher = false;
  options.enable_scenario_service = false;
  return options;
}

}  // namespace

/// The node and what it offers, on the view's thread.
class LiveView::Server {
 public:
  Server(const std::shared_ptr<Context> & context, tasks::TaskRegistry & registry,
         const Diagnostics & options)
      : registry_(registry),
        period_(options.period),
        place_(options.node.empty() ? std::make_unique<Place>() : nullptr),
        node_(place_ != nullptr ? place_->node_name() : options.node, node_options(context)),
        publisher_(node_.create_publisher<DiagnosticArray>("/diagnostics", 10)),
        timer_(node_.create_timer("diagnostics", options.period, [this] { publish(); })),
        inspect_(node_.create_service<Inspect>(
            "~/inspect", [this](const Inspect::Request & request,
                                Inspect::Response & response) { answer(request, response); })),
        scenario_(make_scenario_service(node_.base(), [this](std::string_view name) {
          return registry_.request_scenario(name);
        })) {}

  Node & node() noexcept { return node_; }

 private:
  void publish() {
    tasks::Inspection inspection = registry_.inspect();
    recent_.end_period(inspection);
    watch_.look(os::now(), inspection);
    DiagnosticArray message = diagnostics_.make(inspection, node_.get_name(), host_);
    // The time of those whom it is about: it lies beside their messages in a bag, and in viewers.
    message.header.stamp = inspection.simulated_now
                               ? Time(*inspection.simulated_now, ClockType::ros)
                               : node_.get_clock()->now();
    publisher_->publish(message);
  }

  void answer(const Inspect::Request & request, Inspect::Response & response) {
    constexpr os::Time longest = 600'000'000'000;
    tasks::Inspection inspection = registry_.inspect();
    recent_.fill(inspection);
    const os::Time now = os::now();
    if (request.watch_ns > 0) watch_.begin(now, std::min<os::Time>(request.watch_ns, longest));
    watch_.look(now, inspection);
    watch_.fill(inspection);
    fill(response, inspection);
    response.stamp_ns = node_.now().nanoseconds();
    response.pid = static_cast<std::uint32_t>(getpid());
    response.program = program_invocation_short_name;
    response.host = host_;
    response.period_ns = period_.count();
  }

  tasks::TaskRegistry & registry_;
  const Duration period_;
  const std::unique_ptr<Place> place_;  // if it has no name of its own
  const std::string host_ = host_name();
  RecentResponses recent_;
  ThreadWatch watch_;
  DiagnosticsMessage diagnostics_;
  Node node_;
  std::shared_ptr<Publisher<DiagnosticArray>> publisher_;
  std::shared_ptr<Timer> timer_;
  std::shared_ptr<Callback> inspect_;
  std::shared_ptr<Callback> scenario_;
};

LiveView::LiveView(std::shared_ptr<Context> context,
                   const std::shared_ptr<tasks::TaskRegistry> & registry,
                   const Diagnostics & options)
    : context_(std::move(context)),
      registry_(*registry),
      options_(options),
      thread_({.name = "takt.diag"}, [this] { run(); }) {}

LiveView::~LiveView() {
  {
    const os::Lock lock(mutex_);
    ending_ = true;
    if (executor_ != nullptr) executor_->cancel();
  }
  ended_.post();
  thread_.join();
}

void LiveView::run() noexcept {
  try {
    serve();
  } catch (const std::exception & error) {
    const os::Lock lock(mutex_);
    if (!ending_ && context_->is_valid()) {
      registry_.log("the executor does not show itself: " + std::string(error.what()));
    }
  }
}

void LiveView::serve() {
  // A node takes milliseconds to make and to end: none for a spin in short pieces.
  constexpr os::Time long_enough = 50'000'000;
  if (ended_.wait_until(os::now() + long_enough)) return;
  StockExecutor executor({.context = context_});
  Server server(context_, registry_, options_);
  executor.add_node(server.node());
  struct Shown {
    LiveView & view;
    Shown(LiveView & of, StockExecutor & shown) : view(of) {
      const os::Lock lock(view.mutex_);
      view.executor_ = &shown;
      if (view.ending_) shown.cancel();
    }
    ~Shown() {
      const os::Lock lock(view.mutex_);
      view.executor_ = nullptr;
    }
  } const shown(*this, executor);
  executor.spin();
}

}  // namespace takt::detail
