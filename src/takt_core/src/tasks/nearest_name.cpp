// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/nearest_name.hpp"

#include <algorithm>
#include <cstddef>

namespace takt::tasks {
namespace {

/// The Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements
/// and swaps of neighbouring letters.
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t & {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1,
                           at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

/// Whether `wanted` is the beginning of the name.
bool begins_as(std::string_view wanted, std::string_view name) {
  constexpr std::size_t enough = 4;
  return wanted.size() >= enough && name.starts_with(wanted);
}

}  // namespace

std::string nearest_name(std::string_view wanted, const std::vector<std::string> & names) {
  const std::size_t most = std::max<std::size_t>(1, wanted.size() / 4);
  std::string nearest;
  std::size_t least = most + 1;
  for (const std::string & name : names) {
    const std::size_t letters = begins_as(wanted, name) ? 1 : distance(wanted, name);
    if (letters >= least) continue;
    least = letters;
    nearest = name;
  }
  return nearest;
}

std::string nearest_ros_argument(std::string_view wanted) {
  return nearest_name(wanted,
                      {"--ros-args", "--param", "--params-file", "--remap", "--log-level",
                       "--log-file-name", "--log-config-file", "--enclave", "--enable-rosout-logs",
                       "--disable-rosout-logs", "--enable-stdout-logs", "--disable-stdout-logs",
                       "--enable-external-lib-logs", "--disable-external-lib-logs"});
}

}  // namespace takt::tasks
