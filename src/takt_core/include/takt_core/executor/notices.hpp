// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/executor/ids.hpp"
#include "takt_core/model/scheduler.hpp"

namespace takt::executor {

// What handlers are told: as the model says it, of the executor's task.
using Miss = model::MissOf<TaskId>;
using Overrun = model::OverrunOf<TaskId>;
using Exhaustion = model::ExhaustionOf<TaskId>;

}  // namespace takt::executor
