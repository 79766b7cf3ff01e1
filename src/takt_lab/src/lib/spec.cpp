// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "spec.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <takt_core/model/job.hpp>
#include <takt_core/model/setup.hpp>
#include <utility>

#include "error.hpp"
#include "grid.hpp"

namespace takt::lab {
namespace {

using Document = nlohmann::json;

/// A value of the document together with its path, so that every error names the key.
class Value {
 public:
  Value(const Document & json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string & what) const { throw Error(path_ + ": " + what); }

  Value at(const char * key) const {
    if (!json_.is_object()) fail("must be an object");
    const auto found = json_.find(key);
    if (found == json_.end()) fail(std::string("'") + key + "' is missing");
    return {*found, path_ + "." + key};
  }

  bool has(const char * key) const { return json_.is_object() && json_.contains(key); }

  std::vector<Value> items() const {
    if (!json_.is_array()) fail("must be a list");
    std::vector<Value> values;
    for (std::size_t i = 0; i < json_.size(); ++i) {
      values.emplace_back(json_[i], path_ + "[" + std::to_string(i) + "]");
    }
    return values;
  }

  std::string text() const {
    if (!json_.is_string() || json_.get_ref<const std::string &>().empty()) {
      fail("must be a non-empty string");
    }
    return json_.get<std::string>();
  }

  bool none() const { return json_.is_null(); }

  bool boolean() const {
    if (!json_.is_boolean()) fail("must be true or false");
    return json_.get<bool>();
  }

  /// Returns the value, which must be an integer within [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) const {
    const bool fits = json_.is_number_integer() &&
                      (!json_.is_number_unsigned() ||
                       json_.get<std::uint64_t>() <=
                           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    const std::int64_t value = fits ? json_.get<std::int64_t>() : 0;
    if (!fits || value < low || value > high) {
      fail("must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value;
  }

  /// Returns the value, which must be a number within [low, high].
  double number(double low, double high) const {
    const double value = json_.is_number() ? json_.get<double>() : low - 1;
    if (!(value >= low && value <= high)) {
      fail("must be a number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value;
  }

  /// Returns whether the value is the second of two permitted words.
  bool choice(const char * no, const char * yes) const {
    const std::string word = text();
    if (word != no && word != yes) {
      fail(std::string("must be '") + no + "' or '" + yes + "', not '" + word + "'");
    }
    return word == yes;
  }

 private:
  const Document & json_;
  std::string path_;
};

// Upper limits, which keep all sums of a run well within 64 bits.
constexpr std::int64_t longest = 1'000'000'000LL * 86'400 * 30;
constexpr std::int64_t largest_message = 1LL << 30;
constexpr std::int64_t deepest = 100'000;
constexpr std::int64_t most_processors = 1'000;
constexpr double heaviest = 1'000;

std::vector<std::uint32_t> topic_indices(const Value & value, std::size_t topics) {
  std::vector<std::uint32_t> indices;
  std::set<std::int64_t> seen;
  for (const Value & item : value.items()) {
    if (topics == 0) item.fail("names a topic, but the spec has none");
    const std::int64_t index = item.integer(0, static_cast<std::int64_t>(topics) - 1);
    if (!seen.insert(index).second) item.fail("names a topic a second time");
    indices.push_back(static_cast<std::uint32_t>(index));
  }
  return indices;
}

TopicSpec topic_from(const Value & value) {
  TopicSpec topic;
  topic.name = value.at("name").text();
  topic.size = static_cast<std::uint64_t>(value.at("size").integer(0, largest_message));
  topic.external = value.at("external").boolean();
  return topic;
}

CallbackSpec callback_from(const Value & value, const std::vector<TopicSpec> & topics) {
  CallbackSpec callback;
  callback.name = value.at("name").text();
  callback.period = value.at("period_ns").integer(1, longest);
  callback.phase = value.at("phase_ns").integer(0, longest);
  callback.deadline = value.at("deadline_ns").integer(1, longest);
  callback.priority = static_cast<int>(
      value.at("priority").integer(model::lowest_priority, model::highest_priority));
  callback.wcet = value.at("wcet_ns").integer(0, longest);
  callback.queue = static_cast<std::uint32_t>(value.at("queue").integer(0, deepest));
  if (callback.deadline > callback.period && callback.queue == 0) {
    value.at("deadline_ns").fail("is above period_ns, which needs queue above 0");
  }
  if (value.has("processor")) {
    callback.processor =
        static_cast<std::size_t>(value.at("processor").integer(0, most_processors));
  }
  callback.reads = topic_indices(value.at("reads"), topics.size());
  callback.publishes = topic_indices(value.at("publishes"), topics.size());
  for (const Value & item : value.at("max_age_ns").items()) {
    const std::int64_t age = item.integer(0, longest);
    callback.max_ages.push_back(age > 0 ? age : model::never);
  }
  if (callback.max_ages.size() != callback.reads.size()) {
    value.at("max_age_ns").fail("must have an entry for each of 'reads'");
  }
  if (!value.at("on_stale").none()) {
    callback.on_stale = value.at("on_stale").choice("report", "skip") ? model::OnStale::skip
                                                                      : model::OnStale::report;
  }
  callback.extra_releases = value.at("extra_releases").boolean();
  const std::int64_t budget = value.at("budget_ns").integer(0, longest);
  if (budget > 0) callback.budget = budget;
  const bool background = value.at("on_budget").choice("report", "background");
  if (background) callback.on_budget = model::OnBudget::background;
  for (const std::uint32_t topic : callback.publishes) {
    if (topics[topic].external) {
      value.at("publishes").fail("names the external topic '" + topics[topic].name + "'");
    }
  }
  return callback;
}

NodeSpec node_from(const Value & value, const std::vector<TopicSpec> & topics) {
  NodeSpec node;
  node.name = value.at("name").text();
  node.exclusive = !value.at("group").choice("exclusive", "reentrant");
  std::set<std::string> names;
  for (const Value & item : value.at("callbacks").items()) {
    node.callbacks.push_back(callback_from(item, topics));
    if (!names.insert(node.callbacks.back().name).second) {
      item.at("name").fail("'" + node.callbacks.back().name + "' is used twice in this node");
    }
  }
  return node;
}

OverloadSpec overload_from(const Value & value) {
  OverloadSpec overload;
  overload.from = value.at("from_ns").integer(0, longest);
  overload.to = value.at("to_ns").integer(overload.from, longest);
  overload.factor = value.at("factor").number(0, heaviest);
  return overload;
}

Spec spec_from(const Value & root) {
  root.at("schema_version").integer(1, 1);
  Spec spec;
  spec.name = root.at("name").text();
  spec.policy = root.at("policy").text();
  const Value qos = root.at("qos");
  spec.qos.reliable = qos.at("reliability").choice("best_effort", "reliable");
  spec.qos.depth = static_cast<std::uint32_t>(qos.at("depth").integer(1, deepest));
  std::set<std::string> names;
  for (const Value & item : root.at("topics").items()) {
    spec.topics.push_back(topic_from(item));
    if (!names.insert(spec.topics.back().name).second) {
      item.at("name").fail("'" + spec.topics.back().name + "' is used twice");
    }
  }
  names.clear();
  for (const Value & item : root.at("nodes").items()) {
    spec.nodes.push_back(node_from(item, spec.topics));
    if (!names.insert(spec.nodes.back().name).second) {
      item.at("name").fail("'" + spec.nodes.back().name + "' is used twice");
    }
  }
  if (root.has("overload")) spec.overload = overload_from(root.at("overload"));
  if (spec.tasks().empty()) root.at("nodes").fail("must hold at least one callback");
  try {
    model::Setup setup(model::make_policy("fp"));
    std::vector<model::GroupId> groups;
    for (const NodeSpec & node : spec.nodes) {
      groups.push_back(setup.add_group({.exclusive = node.exclusive}));
    }
    for (const Spec::Task & task : spec.tasks()) {
      setup.add_task({.id = task.id,
                      .period = 1,
                      .on_budget = task.callback->on_budget,
                      .group = groups[task.node],
                      .data = Spec::data_flow(*task.callback)});
    }
  } catch (const std::invalid_argument & error) {
    root.at("nodes").fail(error.what());
  }
  return spec;
}

}  // namespace

std::vector<Spec::Task> Spec::tasks() const {
  std::vector<Task> tasks;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    for (const CallbackSpec & callback : nodes[node].callbacks) {
      tasks.push_back({static_cast<std::uint32_t>(tasks.size()), node, &callback,
                       nodes[node].name + "/" + callback.name});
    }
  }
  return tasks;
}

model::Duration Spec::work(const CallbackSpec & callback, std::uint64_t index) const noexcept {
  if (index >= model::first_extra_job) return callback.wcet;
  const model::Duration release =
      callback.phase + static_cast<model::Duration>(index) * callback.period;
  if (release < overload.from || release >= overload.to) return callback.wcet;
  return std::llround(static_cast<double>(callback.wcet) * overload.factor);
}

model::DataFlow Spec::data_flow(const CallbackSpec & callback) {
  model::DataFlow data;
  for (std::size_t i = 0; i < callback.reads.size(); ++i) {
    data.inputs.push_back({.channel = callback.reads[i],
                           .max_age = callback.max_ages[i],
                           .on_stale = callback.on_stale.value_or(model::OnStale::report)});
  }
  data.outputs = callback.publishes;
  data.extra_releases = callback.extra_releases;
  return data;
}

std::uint64_t Spec::extra_jobs(const CallbackSpec & callback, model::Duration length) const {
  if (!callback.extra_releases) return 0;
  std::uint64_t jobs = 0;
  for (const Task & task : tasks()) {
    const CallbackSpec & reader = *task.callback;
    for (std::size_t i = 0; i < reader.reads.size(); ++i) {
      const auto & mine = callback.publishes;
      if (reader.max_ages[i] == model::never ||
          std::find(mine.begin(), mine.end(), reader.reads[i]) == mine.end()) {
        continue;
      }
      // Extra jobs of the reader need fresh data as well.
      jobs += TaskGrid(reader.phase, reader.period, length).count() + extra_jobs(reader, length);
    }
  }
  return jobs;
}

Spec parse_spec(const std::string & json, const std::string & where) {
  Document document;
  try {
    document = Document::parse(json);
  } catch (const Document::parse_error & error) {
    throw Error(where + ": is not JSON (at byte " + std::to_string(error.byte) + ")");
  }
  return spec_from({document, where + ": spec"});
}

Spec read_spec(const std::string & path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path + ": cannot be read: " + std::strerror(errno));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parse_spec(text, path);
}

}  // namespace takt::lab
