#include "model/call_frames.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::model {

namespace {

constexpr char separator = '\x1f';
// Below all addresses that objects or numbers handed on as pointers have.
constexpr Value first_edge = INT64_MIN + 1;
constexpr Value first_call = INT64_MIN / 2;
constexpr Value edges_of_template = Value{1} << 32;

Value address_of(EdgeRef edge) {
  COHORT_EXPECT(edge.templ.value < (1U << 28U), "templates are not so many");
  return first_edge + static_cast<Value>(edge.templ.value) * edges_of_template + static_cast<Value>(edge.edge);
}

Value address_of(CallNotes::CallId call) {
  return first_call + static_cast<Value>(call);
}

CallNotes::CallId number(std::string_view text) {
  CallNotes::CallId value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  COHORT_EXPECT(error == std::errc() && end == text.data() + text.size(), "a call is known by its number");
  return value;
}

}  // namespace

CallNotes::CallId CallNotes::add(const std::string& function, const SourceSpan& span, const std::string& text,
                                 CallId caller) {
  COHORT_EXPECT(caller <= calls_.size(), "who calls has been called before");
  std::string place;
  if (span.known()) {
    const std::string& path = span.file->name();
    place = fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), span.line);
  }
  calls_.push_back(fmt::format("{}{}{}{}{}{}{}", caller, separator, function, separator, place, separator, text));
  return static_cast<CallId>(calls_.size());
}

void CallNotes::set(EdgeRef edge, CallId call) {
  edges_[edge] = call;
}

void CallNotes::write(Atlas& atlas) const {
  for (const auto& [edge, call] : edges_) {
    if (call != outside) atlas.add_opaque(address_of(edge), std::to_string(call));
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    atlas.add_opaque(address_of(static_cast<CallId>(i + 1)), calls_[i]);
  }
}

std::vector<CallFrame> calls_around(const Program& program, EdgeRef edge) {
  std::vector<CallFrame> frames;
  if (program.atlas == nullptr) return frames;
  // Inlining numbers anew, and keeps what the front end said.
  const auto& origin = program.edge(edge).actions.front().origin;
  const std::string own = program.atlas->name_of(address_of(origin.value_or(edge)), nullptr);
  for (CallNotes::CallId call = own.empty() ? CallNotes::outside : number(own); call != CallNotes::outside;) {
    const std::string note = program.atlas->name_of(address_of(call), nullptr);
    std::array<std::size_t, 3> ends{};
    std::size_t from = 0;
    for (std::size_t& end : ends) {
      end = note.find(separator, from);
      COHORT_EXPECT(end != std::string::npos, "a call has four parts");
      from = end + 1;
    }
    frames.push_back({note.substr(ends[0] + 1, ends[1] - ends[0] - 1), note.substr(ends[1] + 1, ends[2] - ends[1] - 1),
                      note.substr(ends[2] + 1)});
    call = number(std::string_view(note).substr(0, ends[0]));
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

}  // namespace cohort::model
