// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

// All of takt's front end.
#include "takt/callback.hpp"
#include "takt/callback_group.hpp"
#include "takt/clock.hpp"
#include "takt/context.hpp"
#include "takt/event.hpp"
#include "takt/exceptions.hpp"
#include "takt/job.hpp"
#include "takt/loaned_message.hpp"
#include "takt/logging.hpp"
#include "takt/message_info.hpp"
#include "takt/node.hpp"
#include "takt/node_options.hpp"
#include "takt/policy.hpp"
#include "takt/publisher.hpp"
#include "takt/qos.hpp"
#include "takt/scheduling_executor.hpp"
#include "takt/stock_executor.hpp"
#include "takt/subscription.hpp"
#include "takt/time.hpp"
#include "takt/timer.hpp"
