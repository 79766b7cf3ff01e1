// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "interference_scene.hpp"

namespace takt::lab {

/// Creates the scene of make_takt_scene() with rclcpp nodes, under takt's executor for them. Throws Error if
/// this program was built without rclcpp.
std::unique_ptr<InterferenceScene> make_rclcpp_scene(const Interference & interference, int cpu,
                                                     ProbeNotes & notes);

}  // namespace takt::lab
