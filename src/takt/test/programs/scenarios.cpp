// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Two scenarios, `drive` and `dock`, from the file that the parameter `scheduling_strategy` names.
// Prints the deadline of its timer `work`, in ms, whenever it changes.

#include <chrono>
#include <memory>
#include <takt/takt.hpp>
#include <utility>

#include "programs.hpp"
#include "ready.hpp"

using namespace std::chrono_literals;

void programs::scenarios(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("robot");
  long before = 0;
  const auto timer = node->create_timer("work", 20ms, [&](const takt::JobInfo & job) {
    const long deadline = static_cast<long>((job.deadline - job.release) / 1'000'000);
    if (deadline != std::exchange(before, deadline)) say("deadline %ld", deadline);
  });
  spin_ready(node);
}
