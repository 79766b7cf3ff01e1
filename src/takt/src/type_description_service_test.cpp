// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "type_description_service.hpp"

#include <gtest/gtest.h>
#include <rosidl_runtime_c/type_hash.h>

#include <memory>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <type_description_interfaces/srv/get_type_description.hpp>

#include "takt/takt.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using std_msgs::msg::String;
using GetTypeDescription = type_description_interfaces::srv::GetTypeDescription;

/// The hash of a type, as text.
std::string hash_of(const MessageType & type) {
  char * text = nullptr;
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  const rosidl_type_hash_t * hash = type.support->get_type_hash_func(type.support);
  if (rosidl_stringify_type_hash(hash, allocator, &text) != RCUTILS_RET_OK) return {};
  std::string result(text);
  allocator.deallocate(text, allocator.state);
  return result;
}

class TypeDescriptionServiceTest : public ::testing::Test {
 protected:
  TypeDescriptionServiceTest() {
    background_.add(node_);
    background_.add(user_);
    background_.start();
  }
  GetTypeDescription::Response ask(const std::string & name, const std::string & hash) {
    auto request = std::make_shared<GetTypeDescription::Request>();
    request->type_name = name;
    request->type_hash = hash;
    EXPECT_TRUE(client_->wait_for_service(testing::patience));
    auto future = client_->async_send_request(request);
    if (future.wait_for(testing::patience) == std::future_status::ready) return *future.get();
    ADD_FAILURE() << "no answer";
    return GetTypeDescription::Response();
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  std::shared_ptr<Node> user_ = std::make_shared<Node>("user", NodeOptions{.context = context_});
  std::shared_ptr<Publisher<String>> publisher_ = node_->create_publisher<String>("t", 1);
  std::shared_ptr<Client<GetTypeDescription>> client_ =
      user_->create_client<GetTypeDescription>("/node/get_type_description");
  testing::Background<SchedulingExecutor> background_{context_};
};

TEST_F(TypeDescriptionServiceTest, DescribesATypeInUse) {
  // Many requests, so that a leak sanitizer notices what each one leaves behind.
  for (int i = 0; i < 100; ++i) {
    const auto response = ask("std_msgs/msg/String", hash_of(message_type<String>()));
    ASSERT_TRUE(response.successful) << response.failure_reason;
    const auto & type = response.type_description.type_description;
    EXPECT_EQ(type.type_name, "std_msgs/msg/String");
    ASSERT_EQ(type.fields.size(), 1u);
    EXPECT_EQ(type.fields[0].name, "data");
  }
}

TEST_F(TypeDescriptionServiceTest, SaysWhyItCannot) {
  const std::string unused(64, '0');
  EXPECT_EQ(ask("a/msg/B", "nonsense").failure_reason, "Failed to parse type hash");
  EXPECT_EQ(ask("a/msg/B", "RIHS01_" + unused).failure_reason,
            "Type not currently in use by this node");
}

}  // namespace
}  // namespace takt
