#include "support/random_process.hpp"

#include <random>

#include <fmt/core.h>

namespace cohort::test {

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text = "int x = 0, y = 1, a[2] = {0, 1};\nbool p = false, q = true;\n";
    if (below(4) == 0) text += "bool free;\nassume free || q;\n";
    if (below(3) == 0) text += "faults block;\n";
    const bool replicated = below(3) == 0;
    const std::size_t processes = 2 + below(2);
    text += fmt::format("processes {};\nproperty {};\n", processes, property());
    if (replicated) return text + process("P[i]", true, processes == 2 ? 3 : 2);
    for (std::size_t i = 0; i < processes; ++i) text += process(fmt::format("P{}", i), false, 3);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  // Never trivially violated: it holds at the start.
  std::string property() {
    switch (below(4)) {
      case 0: return fmt::format("x != {}", 1 + below(3));
      case 1: return "!(p && a[0] == 1)";
      case 2: return fmt::format("x + y != {}", 2 + below(3));
      default: return "a[x < 0 || x > 1 ? 0 : x] != 2 || p";
    }
  }

  std::string process(const std::string& head, bool has_index, std::size_t statements) {
    index_ = has_index;
    return fmt::format("process {} {{\n  int r = 0;\n{}}}\n", head, block(statements, 2));
  }

  std::string block(std::size_t statements, std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < statements; ++i) text += "  " + statement(depth) + "\n";
    return text;
  }

  std::string statement(std::size_t depth) {
    switch (below(depth > 0 ? 13 : 9)) {
      case 0:
      case 1:
      case 2: return fmt::format("{} = {};", number_variable(), small(number(2)));
      case 3: return fmt::format("{} = {};", below(2) == 0 ? "p" : "q", boolean(2));
      case 4: return fmt::format("x, y = {}, {};", small(number(1)), small(number(1)));
      case 5: return fmt::format("when ({}) {} = {};", boolean(1), number_variable(), small(number(1)));
      case 6: return fmt::format("assume {};", boolean(1));
      case 7: return fmt::format("assert {} || {};", boolean(1), boolean(2));
      case 8: return below(2) == 0 ? "skip;" : "r = choose(0 .. 2);";
      case 9:
      case 10:
        return fmt::format("if ({}) {{\n{}}} else {{\n{}}}", boolean(1), block(1, depth - 1),
                           block(below(2), depth - 1));
      case 11: return fmt::format("while ({}) {{\n{}}}", boolean(1), block(1, depth - 1));
      default: return fmt::format("atomic {{\n{}}}", block(1 + below(2), depth - 1));
    }
  }

  std::string number_variable() {
    switch (below(4)) {
      case 0: return "x";
      case 1: return "y";
      case 2: return "r";
      default: return fmt::format("a[{}]", index());
    }
  }

  // Mostly inside the array.
  std::string index() {
    switch (below(4)) {
      case 0: return "0";
      case 1: return "1";
      case 2: return "p ? 1 : 0";
      default: return "x";
    }
  }

  static std::string small(const std::string& value) { return fmt::format("({}) % 4", value); }

  std::string number(std::size_t depth) {
    switch (below(depth > 0 ? 8 : 4)) {
      case 0: return fmt::format("{}", below(3));
      case 1:
      case 2: return number_variable();
      case 3: return index_ && below(2) == 0 ? "i" : "r";
      case 4: return fmt::format("{} - {}", number(depth - 1), number_variable());
      case 5: return fmt::format("({} ? {} : {})", boolean(depth - 1), number(depth - 1), number(depth - 1));
      case 6: return fmt::format("{} * {}", number_variable(), number(0));
      default: return fmt::format("{} + {}", number(depth - 1), number(depth - 1));
    }
  }

  std::string boolean(std::size_t depth) {
    switch (below(depth > 0 ? 9 : 3)) {
      case 0: return "p";
      case 1: return "q";
      case 2: return below(2) == 0 ? "*" : "true";
      case 3: return fmt::format("!({})", boolean(depth - 1));
      case 4: return fmt::format("({} && {})", boolean(depth - 1), boolean(depth - 1));
      case 5: return fmt::format("({} => {})", boolean(depth - 1), boolean(depth - 1));
      default: {
        static constexpr const char* signs[] = {"==", "!=", "<", ">="};
        return fmt::format("{} {} {}", number(depth - 1), signs[below(4)], number(0));
      }
    }
  }

  std::mt19937_64 random_;
  bool index_ = false;
};

}  // namespace

std::string random_process_program(std::uint64_t seed) {
  return Generator(seed).program();
}

}  // namespace cohort::test
