// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A node with parameters of every type. Prints their values at the start, and what is set later.

#include <memory>
#include <string>
#include <takt/takt.hpp>
#include <vector>

#include "programs.hpp"
#include "ready.hpp"

void programs::parameters(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("parameters");

  takt::ParameterDescriptor range;
  range.description = "how strongly it pulls";
  range.floating_point_range.resize(1);
  range.floating_point_range[0].to_value = 10.0;
  takt::ParameterDescriptor read_only;
  read_only.read_only = true;
  takt::ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;

  node->declare_parameter("pid.gain", 0.5, range);
  node->declare_parameter("serial", 17, read_only);
  node->declare_parameter("name", "robot");
  node->declare_parameter("any", 1, dynamic);
  node->declare_parameter("bytes", std::vector<std::uint8_t>{1, 2});
  node->declare_parameter("flags", std::vector<bool>{true, false});
  node->declare_parameter("numbers", std::vector<int>{1, 2, 3});
  node->declare_parameter("limits", std::vector<double>{0.5});
  node->declare_parameter("names", std::vector<std::string>{"a", "b"});

  const auto refuse_five = node->add_on_set_parameters_callback([](const auto & parameters) {
    takt::SetParametersResult result;
    result.successful = true;
    for (const takt::Parameter & parameter : parameters) {
      if (parameter.get_name() != "pid.gain" || parameter.as_double() != 5.0) continue;
      result.successful = false;
      result.reason = "not five";
    }
    return result;
  });
  const auto tell = node->add_post_set_parameters_callback([](const auto & parameters) {
    for (const takt::Parameter & parameter : parameters) {
      say("set %s %s", parameter.get_name().c_str(), parameter.value_to_string().c_str());
    }
  });
  for (const auto * name : {"pid.gain", "name", "numbers"}) {
    say("start %s %s", name, node->get_parameter(name).value_to_string().c_str());
  }
  spin_ready(node);
}
