// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The sanitizers' negative control: faults that must be found, with all suppressions in force.
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

namespace {

int shared = 0;

// The compiler cannot see through this, so the faults stay faults when optimised.
template <typename T>
T hidden(T value) {
  volatile T kept = value;
  return kept;
}

void race() {
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
}

void overflow() {
  int * values = new int[4]();
  shared = values[hidden(4)];
  delete[] values;
}

void leak() { shared = *new int(hidden(1)); }

void undefined() { shared = hidden(std::numeric_limits<int>::max()) + hidden(1); }

}  // namespace

int main(int argc, char ** argv) {
  const std::string_view fault = argc > 1 ? argv[1] : "";
  if (fault == "race") race();
  if (fault == "overflow") overflow();
  if (fault == "leak") leak();
  if (fault == "undefined") undefined();
  return EXIT_SUCCESS;
}
