// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/task.hpp"

namespace takt::model {

const char * to_string(TaskKind kind) noexcept {
  switch (kind) {
    case TaskKind::timer:
      return "timer";
    case TaskKind::subscription:
      return "subscription";
    case TaskKind::service:
      return "service";
    case TaskKind::client:
      return "client";
    case TaskKind::other:
      break;
  }
  return "other";
}

}  // namespace takt::model
