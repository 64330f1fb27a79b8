#include "strategy/message.hpp"

#include <random>

#include <gtest/gtest.h>

#include "frontend/bp/bp.hpp"
#include "model/interpreter.hpp"
#include "model/passes/inline.hpp"

namespace cohort::strategy {
namespace {

model::Program sample_program() {
  const std::string text =
      "decl x := 0, y; void main() begin decl a; a := *; start_thread goto B; x := !x; B: y := a; assert(x | y); end";
  return model::inline_calls(frontend::bp::load(std::make_shared<const SourceFile>("test.bp", text)));
}

// Some steps of the program, chosen by the seed.
model::Run some_run(const model::Program& program, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const model::Interpreter interpreter(program, 3);
  const auto initial = interpreter.initial_states();
  model::Run run{.initial = initial[random() % initial.size()], .steps = {}, .choices = {1, -5}};
  for (int i = 0; i < 6; ++i) {
    const auto steps = interpreter.successors(run.last());
    if (steps.empty()) break;
    run.steps.push_back(steps[random() % steps.size()]);
  }
  return run;
}

Message sample_message(const model::Program& program, std::uint64_t seed) {
  Message message;
  message.kind = Message::Kind::Answer;
  message.result.verdict = result::Verdict::Unsafe;
  message.result.reason = "because";
  message.result.run = some_run(program, seed);
  message.result.property = model::PropertyId(0);
  message.result.sufficient_threads = 2;
  message.result.holds_without_bound = true;
  message.result.assumptions = {"few threads", ""};
  message.statistics.set("states", std::uint64_t{17});
  message.statistics.set("seconds", 0.25);
  message.statistics.set("names", std::string("a, b"));
  return message;
}

TEST(Message, ComesThroughInPieces) {
  const model::Program program = sample_program();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Message sent = sample_message(program, seed);
    Message progress;
    progress.kind = Message::Kind::Progress;
    progress.text = "on the way";
    const std::string bytes = encode(progress, program) + encode(sent, program);
    MessageReader reader(program);
    std::vector<Message> received;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      reader.add(std::string_view(bytes).substr(i, 1));
      while (auto message = reader.next()) received.push_back(std::move(*message));
    }
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0].text, "on the way");
    EXPECT_EQ(received[1].result.verdict, sent.result.verdict);
    EXPECT_EQ(received[1].result.reason, sent.result.reason);
    EXPECT_EQ(received[1].result.run->initial, sent.result.run->initial);
    EXPECT_EQ(received[1].result.run->steps, sent.result.run->steps);
    EXPECT_EQ(received[1].result.run->choices, sent.result.run->choices);
    EXPECT_EQ(received[1].result.sufficient_threads, 2U);
    EXPECT_TRUE(received[1].result.holds_without_bound);
    EXPECT_EQ(received[1].result.assumptions, std::vector<std::string>({"few threads", ""}));
    EXPECT_FALSE(received[1].result.cutoff_open);
    EXPECT_EQ(received[1].statistics.entries(), sent.statistics.entries());
  }
}

// Whatever bytes come, the parent reads a message that fits the program, or says that they are damaged.
TEST(Message, DamageIsFoundOrHarmless) {
  const model::Program program = sample_program();
  const std::string bytes = encode(sample_message(program, 3), program);
  std::mt19937_64 random(7);
  std::size_t refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = bytes;
    const std::size_t hits = 1 + random() % 3;
    for (std::size_t i = 0; i < hits; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    MessageReader reader(program);
    reader.add(damaged);
    try {
      const auto message = reader.next();
      if (!message || !message->result.run) continue;
      for (const auto& thread : message->result.run->last().threads) {
        ASSERT_TRUE(!thread || thread->templ.value < program.templates.size());
      }
    } catch (const DamagedMessage&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 400U);
}

TEST(Message, NothingComesOfNothing) {
  const model::Program program = sample_program();
  MessageReader reader(program);
  EXPECT_FALSE(reader.next());
  reader.add("\x01");
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace cohort::strategy
