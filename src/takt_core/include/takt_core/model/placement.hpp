// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace takt::model {

/// A task that needs a processor. What is viewed must live as long as this.
struct Placeable {
  static constexpr std::size_t anywhere = std::numeric_limits<std::size_t>::max();

  std::string_view id;
  /// The share of a processor that it needs: execution time by period, at least 0; 0 for not known.
  double utilisation = 0;
  /// The one processor it may be on, counted from 0.
  std::size_t processor = anywhere;
};

/// Two tasks, by their places in the list, that belong on one processor.
struct Bond {
  std::size_t a = 0;
  std::size_t b = 0;
  /// For people, after "'a' and 'b'".
  std::string_view why = "exclude each other";
  /// Whether they must; else they are where nothing that must be keeps them apart.
  bool required = true;
};

/// Which task is where.
struct Placement {
  std::vector<std::size_t> processor;  ///< of each task
  std::vector<double> utilisation;     ///< of each processor: the sum of its tasks'
};

/// Partitions tasks over processors by worst fit, decreasing: tasks that bonds hold together are one
/// piece; pieces with a task that has its processor go there; the others, the largest first, each to
/// where there is most room: the least utilisation, then the fewest tasks, then the lowest number.
/// The same lists give the same placement. Whether a processor can hold
/// what it gets is not asked. Allocates, O(n log n); throws std::invalid_argument with one line for
/// a processor that there is not, for tasks of one piece that have different ones, and for a
/// utilisation below 0 or not finite.
Placement place(const std::vector<Placeable> & tasks, const std::vector<Bond> & bonds,
                std::size_t processors);

}  // namespace takt::model
