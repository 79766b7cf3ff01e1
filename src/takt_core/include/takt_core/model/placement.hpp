// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace takt::model {

/// A task to be placed on a processor. The text that `id` views must outlive this object.
struct Placeable {
  static constexpr std::size_t anywhere = std::numeric_limits<std::size_t>::max();

  std::string_view id;
  /// The share of a processor that it needs: execution time divided by period, at least 0; 0 if not
  /// known.
  double utilisation = 0;
  /// The index of the processor it must be on; `anywhere` for any.
  std::size_t processor = anywhere;
};

/// Two tasks, by their indices in the list, that belong on the same processor.
struct Bond {
  std::size_t a = 0;
  std::size_t b = 0;
  /// The reason, for error texts: follows "'a' and 'b'".
  std::string_view why = "exclude each other";
  /// Whether being on the same processor is required. Otherwise the bond holds only if no required
  /// placement separates them.
  bool required = true;
};

/// The result of place().
struct Placement {
  std::vector<std::size_t> processor;  ///< indexed by task
  std::vector<double> utilisation;     ///< indexed by processor: the sum over its tasks
};

/// Partitions tasks over processors by worst-fit decreasing: tasks held together by bonds form one
/// piece; pieces with a task bound to a processor go there; the others, in order of decreasing
/// utilisation, go where there is most room: to the processor with the least utilisation, then the
/// fewest tasks, then the lowest number. Equal lists give equal placements. Does not check whether
/// a processor can hold its tasks. O(n log n); allocates. Throws std::invalid_argument, with one
/// line, for a processor that does not exist, for tasks of one piece that are bound to different
/// processors, and for a utilisation that is negative or not finite.
Placement place(const std::vector<Placeable> & tasks, const std::vector<Bond> & bonds,
                std::size_t processors);

}  // namespace takt::model
