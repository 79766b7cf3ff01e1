// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A policy of the application's own, in both forms, without touching takt's code.
//
// A rover has a camera and an arm. While it drives, the camera goes first; while it grips, the arm.
// The policy is an urgency function of the job and a versioned snapshot of the application's state;
// a new snapshot ranks the pending jobs anew. It runs non-preemptively, because it declares no
// preemption levels.
//
//   ./takt example user_policy

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <takt/takt.hpp>

using namespace std::chrono_literals;

namespace {

struct Rover {
  bool gripping = false;
};

/// The smaller number goes first.
takt::Urgency favour(const takt::Task & task, const takt::Job & job,
                     const takt::ApplicationState & state) {
  const Rover * rover = state.get<Rover>();
  const bool gripping = rover != nullptr && rover->gripping;
  const bool arm = task.id == "arm/move";
  return arm == gripping ? 0 : job.release;
}

}  // namespace

int main(int argc, char ** argv) {
  takt::init(argc, argv);

  takt::SchedulingExecutor executor({.policy = takt::urgency_policy("favour", favour)});
  std::string order;
  int rounds = 0;

  auto camera = std::make_shared<takt::Node>("camera");
  auto arm = std::make_shared<takt::Node>("arm");
  auto look = camera->create_timer("look", 10ms, [&] { order += "camera "; });
  auto move = arm->create_timer("move", 10ms, [&] { order += "arm "; });
  auto mission = std::make_shared<takt::Node>("mission");
  auto decide = mission->create_timer("decide", 40ms, {.phase = 5ms}, [&] {
    std::printf("%s: %s\n", rounds % 2 == 0 ? "driving " : "gripping", order.c_str());
    order.clear();
    if (++rounds == 6) executor.cancel();
    executor.set_state(takt::ApplicationState::of(Rover{rounds % 2 == 1}));
  });

  executor.add_node(camera);
  executor.add_node(arm);
  executor.add_node(mission);
  executor.spin();
  takt::shutdown();
}
