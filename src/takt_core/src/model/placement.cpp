// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/placement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace takt::model {
namespace {

constexpr std::size_t anywhere = Placeable::anywhere;
constexpr std::size_t nobody = anywhere;

std::string quoted(std::string_view id) {
  return "'" + std::string(id) + "'";
}

/// The number as text, with a decimal point whatever the locale.
std::string decimal(double number) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return std::string(text.data(), written.ptr);
}

void check(const Placeable & task, std::size_t processors) {
  if (!std::isfinite(task.utilisation) || task.utilisation < 0) {
    throw std::invalid_argument("task " + quoted(task.id) + ": utilisation " +
                                decimal(task.utilisation) + " is not 0 or above");
  }
  if (task.processor == anywhere || task.processor < processors) return;
  const std::string last = processors > 1 ? " to " + std::to_string(processors - 1) : "";
  throw std::invalid_argument("task " + quoted(task.id) + " is placed on processor " +
                              std::to_string(task.processor) + ", and there is only 0" + last);
}

/// The pieces, that is, sets of tasks held together by bonds: a union-find structure (disjoint
/// sets).
class Pieces {
 public:
  explicit Pieces(const std::vector<Placeable> & tasks)
      : tasks_(tasks), parent_(tasks.size()), placed_(tasks.size(), nobody) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].processor != anywhere) placed_[i] = i;
    }
  }

  /// The representative of the task's piece.
  std::size_t of(std::size_t task) noexcept {
    while (parent_[task] != task) task = parent_[task] = parent_[parent_[task]];
    return task;
  }

  void join(const Bond & bond) {
    const std::size_t a = of(bond.a);
    const std::size_t b = of(bond.b);
    if (a == b) return;
    const std::size_t x = placed_[a];
    const std::size_t y = placed_[b];
    if (x != nobody && y != nobody && tasks_[x].processor != tasks_[y].processor) {
      if (!bond.required) return;
      throw std::invalid_argument(split(bond, x, y));
    }
    const std::size_t first = std::min(a, b);
    parent_[std::max(a, b)] = first;
    placed_[first] = x != nobody ? x : y;
  }

  std::size_t processor(std::size_t piece) const noexcept {
    const std::size_t placed = placed_[piece];
    return placed == nobody ? anywhere : tasks_[placed].processor;
  }

 private:
  /// The error text for a bond between pieces that are bound to different processors: `x` and `y`
  /// are the tasks with a processor in the pieces of the bond's first and second task.
  std::string split(const Bond & bond, std::size_t x, std::size_t y) const {
    const auto where = [this](std::size_t task, std::size_t placed) {
      const bool itself = tasks_[task].processor != anywhere;
      return quoted(tasks_[task].id) +
             (itself ? " is" : " belongs with " + quoted(tasks_[placed].id) + ", which is") +
             " on processor " + std::to_string(tasks_[placed].processor);
    };
    return quoted(tasks_[bond.a].id) + " and " + quoted(tasks_[bond.b].id) + " " +
           std::string(bond.why) + ", so they must be on one processor, but " + where(bond.a, x) +
           ", and " + where(bond.b, y);
  }

  const std::vector<Placeable> & tasks_;
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> placed_;  // indexed by piece: a task of it that is bound to a processor
};

/// The processor with the least utilisation, then the fewest tasks, then the lowest number.
std::size_t most_room(const std::vector<double> & utilisation,
                      const std::vector<std::size_t> & tasks) noexcept {
  std::size_t best = 0;
  for (std::size_t i = 1; i < utilisation.size(); ++i) {
    const bool less = utilisation[i] < utilisation[best];
    if (less || (utilisation[i] == utilisation[best] && tasks[i] < tasks[best])) best = i;
  }
  return best;
}

}  // namespace

Placement place(const std::vector<Placeable> & tasks, const std::vector<Bond> & bonds,
                std::size_t processors) {
  if (processors == 0) throw std::invalid_argument("there is no processor to place tasks on");
  for (const Placeable & task : tasks) check(task, processors);
  Pieces pieces(tasks);
  for (const bool required : {true, false}) {
    for (const Bond & bond : bonds) {
      if (bond.required == required) pieces.join(bond);
    }
  }

  std::vector<double> load(tasks.size(), 0);  // indexed by piece
  std::vector<std::size_t> size(tasks.size(), 0);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    load[pieces.of(i)] += tasks[i].utilisation;
    ++size[pieces.of(i)];
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (size[i] > 0) order.push_back(i);
  }
  // First the pieces that are bound to a processor: the others fill up what they leave.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool has_a = pieces.processor(a) != anywhere;
    const bool has_b = pieces.processor(b) != anywhere;
    if (has_a != has_b) return has_a;
    return load[a] != load[b] ? load[a] > load[b] : a < b;
  });

  Placement placement{std::vector<std::size_t>(tasks.size(), 0),
                      std::vector<double>(processors, 0)};
  std::vector<std::size_t> counts(processors, 0);
  for (const std::size_t piece : order) {
    std::size_t on = pieces.processor(piece);
    if (on == anywhere) on = most_room(placement.utilisation, counts);
    placement.processor[piece] = on;
    placement.utilisation[on] += load[piece];
    counts[on] += size[piece];
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    placement.processor[i] = placement.processor[pieces.of(i)];
  }
  return placement;
}

}  // namespace takt::model
