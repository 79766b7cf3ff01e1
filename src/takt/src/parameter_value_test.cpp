// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/parameter_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "takt/parameter.hpp"

namespace takt {
namespace {

using ::testing::ThrowsMessage;

template <typename T>
void there_and_back(const T & value, ParameterType type) {
  const ParameterValue held(value);
  EXPECT_EQ(held.get_type(), type);
  EXPECT_EQ(held.get<T>(), value);
  const auto message = held.to_message();
  EXPECT_EQ(message.type, type);
  EXPECT_EQ(ParameterValue(message), held);
}

TEST(ParameterValueTest, EveryTypeGoesThroughAMessageUnchanged) {
  there_and_back(true, PARAMETER_BOOL);
  there_and_back(-5, PARAMETER_INTEGER);
  there_and_back(std::uint8_t{200}, PARAMETER_INTEGER);
  there_and_back(INT64_MIN, PARAMETER_INTEGER);
  there_and_back(2.5F, PARAMETER_DOUBLE);
  there_and_back(-0.1, PARAMETER_DOUBLE);
  there_and_back(std::string("text"), PARAMETER_STRING);
  there_and_back(std::vector<std::uint8_t>{0, 255}, PARAMETER_BYTE_ARRAY);
  there_and_back(std::vector<bool>{true, false}, PARAMETER_BOOL_ARRAY);
  there_and_back(std::vector<int>{-1, 2}, PARAMETER_INTEGER_ARRAY);
  there_and_back(std::vector<std::int64_t>{INT64_MAX}, PARAMETER_INTEGER_ARRAY);
  there_and_back(std::vector<float>{0.5F}, PARAMETER_DOUBLE_ARRAY);
  there_and_back(std::vector<double>{}, PARAMETER_DOUBLE_ARRAY);
  there_and_back(std::vector<std::string>{"a", ""}, PARAMETER_STRING_ARRAY);
  EXPECT_EQ(ParameterValue("literal").get<std::string>(), "literal");
  EXPECT_EQ(ParameterValue(ParameterValue().to_message()).get_type(), PARAMETER_NOT_SET);
}

TEST(ParameterValueTest, AnotherTypeIsRefusedByName) {
  EXPECT_THAT([] { static_cast<void>(Parameter("gain", 1).as_double()); },
              ThrowsMessage<InvalidParameterType>(
                  "parameter 'gain': expected double, found integer; write 1.0"));
  EXPECT_THROW(static_cast<void>(ParameterValue().get<bool>()), InvalidParameterType);
  EXPECT_THROW(static_cast<void>(ParameterValue(true).get<int>()), InvalidParameterType);
}

TEST(ParameterValueTest, ANumberThatDoesNotFitIsRefused) {
  const ParameterValue value(300);
  EXPECT_EQ(value.get<std::int16_t>(), 300);
  EXPECT_THROW(static_cast<void>(value.get<std::uint8_t>()), InvalidParameterType);
  EXPECT_THROW(static_cast<void>(ParameterValue(-1).get<unsigned>()), InvalidParameterType);
  EXPECT_THROW(ParameterValue(std::uint64_t{1} << 63), InvalidParameterType);
}

TEST(ParameterValueTest, AMessageOfAnUnknownTypeIsRefused) {
  rcl_interfaces::msg::ParameterValue message;
  message.type = 77;
  EXPECT_THROW(ParameterValue{message}, InvalidParameterType);
}

TEST(ParameterValueTest, IsWrittenAsInYaml) {
  EXPECT_EQ(to_string(ParameterValue(true)), "true");
  EXPECT_EQ(to_string(ParameterValue(1.0)), "1.0");
  EXPECT_EQ(to_string(ParameterValue(0.1)), "0.1");
  EXPECT_EQ(to_string(ParameterValue(std::vector<int>{1, 2})), "[1, 2]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<bool>{true})), "[true]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<std::string>{})), "[]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<std::uint8_t>{7})), "[7]");
  EXPECT_EQ(to_string(ParameterValue()), "not set");
}

}  // namespace
}  // namespace takt
