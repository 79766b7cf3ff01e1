// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_view/live_view.hpp"

#include <exception>
#include <string>
#include <utility>

#include "takt_core/os/clock.hpp"

namespace takt::view {

LiveView::LiveView(const std::shared_ptr<tasks::TaskRegistry> & registry,
                   const Diagnostics & options, MakeServer make, std::function<bool()> wanted)
    : registry_(*registry),
      options_(options),
      make_(std::move(make)),
      wanted_(std::move(wanted)),
      thread_({.name = "takt.diag"}, [this] { run(); }) {}

LiveView::~LiveView() {
  {
    const os::Lock lock(mutex_);
    ending_ = true;
    if (server_ != nullptr) server_->cancel();
  }
  ended_.post();
  thread_.join();
}

void LiveView::run() noexcept {
  try {
    serve();
  } catch (const std::exception & error) {
    const os::Lock lock(mutex_);
    if (!ending_ && wanted_()) {
      registry_.log("the executor publishes no diagnostics: " + std::string(error.what()));
    }
  }
}

void LiveView::serve() {
  // Creating and destroying a node takes milliseconds. A program that spins in short pieces gets none.
  constexpr os::Time long_enough = 50'000'000;
  if (ended_.wait_until(os::now() + long_enough)) return;
  View view(registry_, options_);
  const auto server = make_(view);
  struct Shown {
    LiveView & view;
    Shown(LiveView & of, Server & shown) : view(of) {
      const os::Lock lock(view.mutex_);
      view.server_ = &shown;
      if (view.ending_) shown.cancel();
    }
    ~Shown() {
      const os::Lock lock(view.mutex_);
      view.server_ = nullptr;
    }
  } const shown(*this, *server);
  server->spin();
}

}  // namespace takt::view
