// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Parameter values from outside the program that are not of the declared type: empty lists, which
// have no element type, and mistakes.
#include "parameter_checks.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "takt/takt.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using Strings = std::vector<std::string>;

class ParameterChecksTest : public ::testing::Test {
 protected:
  std::shared_ptr<Node> node_with(const std::vector<const char *> & parameters) {
    std::vector<std::string> arguments{"--ros-args"};
    for (const char * parameter : parameters) {
      arguments.emplace_back("-p");
      arguments.emplace_back(parameter);
    }
    return std::make_shared<Node>("n", NodeOptions{.context = context_, .arguments = arguments});
  }

  const std::shared_ptr<Context> context_ = testing::make_context();
};

TEST_F(ParameterChecksTest, AnEmptyListIsOneOfTheDeclaredType) {
  const auto node = node_with({"plugins:=[]", "cpus:=[]", "typed:=[]"});
  EXPECT_THAT(node->declare_parameter("plugins", Strings{"a"}), IsEmpty());
  EXPECT_EQ(node->get_parameter("plugins").get_type(), PARAMETER_STRING_ARRAY);
  EXPECT_THAT(node->declare_parameter("cpus", std::vector<std::int64_t>{1}), IsEmpty());
  EXPECT_THAT(node->declare_parameter<std::vector<double>>("typed"), IsEmpty());
  // `ros2 param set` passes an empty list as an empty list of Booleans.
  node->declare_parameter("names", Strings{"a"});
  EXPECT_TRUE(node->set_parameter(Parameter("names", std::vector<bool>())).successful);
  EXPECT_EQ(node->get_parameter("names").get_type(), PARAMETER_STRING_ARRAY);
}

TEST_F(ParameterChecksTest, AnEmptyListForWhatIsNoneIsRefusedByName) {
  const auto node = node_with({"gain:=[]", "any:=[]"});
  EXPECT_THAT([&] { node->declare_parameter("gain", 0.5); },
              ThrowsMessage<InvalidParameterType>(
                  HasSubstr("parameter 'gain' is of type double: setting it to an empty list")));
  EXPECT_FALSE(node->has_parameter("gain"));
  ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;
  EXPECT_THROW(node->declare_parameter("any", 1, dynamic), InvalidParameterType);
  EXPECT_FALSE(node->has_parameter("any"));
  EXPECT_EQ(node->declare_parameter("any", ParameterValue(), dynamic).get_type(),
            PARAMETER_NOT_SET);
}

TEST_F(ParameterChecksTest, AMismatchTellsTheRemedy) {
  const auto node = node_with({"gain:=2"});
  EXPECT_THAT([&] { node->declare_parameter("gain", 0.5); },
              ThrowsMessage<InvalidParameterType>(
                  HasSubstr("setting it to 2 (integer) is not allowed; write 2.0")));
  node->declare_parameter("speed", 0.5);
  EXPECT_THAT(node->set_parameter(Parameter("speed", 3)).reason, HasSubstr("; write 3.0"));
}

TEST_F(ParameterChecksTest, ANumberThatDoesNotFitIsRefusedByNameAndNotDeclared) {
  const auto node = node_with({"byte:=300", "level:=300"});
  EXPECT_THAT([&] { node->declare_parameter<std::uint8_t>("byte", 7); },
              ThrowsMessage<InvalidParameterType>(
                  HasSubstr("parameter 'byte': the number 300 does not fit into 8 bits")));
  EXPECT_FALSE(node->has_parameter("byte"));
  EXPECT_THROW(node->declare_parameter<std::int8_t>("level"), InvalidParameterType);
  EXPECT_FALSE(node->has_parameter("level"));
}

}  // namespace
}  // namespace takt
