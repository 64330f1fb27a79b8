// First the calls of functions of which a call was told before go, for their reader knows what they do; then the others
// in their order, and then lines that were told before, of another round of a loop or of another thread; each only
// until the page suffices.  What is never folded: calls that another thread comes into or that do not end, for there is
// what went wrong, and the last line.
#include "report/fold.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "report/text.hpp"

namespace cohort::report {

namespace {

constexpr std::size_t page = 30;
constexpr std::size_t most_parts = 5;
constexpr std::string_view for_nobody = "for which nobody waits";  // what a signal changes then: nothing

// Adds what happened; of several values of a variable the last.
void add_part(std::vector<std::string>& parts, const std::string& part) {
  if (part.ends_with(for_nobody)) return;
  const std::size_t equals = part.find(" = ");
  if (equals != std::string::npos) {
    const std::string target = part.substr(0, equals + 3);
    std::erase_if(parts, [&](const std::string& other) { return other.starts_with(target); });
  } else if (std::find(parts.begin(), parts.end(), part) != parts.end()) {
    return;
  }
  parts.push_back(part);
}

class Folder {
 public:
  explicit Folder(std::vector<StoryLine> lines) : lines_(std::move(lines)) {}

  std::vector<StoryLine> fold() {
    fold_calls(true);
    fold_calls(false);
    fold_repeated();
    return std::move(lines_);
  }

 private:
  // A change to another thread takes a line, too.
  bool fits() const {
    const auto switches =
        std::count_if(lines_.begin(), lines_.end(), [](const StoryLine& line) { return line.switches; });
    return lines_.size() + static_cast<std::size_t>(switches) <= page;
  }

  // Behind the lines of the call that is told at `call`; none: it does not end, or another thread comes into it.
  std::optional<std::size_t> end_of(std::size_t call) const {
    const StoryLine& line = lines_[call];
    std::size_t end = call + 1;
    while (end < lines_.size() && !lines_[end].switches && lines_[end].depth > line.depth) ++end;
    const auto next = std::find_if(lines_.begin() + static_cast<std::ptrdiff_t>(end), lines_.end(),
                                   [&](const StoryLine& other) { return other.thread == line.thread; });
    if (end == call + 1 || next == lines_.end() || next->depth > line.depth) return std::nullopt;
    return end;
  }

  void fold_calls(bool only_repeated) {
    std::set<std::string> told;
    for (std::size_t i = 0; i < lines_.size() && !fits(); ++i) {
      const std::string function = lines_[i].called;
      if (function.empty()) continue;
      const auto end = end_of(i);
      if (!end) continue;
      if (only_repeated ? told.contains(function) : true) fold_call(i, *end);
      told.insert(function);
    }
  }

  void fold_call(std::size_t call, std::size_t end) {
    StoryLine& line = lines_[call];
    std::vector<std::string> parts;
    for (std::size_t i = call + 1; i < end; ++i) {
      for (const std::string& part : lines_[i].outside) add_part(parts, part);
    }
    // What the statement around the call does with the result.
    const bool goes_on = end < lines_.size() && !lines_[end].switches && lines_[end].depth == line.depth &&
                         lines_[end].called.empty() && lines_[end].folded == StoryLine::Folded::No &&
                         place_text(lines_[end].span) == place_text(line.span) &&
                         lines_[end].statement.find(line.statement) != std::string::npos;
    std::string result;
    if (goes_on) {
      line.statement = lines_[end].statement;
      result = lines_[end].effect;
      std::erase(parts, result);
    }
    std::vector<std::string> shown = few(parts);
    if (goes_on) {
      shown.push_back(result);
      for (const std::string& part : lines_[end].outside) add_part(parts, part);
      ++end;
    }
    line.folded = StoryLine::Folded::Call;
    line.effect = fmt::format("calls {}{}{}", line.called, shown.empty() ? "" : ": ", fmt::join(shown, ", "));
    line.called.clear();
    line.outside = std::move(parts);
    line.last = lines_[end - 1].last;
    erase(call + 1, end);
  }

  static std::vector<std::string> few(std::vector<std::string> parts) {
    // How it ends is what counts.
    if (parts.size() > most_parts) {
      const std::string last = parts.back();
      parts.resize(most_parts - 1);
      parts.insert(parts.end(), {"...", last});
    }
    return parts;
  }

  bool is_same_statement(std::size_t one, std::size_t other) const {
    if (lines_[one].folded != lines_[other].folded || lines_[one].folded == StoryLine::Folded::Repeated) return false;
    return lines_[one].statement == lines_[other].statement && lines_[one].depth == lines_[other].depth &&
           place_text(lines_[one].span) == place_text(lines_[other].span);
  }

  // How many lines from `other` on are those from `one` on, without a change of the thread in either.
  std::size_t common(std::size_t one, std::size_t other) const {
    std::size_t count = 0;
    while (one + count < other && other + count < lines_.size() && is_same_statement(one + count, other + count) &&
           (count == 0 || (!lines_[one + count].switches && !lines_[other + count].switches)))
      ++count;
    return count;
  }

  // Lines that have been told before, with other values or of another thread.
  void fold_repeated() {
    for (std::size_t i = 0; i < lines_.size() && !fits(); ++i) {
      std::size_t longest = 0;
      std::size_t told = 0;
      for (std::size_t before = 0; before < i; ++before) {
        const std::size_t count = common(before, i);
        if (count <= longest) continue;
        longest = count;
        told = before;
      }
      if (i + longest == lines_.size()) --longest;
      const bool is_turn = lines_[i].switches && (i + longest == lines_.size() || lines_[i + longest].switches);
      if (longest >= (is_turn ? 2 : 3)) fold_as(told, i, i + longest);
    }
  }

  void fold_as(std::size_t told, std::size_t first, std::size_t end) {
    std::vector<std::string> parts;
    for (std::size_t i = first; i < end; ++i) {
      for (const std::string& part : lines_[i].outside) add_part(parts, part);
    }
    StoryLine& line = lines_[first];
    line.folded = StoryLine::Folded::Repeated;
    line.effect = fmt::format("as in lines {} to {}{}{}", told + 1, told + end - first, parts.empty() ? "" : ": ",
                              fmt::join(few(parts), ", "));
    line.called.clear();
    line.outside = std::move(parts);
    line.last = lines_[end - 1].last;
    erase(first + 1, end);
  }

  void erase(std::size_t first, std::size_t last) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(first),
                 lines_.begin() + static_cast<std::ptrdiff_t>(last));
  }

  std::vector<StoryLine> lines_;
};

}  // namespace

std::vector<StoryLine> folded(std::vector<StoryLine> lines) {
  return Folder(std::move(lines)).fold();
}

}  // namespace cohort::report
