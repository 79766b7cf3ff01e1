// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/service.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <takt_msgs/srv/echo.hpp>
#include <vector>

#include "takt/exceptions.hpp"
#include "testing/background.hpp"
#include "testing/messages.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using takt_msgs::srv::Echo;
using testing::patience;
using testing::request;
using Request = Echo::Request;
using Response = Echo::Response;

template <typename Executor>
class ServiceTest : public ::testing::Test {
 protected:
  /// Spins both nodes; waits until the client sees its service.
  void start(Client<Echo> & client) {
    background_.start();
    ASSERT_TRUE(client.wait_for_service(patience));
  }
  /// Returns the number in the service's response; the largest number if there is no response.
  std::uint64_t ask(Client<Echo> & client, std::uint64_t number) {
    auto future = client.async_send_request(request(number));
    if (future.wait_for(patience) != std::future_status::ready) return ~std::uint64_t{0};
    return future.get()->sequence;
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> server_ =
      std::make_shared<Node>("server", NodeOptions{.context = context_});
  std::shared_ptr<Node> user_ = std::make_shared<Node>("user", NodeOptions{.context = context_});
  testing::Background<Executor> background_{context_};

  void SetUp() override {
    background_.add(server_);
    background_.add(user_);
  }
};
TYPED_TEST_SUITE(ServiceTest, testing::Executors);

TYPED_TEST(ServiceTest, AnswersInEveryFormOfCallback) {
  const auto by_reference = this->server_->template create_service<Echo>(
      "by_reference", [](const Request & q, Response & a) { a.sequence = q.sequence + 1; });
  const auto shared = this->server_->template create_service<Echo>(
      "shared", [](const std::shared_ptr<Request> q, std::shared_ptr<Response> a) {
        a->sequence = q->sequence + 2;
      });
  const auto with_id = this->server_->template create_service<Echo>(
      "with_id", [](const std::shared_ptr<rmw_request_id_t> id, const std::shared_ptr<Request> q,
                    std::shared_ptr<Response> a) {
        EXPECT_GT(id->sequence_number, 0);
        a->sequence = q->sequence + 3;
      });
  std::uint64_t answer = 11;
  for (const auto * name : {"by_reference", "shared", "with_id"}) {
    const auto client = this->user_->template create_client<Echo>(name);
    if (answer == 11) this->background_.start();
    ASSERT_TRUE(client->wait_for_service(patience));
    EXPECT_EQ(this->ask(*client, 10), answer++);
  }
}

TYPED_TEST(ServiceTest, AnAnswerMayComeLaterFromAnyThread) {
  std::promise<std::pair<std::shared_ptr<rmw_request_id_t>, std::uint64_t>> asked;
  const auto service = this->server_->template create_service<Echo>(
      "echo", [&](std::shared_ptr<rmw_request_id_t> id, std::shared_ptr<Request> q) {
        asked.set_value({id, q->sequence});
      });
  const auto client = this->user_->template create_client<Echo>("echo");
  this->start(*client);
  auto future = client->async_send_request(request(7));
  auto taken = asked.get_future();
  ASSERT_EQ(taken.wait_for(patience), std::future_status::ready);
  auto [id, number] = taken.get();
  Response response;
  response.sequence = number * 2;
  service->send_response(*id, response);
  ASSERT_EQ(future.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(future.get()->sequence, 14U);
}

TYPED_TEST(ServiceTest, EveryRequestOfABurstIsAnsweredInOrder) {
  std::vector<std::uint64_t> served;
  const auto service =
      this->server_->template create_service<Echo>("echo", [&](const Request & q, Response & a) {
        served.push_back(q.sequence);
        a.sequence = q.sequence;
      });
  const auto client = this->user_->template create_client<Echo>("echo");
  this->start(*client);
  constexpr std::uint64_t burst = 10;  // the depth of services_qos()
  std::vector<std::future<std::shared_ptr<Response>>> futures;
  for (std::uint64_t i = 0; i < burst; ++i) {
    futures.push_back(client->async_send_request(request(i)).future);
  }
  for (std::uint64_t i = 0; i < burst; ++i) {
    ASSERT_EQ(futures[i].wait_for(patience), std::future_status::ready) << i;
    EXPECT_EQ(futures[i].get()->sequence, i);
  }
  this->background_.stop();
  for (std::uint64_t i = 0; i < burst; ++i) EXPECT_EQ(served.at(i), i);
}

TYPED_TEST(ServiceTest, RequestsThatCameBeforeItSpinsAreAnswered) {
  const auto service = this->server_->template create_service<Echo>(
      "echo", [&](const Request & q, Response & a) { a.sequence = q.sequence; });
  const auto client = this->user_->template create_client<Echo>("echo");
  ASSERT_TRUE(client->wait_for_service(patience));
  auto first = client->async_send_request(request(1));
  auto second = client->async_send_request(request(2));
  this->background_.start();
  ASSERT_EQ(first.wait_for(patience), std::future_status::ready);
  ASSERT_EQ(second.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(second.get()->sequence, 2U);
}

TYPED_TEST(ServiceTest, TheCallbackOfARequestIsAJobOfTheClient) {
  const auto service = this->server_->template create_service<Echo>(
      "echo", [](const Request & q, Response & a) { a.sequence = q.sequence; });
  const auto client = this->user_->template create_client<Echo>("echo");
  this->start(*client);
  std::promise<std::uint64_t> received;
  const auto sent = client->async_send_request(request(5), [&](Client<Echo>::SharedFuture future) {
    EXPECT_NE(current_job(), nullptr);
    received.set_value(future.get()->sequence);
  });
  auto answer = received.get_future();
  ASSERT_EQ(answer.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(answer.get(), 5U);
  EXPECT_EQ(sent.future.get()->sequence, 5U);
}

TYPED_TEST(ServiceTest, ARequestMayBeSentFromInsideACallback) {
  const auto service = this->server_->template create_service<Echo>(
      "echo", [](const Request & q, Response & a) { a.sequence = q.sequence + 1; });
  const auto client = this->user_->template create_client<Echo>("echo");
  this->start(*client);
  std::promise<std::uint64_t> done;
  std::function<void(Client<Echo>::SharedFuture)> again;
  again = [&](Client<Echo>::SharedFuture future) {
    const std::uint64_t number = future.get()->sequence;
    if (number == 5) {
      done.set_value(number);
    } else {
      client->async_send_request(request(number), again);
    }
  };
  client->async_send_request(request(0), again);
  ASSERT_EQ(done.get_future().wait_for(patience), std::future_status::ready);
}

TYPED_TEST(ServiceTest, AServiceMayGoWhileItSpins) {
  const auto stays = this->server_->template create_service<Echo>(
      "stays", [](const Request & q, Response & a) { a.sequence = q.sequence; });
  auto goes = this->server_->template create_service<Echo>(
      "goes", [](const Request & q, Response & a) { a.sequence = q.sequence; });
  const auto client = this->user_->template create_client<Echo>("stays");
  const auto other = this->user_->template create_client<Echo>("goes");
  this->start(*client);
  ASSERT_TRUE(other->wait_for_service(patience));
  EXPECT_EQ(this->ask(*other, 1), 1U);
  goes.reset();
  EXPECT_TRUE(testing::eventually([&] { return !other->service_is_ready(); }));
  EXPECT_EQ(this->ask(*client, 2), 2U);
  auto later = this->server_->template create_service<Echo>(
      "goes", [](const Request & q, Response & a) { a.sequence = q.sequence + 1; });
  ASSERT_TRUE(other->wait_for_service(patience));
  EXPECT_EQ(this->ask(*other, 3), 4U);
}

TYPED_TEST(ServiceTest, HandlesMayOutliveNodes) {
  auto service = this->server_->template create_service<Echo>(
      "echo", [](const Request & q, Response & a) { a.sequence = q.sequence; });
  auto client = this->user_->template create_client<Echo>("echo");
  this->start(*client);
  this->server_.reset();
  this->user_.reset();
  EXPECT_EQ(this->ask(*client, 1), 1U);
  service.reset();
  client.reset();
}

// ---- without an executor ------------------------------------------------------------------------

class ClientTest : public ::testing::Test {
 protected:
  std::shared_ptr<Context> context_ = testing::make_context({"--ros-args", "-r", "from:=/else/to"});
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  std::shared_ptr<Client<Echo>> client_ = node_->create_client<Echo>("echo");
};

TEST_F(ClientTest, WaitingForAServiceEndsAtTheTimeoutOrTheShutdown) {
  EXPECT_FALSE(client_->service_is_ready());
  EXPECT_FALSE(client_->wait_for_service(0ms));
  EXPECT_FALSE(client_->wait_for_service(20ms));
  auto waiting = std::async(std::launch::async, [&] { return client_->wait_for_service(); });
  context_->shutdown();
  ASSERT_EQ(waiting.wait_for(patience), std::future_status::ready);
  EXPECT_FALSE(waiting.get());
}

TEST_F(ClientTest, PendingRequestsCanBeRemoved) {
  auto first = client_->async_send_request(request(1));
  auto second = client_->async_send_request(request(2), [](Client<Echo>::SharedFuture) {});
  auto third = client_->async_send_request(request(3));
  EXPECT_NE(first.request_id, second.request_id);
  EXPECT_TRUE(client_->remove_pending_request(first));
  EXPECT_FALSE(client_->remove_pending_request(first));
  EXPECT_THROW(first.get(), std::future_error);
  EXPECT_EQ(client_->prune_pending_requests(), 2U);
  EXPECT_EQ(client_->prune_pending_requests(), 0U);
  EXPECT_THROW(third.get(), std::future_error);
}

TEST_F(ClientTest, OldRequestsCanBePruned) {
  auto old = client_->async_send_request(request(1));
  const auto between = std::chrono::steady_clock::now();
  auto recent = client_->async_send_request(request(2));
  std::vector<std::int64_t> pruned;
  EXPECT_EQ(client_->prune_requests_older_than(between, &pruned), 1U);
  EXPECT_EQ(pruned, std::vector{old.request_id});
  EXPECT_TRUE(client_->remove_pending_request(recent));
}

TEST_F(ClientTest, WhatACallbackOfAForgottenRequestKeptMayUseTheClient) {
  // Stands for a request whose destruction removes the requests that followed it.
  const auto kept = [this] {
    return std::shared_ptr<void>(nullptr, [this](void *) { client_->prune_pending_requests(); });
  };
  const auto send = [&] {
    return client_->async_send_request(request(1), [keep = kept()](Client<Echo>::SharedFuture) {});
  };
  send();
  EXPECT_EQ(client_->prune_requests_older_than(std::chrono::steady_clock::time_point::max()), 1U);
  send();
  EXPECT_EQ(client_->prune_pending_requests(), 1U);
  EXPECT_TRUE(client_->remove_pending_request(send()));
}

TEST_F(ClientTest, AFutureBreaksWhenTheClientGoes) {
  auto future = client_->async_send_request(request(1));
  client_.reset();
  EXPECT_THROW(future.get(), std::future_error);
}

TEST_F(ClientTest, NamesAreResolvedAndChecked) {
  EXPECT_STREQ(node_->create_client<Echo>("from")->get_service_name(), "/else/to");
  const auto callback = [](const Request &, Response &) {};
  EXPECT_STREQ(node_->create_service<Echo>("~/own", callback)->get_service_name(), "/node/own");
  EXPECT_EQ(node_->create_service<Echo>("~/own2", callback)->id(), "node/own2");
  EXPECT_THROW(node_->create_service<Echo>("not a name", callback), NameError);
  EXPECT_THROW(node_->create_client<Echo>("not a name"), NameError);
}

TEST_F(ClientTest, ServicesAndClientsAreTasksOfTheLowestPriorityUnlessToldOtherwise) {
  EXPECT_EQ(client_->task().priority, model::lowest_priority);
  EXPECT_EQ(client_->task().kind, TaskKind::client);
  EXPECT_EQ(client_->task().deadline, model::never);
  const auto service = node_->create_service<Echo>("s", [](const Request &, Response &) {},
                                                   {.priority = 50, .deadline = 5ms});
  EXPECT_EQ(service->task().priority, 50);
  EXPECT_EQ(service->task().kind, TaskKind::service);
  EXPECT_EQ(service->task().deadline, 5'000'000);
}

}  // namespace
}  // namespace takt
