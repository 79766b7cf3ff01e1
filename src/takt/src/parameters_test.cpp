// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

namespace takt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

/// Parameters with the functions that a node uses made public.
class Store : public Parameters {
 public:
  using Parameters::allow_undeclared;
  using Parameters::Event;
  using Parameters::set_event_listener;
  using Parameters::set_overrides;
};

SetParametersResult verdict(bool successful, const std::string & reason = "") {
  SetParametersResult result;
  result.successful = successful;
  result.reason = reason;
  return result;
}

ParameterDescriptor dynamic() {
  ParameterDescriptor descriptor;
  descriptor.dynamic_typing = true;
  return descriptor;
}

ParameterDescriptor read_only() {
  ParameterDescriptor descriptor;
  descriptor.read_only = true;
  return descriptor;
}

ParameterDescriptor integer_range(std::int64_t from, std::int64_t to, std::uint64_t step) {
  ParameterDescriptor descriptor;
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = from;
  descriptor.integer_range[0].to_value = to;
  descriptor.integer_range[0].step = step;
  return descriptor;
}

ParameterDescriptor double_range(double from, double to, double step) {
  ParameterDescriptor descriptor;
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = from;
  descriptor.floating_point_range[0].to_value = to;
  descriptor.floating_point_range[0].step = step;
  return descriptor;
}

TEST(ParametersTest, DeclaringReturnsTheDefaultOrWhatWasGivenFromOutside) {
  Store store;
  store.set_overrides({{"given", ParameterValue(5)}, {"text", ParameterValue("outside")}});
  EXPECT_EQ(store.declare_parameter("own", 1.5), 1.5);
  EXPECT_EQ(store.declare_parameter("given", 1), 5);
  EXPECT_EQ(store.declare_parameter("text", "inside"), "outside");
  EXPECT_EQ(store.declare_parameter<std::uint8_t>("byte", 7), 7);
  EXPECT_EQ(store.get_parameter("given").as_int(), 5);

  Store ignoring;
  ignoring.set_overrides({{"given", ParameterValue(5)}});
  EXPECT_EQ(ignoring.declare_parameter("given", 1, ParameterDescriptor(), true), 1);
}

TEST(ParametersTest, WhatCannotBeDeclared) {
  Store store;
  store.set_overrides({{"gain", ParameterValue(1)}, {"high", ParameterValue(11)}});
  store.declare_parameter("x", 1);
  EXPECT_THROW(store.declare_parameter("x", 1), ParameterAlreadyDeclared);
  EXPECT_THROW(store.declare_parameter("", 1), InvalidParameters);
  EXPECT_THAT([&] { store.declare_parameter("gain", 0.5); },
              ThrowsMessage<InvalidParameterType>(HasSubstr("'gain' is of type double")));
  EXPECT_THROW(store.declare_parameter("high", 1, integer_range(0, 10, 0)), InvalidParameterValue);
  EXPECT_THROW(store.declare_parameter("none", ParameterValue()), InvalidParameterType);
  EXPECT_FALSE(store.has_parameter("gain"));
  EXPECT_FALSE(store.has_parameter("high"));
  EXPECT_FALSE(store.has_parameter("none"));
}

TEST(ParametersTest, DeclaredWithATypeAloneItMustBeGivenAValue) {
  Store store;
  store.set_overrides({{"given", ParameterValue(5)}});
  EXPECT_EQ(store.declare_parameter<int>("given"), 5);
  EXPECT_THROW(store.declare_parameter<int>("missing"), ParameterUninitialized);
  store.declare_parameter("later", PARAMETER_STRING);
  EXPECT_TRUE(store.has_parameter("later"));
  EXPECT_THROW(static_cast<void>(store.get_parameter("later")), ParameterUninitialized);
  EXPECT_EQ(store.get_parameter_or("later", std::string("instead")), "instead");
  EXPECT_FALSE(store.set_parameter(Parameter("later", 1)).successful);
  EXPECT_TRUE(store.set_parameter(Parameter("later", "now")).successful);
  EXPECT_EQ(store.get_parameter("later").as_string(), "now");
}

TEST(ParametersTest, UndeclaredOnesThrowUnlessTheyAreAllowed) {
  Store store;
  EXPECT_THROW(store.set_parameter(Parameter("x", 1)), ParameterNotDeclared);
  EXPECT_THROW(static_cast<void>(store.get_parameter("x")), ParameterNotDeclared);
  EXPECT_THROW(static_cast<void>(store.describe_parameter("x")), ParameterNotDeclared);
  EXPECT_THROW(static_cast<void>(store.get_parameter_types({"x"})), ParameterNotDeclared);
  EXPECT_THROW(store.undeclare_parameter("x"), ParameterNotDeclared);
  int value = 3;
  EXPECT_FALSE(store.get_parameter("x", value));
  EXPECT_EQ(value, 3);

  store.allow_undeclared(true);
  EXPECT_EQ(store.get_parameter("x").get_type(), PARAMETER_NOT_SET);
  EXPECT_THAT(store.get_parameter_types({"x"}), ElementsAre(PARAMETER_NOT_SET));
  EXPECT_TRUE(store.set_parameter(Parameter("x", 1)).successful);
  EXPECT_TRUE(store.set_parameter(Parameter("x", "may change its type")).successful);
  EXPECT_TRUE(store.describe_parameter("x").dynamic_typing);
  EXPECT_TRUE(store.set_parameter(Parameter("x")).successful);
  EXPECT_FALSE(store.has_parameter("x"));
}

TEST(ParametersTest, TypesReadOnlyAndUndeclaring) {
  Store store;
  store.declare_parameter("fixed", 1);
  store.declare_parameter("any", 1, dynamic());
  store.declare_parameter("constant", 1, read_only());
  EXPECT_FALSE(store.set_parameter(Parameter("fixed", "text")).successful);
  EXPECT_FALSE(store.set_parameter(Parameter("fixed")).successful);
  EXPECT_TRUE(store.set_parameter(Parameter("any", "text")).successful);
  EXPECT_THAT(store.set_parameter(Parameter("constant", 2)).reason, HasSubstr("read-only"));
  EXPECT_THROW(store.undeclare_parameter("fixed"), ParameterImmutable);
  EXPECT_THROW(store.undeclare_parameter("constant"), ParameterImmutable);
  store.undeclare_parameter("any");
  EXPECT_FALSE(store.has_parameter("any"));
}

TEST(ParametersTest, IntegerRanges) {
  struct Case {
    std::int64_t from, to;
    std::uint64_t step;
    std::int64_t value;
    bool within;
  };
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (const Case & c : std::vector<Case>{{0, 10, 0, 5, true},
                                          {0, 10, 0, 11, false},
                                          {0, 10, 0, -1, false},
                                          {2, 9, 3, 5, true},
                                          {2, 9, 3, 6, false},
                                          {2, 9, 3, 9, true},  // the end of the range is permitted
                                          {0, 10, 100, 5, false},
                                          {least, most, 2, most - 1, true},
                                          {least, most, 2, 1, false},
                                          {least, most, 0, 1, true}}) {
    Store store;
    store.declare_parameter("x", c.from, integer_range(c.from, c.to, c.step));
    EXPECT_EQ(store.set_parameter(Parameter("x", c.value)).successful, c.within)
        << c.from << " " << c.to << " " << c.step << " " << c.value;
  }
}

TEST(ParametersTest, FloatingPointRanges) {
  struct Case {
    double from, to, step, value;
    bool within;
  };
  for (const Case & c : std::vector<Case>{{0, 1, 0, 0.3, true},
                                          {0, 1, 0, 1.0001, false},
                                          {0, 1, 0.1, 0.3, true},  // 3 * 0.1 is not 0.3
                                          {0, 1, 0.1, 0.35, false},
                                          {0, 1, 0.3, 1, true},
                                          {0, 1, -0.5, 0.5, true},
                                          {-1, 1, 0, std::nan(""), false},
                                          {-1, 1, 0, INFINITY, false}}) {
    Store store;
    store.declare_parameter("x", c.from, double_range(c.from, c.to, c.step));
    EXPECT_EQ(store.set_parameter(Parameter("x", c.value)).successful, c.within)
        << c.from << " " << c.to << " " << c.step << " " << c.value;
  }
}

TEST(ParametersTest, AtomicallyMeansAllOrNone) {
  Store store;
  store.declare_parameter("a", 1);
  store.declare_parameter("b", 1);
  EXPECT_FALSE(
      store.set_parameters_atomically({Parameter("a", 2), Parameter("b", "wrong")}).successful);
  EXPECT_THROW(store.set_parameters_atomically({Parameter("a", 2), Parameter("c", 2)}),
               ParameterNotDeclared);
  EXPECT_EQ(store.get_parameter("a").as_int(), 1);
  EXPECT_TRUE(store.set_parameters_atomically({Parameter("a", 2), Parameter("b", 3)}).successful);
  EXPECT_EQ(store.get_parameter("b").as_int(), 3);
  const auto results = store.set_parameters({Parameter("a", 4), Parameter("b", "wrong")});
  EXPECT_TRUE(results[0].successful);
  EXPECT_FALSE(results[1].successful);
  EXPECT_EQ(store.get_parameter("a").as_int(), 4);
}

TEST(ParametersTest, CallbacksAreAskedTheLastAddedFirst) {
  Store store;
  store.declare_parameter("x", 1);
  std::string order;
  const auto pre = store.add_pre_set_parameters_callback([&](std::vector<Parameter> & parameters) {
    order += "pre ";
    parameters.emplace_back("y", 7);
  });
  store.declare_parameter("y", 1);  // declaring does not call pre-set callbacks
  const auto first = store.add_on_set_parameters_callback([&](const auto & parameters) {
    order += "first ";
    return verdict(parameters.front().as_int() != 13, "13 brings bad luck");
  });
  auto second = store.add_on_set_parameters_callback([&](const auto & parameters) {
    order += "second(" + std::to_string(parameters.size()) + ") ";
    return verdict(true);
  });
  const auto post = store.add_post_set_parameters_callback([&](const auto & parameters) {
    order += "post ";
    EXPECT_EQ(store.get_parameter("x"), parameters.front());  // reading is allowed in a callback
  });

  EXPECT_TRUE(store.set_parameter(Parameter("x", 2)).successful);
  EXPECT_EQ(order, "pre second(2) first post ");
  EXPECT_EQ(store.get_parameter("y").as_int(), 7);
  order.clear();
  EXPECT_EQ(store.set_parameter(Parameter("x", 13)).reason, "13 brings bad luck");
  EXPECT_EQ(order, "pre second(2) first ");
  EXPECT_EQ(store.get_parameter("x").as_int(), 2);
  second.reset();
  order.clear();
  store.set_parameter(Parameter("x", 3));
  EXPECT_EQ(order, "pre first post ");
  EXPECT_THROW(store.declare_parameter("z", 13), InvalidParameterValue);
}

TEST(ParametersTest, ACallbackMustNotChangeParametersButMayLetGoOfItself) {
  Store store;
  store.declare_parameter("x", 1);
  store.declare_parameter("y", 1);
  Parameters::Handle handle;
  int calls = 0;
  handle = store.add_on_set_parameters_callback([&](const auto &) {
    ++calls;
    EXPECT_THROW(store.set_parameter(Parameter("y", 2)), ParameterModifiedInCallback);
    EXPECT_THROW(store.declare_parameter("z", 2), ParameterModifiedInCallback);
    EXPECT_THROW(static_cast<void>(store.add_post_set_parameters_callback([](const auto &) {})),
                 ParameterModifiedInCallback);
    EXPECT_EQ(store.get_parameter("x").as_int(), 1);
    handle.reset();
    return verdict(true);
  });
  EXPECT_TRUE(store.set_parameter(Parameter("x", 2)).successful);
  EXPECT_TRUE(store.set_parameter(Parameter("x", 3)).successful);
  EXPECT_EQ(calls, 1);
}

TEST(ParametersTest, AnExceptionOfACallbackChangesNothing) {
  Store store;
  store.declare_parameter("x", 1);
  auto handle = store.add_on_set_parameters_callback(
      [](const auto &) -> SetParametersResult { throw std::runtime_error("no"); });
  EXPECT_THROW(store.set_parameter(Parameter("x", 2)), std::runtime_error);
  EXPECT_EQ(store.get_parameter("x").as_int(), 1);
  handle.reset();
  EXPECT_TRUE(store.set_parameter(Parameter("x", 2)).successful);
}

TEST(ParametersTest, AHandleMayOutliveTheParameters) {
  Parameters::Handle handle;
  {
    Store store;
    handle = store.add_post_set_parameters_callback([](const auto &) {});
  }
  handle.reset();
}

TEST(ParametersTest, ListingByPrefixAndDepth) {
  Store store;
  for (const auto * name : {"a", "b.c", "b.d.e", "b.d.f.g", "bc.x"})
    store.declare_parameter(name, 1);
  EXPECT_THAT(store.list_parameters({}, 0).names,
              ElementsAre("a", "b.c", "b.d.e", "b.d.f.g", "bc.x"));
  EXPECT_THAT(store.list_parameters({}, 0).prefixes, ElementsAre("b", "b.d", "b.d.f", "bc"));
  EXPECT_THAT(store.list_parameters({}, 1).names, ElementsAre("a"));
  EXPECT_THAT(store.list_parameters({}, 2).names, ElementsAre("a", "b.c", "bc.x"));
  EXPECT_THAT(store.list_parameters({"b"}, 0).names, ElementsAre("b.c", "b.d.e", "b.d.f.g"));
  EXPECT_THAT(store.list_parameters({"b"}, 1).names, ElementsAre("b.c"));
  EXPECT_THAT(store.list_parameters({"b.d", "a"}, 1).names, ElementsAre("a", "b.d.e"));
  EXPECT_THAT(store.list_parameters({"none"}, 0).names, IsEmpty());

  std::map<std::string, int> values;
  EXPECT_TRUE(store.get_parameters("b.d", values));
  EXPECT_EQ(values, (std::map<std::string, int>{{"e", 1}, {"f.g", 1}}));
  EXPECT_FALSE(store.get_parameters("none", values));
}

/// The same random operations on the store and on a plain map must give the same values, and so
/// must the events when they are applied to a third copy.
TEST(ParametersTest, RandomOperationsAgreeWithAPlainMap) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };

  Store store;
  std::map<std::string, ParameterValue> expected;
  std::map<std::string, ParameterValue> from_events;
  std::set<std::string> dynamic_ones;
  store.set_event_listener([&](Store::Event & event) {
    for (const auto & p : event.new_parameters) {
      EXPECT_TRUE(from_events.emplace(p.name, ParameterValue(p.value)).second) << p.name;
    }
    for (const auto & p : event.changed_parameters)
      from_events.at(p.name) = ParameterValue(p.value);
    for (const auto & p : event.deleted_parameters) EXPECT_EQ(from_events.erase(p.name), 1U);
  });
  const auto any_name = [&] { return std::string(1, static_cast<char>('a' + below(6))); };
  const auto any_value = [&] {
    return below(2) == 0 ? ParameterValue(below(100)) : ParameterValue(std::to_string(below(100)));
  };

  for (int i = 0; i < 20'000; ++i) {
    const std::string name = any_name();
    switch (below(4)) {
      case 0: {
        const ParameterValue value = any_value();
        const bool is_dynamic = below(2) == 0;
        if (expected.contains(name)) {
          ASSERT_THROW(store.declare_parameter(name, value), ParameterAlreadyDeclared);
        } else {
          store.declare_parameter(name, value, is_dynamic ? dynamic() : ParameterDescriptor());
          expected[name] = value;
          if (is_dynamic) dynamic_ones.insert(name);
        }
        break;
      }
      case 1: {
        if (!expected.contains(name)) {
          ASSERT_THROW(store.undeclare_parameter(name), ParameterNotDeclared);
        } else if (!dynamic_ones.contains(name)) {
          ASSERT_THROW(store.undeclare_parameter(name), ParameterImmutable);
        } else {
          store.undeclare_parameter(name);
          expected.erase(name);
          dynamic_ones.erase(name);
        }
        break;
      }
      default: {
        std::map<std::string, ParameterValue> wanted;
        std::vector<Parameter> list;
        for (int n = 1 + below(3); n > 0; --n) {
          const std::string one = any_name();
          if (!wanted.emplace(one, any_value()).second) continue;
          list.emplace_back(one, wanted.at(one));
        }
        const auto declared = [&](const Parameter & p) { return expected.contains(p.get_name()); };
        const auto allowed = [&](const Parameter & p) {
          return dynamic_ones.contains(p.get_name()) ||
                 expected.at(p.get_name()).get_type() == p.get_type();
        };
        if (!std::all_of(list.begin(), list.end(), declared)) {
          ASSERT_THROW(store.set_parameters_atomically(list), ParameterNotDeclared);
          break;
        }
        const bool all_allowed = std::all_of(list.begin(), list.end(), allowed);
        ASSERT_EQ(store.set_parameters_atomically(list).successful, all_allowed);
        if (all_allowed) {
          for (const auto & [key, value] : wanted) expected[key] = value;
        }
      }
    }
    ASSERT_EQ(store.list_parameters({}, 0).names.size(), expected.size());
    for (const auto & [key, value] : expected) {
      ASSERT_EQ(store.get_parameter(key).get_parameter_value(), value);
    }
    ASSERT_EQ(from_events, expected);
  }
}

TEST(ParametersTest, ThreadsSeeOnlyWholeChanges) {
  Store store;
  store.declare_parameter("a", 0);
  store.declare_parameter("b", 0);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 1; !stop; ++i) {
      store.set_parameters_atomically({Parameter("a", i), Parameter("b", i)});
    }
  });
  for (int i = 0; i < 2000; ++i) {
    std::map<std::string, int> values;
    store.get_parameters("", values);
    ASSERT_EQ(values.at("a"), values.at("b"));
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace takt
