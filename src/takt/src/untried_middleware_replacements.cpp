// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The name of the middleware in the program of untried_middleware_test.
#include <rmw/rmw.h>

extern "C" [[gnu::visibility("default")]] const char * rmw_get_implementation_identifier() {
  return "rmw_zenoh_cpp";
}
