// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/executor/ids.hpp"
#include "takt_core/model/scheduler.hpp"

namespace takt::executor {

// The arguments of Handlers: the model's structures, with the executor's task number.
using Miss = model::MissOf<TaskId>;
using Overrun = model::OverrunOf<TaskId>;
using Exhaustion = model::ExhaustionOf<TaskId>;

}  // namespace takt::executor
