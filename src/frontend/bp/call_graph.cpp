#include "frontend/bp/call_graph.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::bp {

namespace {

// One procedure on the path of the depth-first search, with the call to look at next.
struct Visit {
  std::size_t procedure;
  std::size_t next_call = 0;
};

// "f -> g -> f"; a long cycle is shortened in the middle.
std::string cycle_text(const Program& program, std::vector<Visit>::const_iterator begin,
                       std::vector<Visit>::const_iterator end) {
  constexpr std::ptrdiff_t longest = 8;
  std::string text;
  for (auto it = begin; it != end; ++it) {
    if (std::distance(begin, it) == longest / 2 && std::distance(it, end) > longest / 2) {
      text += "... -> ";
      it = end - longest / 2;
    }
    text += program.procedures[it->procedure].name.text + " -> ";
  }
  return text + program.procedures[begin->procedure].name.text;
}

}  // namespace

void CallGraph::add_call(std::size_t caller, std::size_t callee, const SourceSpan& place) {
  COHORT_EXPECT(caller < calls_.size() && callee < calls_.size(), "both procedures exist");
  calls_[caller].push_back({callee, place});
  called_[callee] = true;
}

bool CallGraph::reaches(std::size_t caller, std::size_t callee) const {
  std::vector<bool> seen(calls_.size(), false);
  std::vector<std::size_t> open{caller};
  while (!open.empty()) {
    const std::size_t procedure = open.back();
    open.pop_back();
    for (const CallSite& call : calls_[procedure]) {
      if (call.callee == callee) return true;
      if (seen[call.callee]) continue;
      seen[call.callee] = true;
      open.push_back(call.callee);
    }
  }
  return false;
}

// Depth first with its own stack: a chain of calls may be as long as the input.
void CallGraph::refuse_recursion(const Program& program) const {
  COHORT_EXPECT(program.procedures.size() == calls_.size(), "the graph is that of the program");
  enum class Colour : char { White, Grey, Black };
  std::vector<Colour> colours(calls_.size(), Colour::White);
  std::vector<Visit> path;
  for (std::size_t root = 0; root < calls_.size(); ++root) {
    if (colours[root] != Colour::White) continue;
    colours[root] = Colour::Grey;
    path.push_back({root});
    while (!path.empty()) {
      Visit& top = path.back();
      if (top.next_call == calls_[top.procedure].size()) {
        colours[top.procedure] = Colour::Black;
        path.pop_back();
        continue;
      }
      const CallSite& call = calls_[top.procedure][top.next_call++];
      if (colours[call.callee] == Colour::Grey) {
        const auto first = std::find_if(path.cbegin(), path.cend(),
                                        [&call](const Visit& visit) { return visit.procedure == call.callee; });
        COHORT_EXPECT(first != path.cend(), "a grey procedure is on the path");
        throw_unsupported(call.place,
                          fmt::format("recursion is not supported: {}", cycle_text(program, first, path.cend())));
      }
      if (colours[call.callee] != Colour::White) continue;
      colours[call.callee] = Colour::Grey;
      path.push_back({call.callee});
    }
  }
}

}  // namespace cohort::frontend::bp
