// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Setting a callback of the middleware announces nothing in the program of listening_test.
#include <rcl/client.h>
#include <rcl/service.h>
#include <rcl/subscription.h>

#include "takt_core/tasks/testing/silent_listening.hpp"

TAKT_LISTEN_SILENTLY(rcl_subscription_set_on_new_message_callback, rcl_subscription_t)
TAKT_LISTEN_SILENTLY(rcl_service_set_on_new_request_callback, rcl_service_t)
TAKT_LISTEN_SILENTLY(rcl_client_set_on_new_response_callback, rcl_client_t)
