// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A user-defined scheduling policy, without changes to takt's code.
//
// A rover has a camera and an arm. While it drives, the camera is more urgent; while it grips, the arm.
// The policy is given in one of two equivalent forms:
//   user_policy urgency       a function of the job and of a versioned snapshot of the application's
//                             state; pending jobs are ranked again for each new snapshot
//   user_policy comparator    a function that says which of two pending jobs is more urgent (the form
//                             of the thesis)
// Both run non-preemptively, because they declare no preemption levels.

#include <atomic>
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

/// Returns the urgency of a job; a smaller number is more urgent.
takt::Urgency favour(const takt::Task & task, const takt::Job & job,
                     const takt::ApplicationState & state) {
  const Rover * rover = state.get<Rover>();
  const bool gripping = rover != nullptr && rover->gripping;
  return (task.id == "arm/move") == gripping ? 0 : job.release;
}

/// The state that the comparator uses. Atomic, because the executor's threads call the comparator.
std::atomic<bool> arm_first = false;

bool goes_before(const takt::Job & a, const takt::Task & task_a, const takt::Job & b,
                 const takt::Task & task_b) {
  if (a.release != b.release) return a.release < b.release;
  const char * favourite = arm_first ? "arm/move" : "camera/look";
  return task_a.id == favourite && task_b.id != favourite;
}

}  // namespace

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  const auto arguments = takt::remove_ros_arguments(argc, argv);
  const std::string form = arguments.size() > 1 ? arguments[1] : "urgency";

  takt::SchedulingExecutor executor;
  if (form == "urgency") {
    executor.set_scheduling_policy(takt::urgency_policy("favour", favour));
  } else if (form == "comparator") {
    executor.set_scheduling_policy_function(goes_before);
  } else {
    std::fprintf(stderr, "user_policy: unknown form '%s': use urgency or comparator\n",
                 form.c_str());
    return 2;
  }

  auto camera = std::make_shared<takt::Node>("camera");
  auto arm = std::make_shared<takt::Node>("arm");
  auto mission = std::make_shared<takt::Node>("mission");
  std::string order;
  auto look = camera->create_timer("look", 10ms, [&] { order += " camera"; });
  auto move = arm->create_timer("move", 10ms, [&] { order += " arm"; });
  int rounds = 0;
  auto decide = mission->create_timer("decide", 40ms, {.phase = 35ms}, [&] {
    const bool gripping = rounds % 2 == 1;
    std::printf("%s:%s\n", gripping ? "gripping" : "driving ", order.c_str());
    order.clear();
    if (++rounds == 6) return executor.cancel();
    arm_first = !gripping;
    executor.set_state(Rover{!gripping});
  });

  executor.add_node(camera);
  executor.add_node(arm);
  executor.add_node(mission);
  executor.spin();
  takt::shutdown();
}
