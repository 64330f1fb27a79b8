#include "support/random_scpl.hpp"

#include <random>

#include <fmt/core.h>

namespace cohort::test {

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text = "shared uint2 s = 0;\nshared uint2 t = " + std::string(below(4) == 0 ? "*" : "1") +
                       ";\nshared bool m = false;\n";
    switch (below(4)) {
      case 0: return text + thread("first", "") + thread("second", below(2) == 0 ? "" : " [1]");
      case 1:
        return text + "thread main [1] {\n  local uint2 l = 0, k = 1;\n  start worker;\n  " +
               std::string(below(2) == 0 ? "start worker;\n" : "skip;\n") + body(2) + "}\n" + thread("worker", " [0]");
      default: return text + "local uint2 l = 0, k = 1;\n" + body(6);
    }
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::string thread(const std::string& name, const std::string& count) {
    return fmt::format("thread {}{} {{\n  local uint2 l = {}, k = 1;\n{}}}\n", name, count, below(3) == 0 ? "*" : "0",
                       body(4));
  }

  std::string body(std::size_t statements) {
    labels_ = statements;
    std::string text;
    for (std::size_t i = 0; i < statements; ++i) text += fmt::format("l{}: {}\n", i, statement(2));
    return text;
  }

  std::string statement(std::size_t depth) {
    switch (below(depth > 0 ? 14 : 9)) {
      case 0:
      case 1:
      case 2: return fmt::format("{} = {};", variable(), number(2));
      case 3: return fmt::format("l, s = {}, {};", number(1), number(1));
      case 4: return fmt::format("when ({}) {} = {};", boolean(1), variable(), number(1));
      case 5: return fmt::format("assume {};", boolean(1));
      case 6:
      case 7: return fmt::format("assert {} || {};", boolean(1), boolean(1));
      case 8: return below(2) == 0 ? "when (!m) m = true;" : "m = false;";
      case 9:
      case 10:
        return fmt::format("if ({}) {{ {} }} else {{ {} }}", boolean(1), statement(depth - 1), statement(depth - 1));
      case 11: return fmt::format("atomic {{ {} {} }}", statement(depth - 1), statement(0));
      case 12: return fmt::format("goto l{}, l{};", below(labels_), below(labels_));
      default: return "l = *;";
    }
  }

  std::string variable() {
    static const char* const names[] = {"s", "t", "l", "k", "s"};
    return names[below(5)];
  }

  std::string number(std::size_t depth) {
    if (depth == 0 || below(3) == 0) return below(3) == 0 ? std::to_string(below(4)) : variable();
    switch (below(6)) {
      case 0: return fmt::format("({} - {})", number(depth - 1), number(depth - 1));
      case 1: return fmt::format("({} ? {} : {})", boolean(0), number(depth - 1), number(depth - 1));
      case 2: return fmt::format("({} {} {})", number(depth - 1), below(4) == 0 ? "/" : "*", number(depth - 1));
      default: return fmt::format("({} + 1)", number(depth - 1));
    }
  }

  std::string boolean(std::size_t depth) {
    static const char* const signs[] = {"==", "!=", "<=", "<"};
    switch (below(depth == 0 ? 4 : 6)) {
      case 0: return "m";
      case 4: return fmt::format("({} && {})", boolean(depth - 1), boolean(depth - 1));
      case 5: return fmt::format("!({} || {})", boolean(depth - 1), boolean(depth - 1));
      default: return fmt::format("({} {} {})", variable(), signs[below(4)], number(1));
    }
  }

  std::mt19937_64 random_;
  std::size_t labels_ = 1;
};

}  // namespace

std::string random_scpl_program(std::uint64_t seed) {
  return Generator(seed).program();
}

}  // namespace cohort::test
