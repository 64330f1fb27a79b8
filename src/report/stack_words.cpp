#include "report/stack_words.hpp"

#include <fmt/core.h>

namespace cohort::report {

std::string stack_words(const model::Program& program, model::EdgeRef edge) {
  const std::vector<model::CallFrame> frames = calls_around(program, edge);
  std::string text;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    text += fmt::format("{}in {}, called at {}", text.empty() ? "; " : " ", frame->function, frame->place);
  }
  return text;
}

}  // namespace cohort::report
