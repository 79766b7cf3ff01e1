// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/parameter.hpp"

namespace takt {

rcl_interfaces::msg::Parameter Parameter::to_parameter_msg() const {
  rcl_interfaces::msg::Parameter message;
  message.name = name_;
  message.value = value_.to_message();
  return message;
}

}  // namespace takt
