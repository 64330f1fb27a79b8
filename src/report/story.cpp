#include "report/story.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <regex>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/contract.hpp"
#include "model/call_frames.hpp"
#include "report/call_words.hpp"
#include "report/condition.hpp"
#include "report/stretches.hpp"
#include "report/text.hpp"
#include "report/waiting.hpp"

namespace cohort::report {

namespace {

using Frames = std::vector<model::CallFrame>;

// "T1, T2"; of many in a row, "T1 to T20".
std::string in_short(const std::vector<std::string>& threads) {
  constexpr std::size_t few = 4;
  const auto number = [](const std::string& name) { return std::stoul(name.substr(1)); };
  bool is_row = threads.size() > few;
  for (std::size_t i = 1; i < threads.size(); ++i) is_row = is_row && number(threads[i]) == number(threads[i - 1]) + 1;
  return is_row ? fmt::format("{} to {}", threads.front(), threads.back())
                : fmt::format("{}", fmt::join(threads, ", "));
}

// A stretch, or several of one statement or line, that is told.
struct Told {
  std::size_t stretch = 0;
  std::string thread;
  SourceSpan span;
  std::string statement;
  std::vector<std::pair<std::string, std::string>> created{};
  std::vector<std::string> parts{};
  std::optional<CallWords> call{};
  std::vector<std::string> joined{};  // threads that it waited for
  std::size_t last = 0;               // it ends before this step
  std::size_t times = 1;              // that this happened, one after the other
  bool is_minor = false;              // told only if another thread goes on next
  bool is_plain = false;
  bool is_end = false;      // of the thread, and nothing else
  bool is_given = false;    // arguments to a function that is not entered yet
  bool is_private = false;  // nobody else can see what it did
};

const std::string end_of_routine = "end of ";

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "creates T1, T2 running worker".
std::string creation(const std::vector<std::pair<std::string, std::string>>& created) {
  std::string text;
  for (std::size_t i = 0; i < created.size();) {
    std::vector<std::string> names;
    const std::size_t first = i;
    for (; i < created.size() && created[i].second == created[first].second; ++i) names.push_back(created[i].first);
    text += fmt::format("{}{} {}", first == 0 ? "creates " : ", ", in_short(names), created[first].second);
  }
  return text;
}

// `i++`, or the `int i = 0` before it: everybody counts along.
bool only_counts(const std::string& statement) {
  static const std::regex counting(
      R"((\+\+|--)\w+|\w+(\+\+|--)|\w+ *[+-]= *\d+|((unsigned|signed|long|short|int|char|size_t|const|u?int\d+_t) +)+\w+ *= *\d+|(struct +)?\w+ *\*+ *\w+ *= *(0|NULL|nullptr))");
  return std::regex_match(statement, counting);
}

class Teller {
 public:
  Teller(const Stretches& stretches, const model::Program& program, const model::Run& run)
      : stretches_(stretches), program_(program), run_(run) {
    for (const Waiting& waiting : waiting_threads(program, run)) awaited_.insert(waiting.wants);
  }

  std::vector<Told> tell() {
    for (std::size_t i = 0; i < stretches_.all().size(); ++i) add(i);
    if (!told_.empty() && told_.back().is_minor) told_.pop_back();
    drop_given();
    fold_sections();
    fold_ends();
    return std::move(told_);
  }

 private:
  void add(std::size_t number) {
    const Stretch& stretch = stretches_.all()[number];
    const StepView& step = stretches_.step(stretch);
    Effect effect = stretches_.effect(stretch);
    if (effect.empty()) return;
    if (!effect.violates) {
      if (effect.only_locals && only_counts(step.statement)) return;
      if (effect.only_ends && (told_.empty() || told_.back().thread != step.thread)) return;
      if (effect.wakes_nobody && !awaited_.contains(effect.call->object)) return;
    }
    // What a thread read last before another one went on is where the two come into each other's way; and what it read
    // where something goes wrong that reads nothing itself is why.
    const bool explains = (effect.violates && effect.reads.empty()) || effect.only_ends;
    if (!told_.empty() && told_.back().is_minor && told_.back().thread == step.thread) {
      if (explains) told_.back().is_minor = false;
      if (!explains) told_.pop_back();
    }
    Told one{.stretch = number,
             .thread = step.thread,
             .span = step.span,
             .statement = effect.is_at_end ? end_of_routine + step.statement : step.statement,
             .created = std::move(effect.created),
             .parts = std::move(effect.parts),
             .call = std::move(effect.call),
             .last = stretch.last};
    one.is_minor = effect.only_reads && (!effect.reads_foreign || is_known(step.thread, effect));
    if (one.call && one.call->kind == CallKind::Join && stretch.ends) {
      if (std::string thread = stretches_.joined(stretch); !thread.empty()) one.joined.push_back(std::move(thread));
    }
    one.is_given = effect.only_locals && !effect.violates && !one.call && call_of(one.statement);
    one.is_end = effect.only_ends;
    one.is_plain = !one.is_minor && !one.call && !one.is_end;
    one.is_private = effect.only_reads || effect.only_locals;
    for (const auto& [slot, value] : effect.reads) known_[step.thread][slot] = value;
    if (!join(one, step)) told_.push_back(std::move(one));
  }

  // Nobody sees arguments before the function is entered, and the line that says so has them again.
  void drop_given() {
    for (std::size_t i = 0; i + 1 < told_.size();) {
      if (told_[i].is_given && told_[i + 1].thread != told_[i].thread) {
        told_.erase(told_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  // The end of a thread is a part of its line before, which is then told whatever it is.
  void fold_ends() {
    for (std::size_t i = 1; i < told_.size();) {
      Told& before = told_[i - 1];
      if (!told_[i].is_end || before.thread != told_[i].thread || before.times > 1) {
        ++i;
        continue;
      }
      before.parts.insert(before.parts.end(), told_[i].parts.begin(), told_[i].parts.end());
      before.last = told_[i].last;
      before.is_private = before.is_private && told_[i].is_private;
      told_.erase(told_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  // Has the thread been told to have read just that?
  bool is_known(const std::string& thread, const Effect& effect) {
    const auto& known = known_[thread];
    return std::all_of(effect.reads.begin(), effect.reads.end(), [&](const auto& read) {
      const auto found = known.find(read.first);
      return found != known.end() && found->second == read.second;
    });
  }

  Frames frames_of(const Told& one) const {
    return calls_around(program_, run_.steps[stretches_.all()[one.stretch].first].edge);
  }

  // Makes it a part of the line before, if that is the same statement once more or another one of the same line.
  bool join(const Told& one, const StepView& step) {
    if (told_.empty() || told_.back().thread != one.thread) return false;
    Told& before = told_.back();
    if (before.span.file != one.span.file || before.span.line != one.span.line) return false;
    if (frames_of(before) != frames_of(one)) return false;
    const bool is_same = before.statement == one.statement && before.call.has_value() == one.call.has_value();
    if (is_same && !one.joined.empty() && !before.joined.empty()) {
      before.joined.insert(before.joined.end(), one.joined.begin(), one.joined.end());
      before.parts = {in_short(before.joined) + " have ended"};
      before.last = one.last;
      return true;
    }
    if (is_same && one.call && before.parts == one.parts && one.created.empty() == before.created.empty()) {
      before.created.insert(before.created.end(), one.created.begin(), one.created.end());
      if (one.created.empty()) ++before.times;
      before.last = one.last;
      before.is_private = before.is_private && one.is_private;
      return true;
    }
    if (!one.is_plain || !before.is_plain) return false;
    // An expression and the statement that it is a part of are one statement, and so are the parts of a condition.
    const std::string whole = with_keyword(one.span, one.statement);
    if (one.statement.starts_with(end_of_routine) || whole == with_keyword(before.span, before.statement)) {
      // The line says so already.
    } else if (one.statement.find(before.statement) != std::string::npos) {
      before.statement = one.statement;
      before.span = one.span;
    } else if (before.statement.find(step.statement) == std::string::npos) {
      before.statement += "; " + one.statement;
    }
    before.created.insert(before.created.end(), one.created.begin(), one.created.end());
    for (const std::string& part : one.parts) {
      // What it reads may be what it has just been told to write.
      const bool is_told = part.starts_with("reads ") &&
                           std::find(before.parts.begin(), before.parts.end(), part.substr(6)) != before.parts.end();
      if (!is_told && (before.parts.empty() || before.parts.back() != part)) before.parts.push_back(part);
    }
    before.last = one.last;
    before.is_private = before.is_private && one.is_private;
    return true;
  }

  // A section that nobody else came into is told by the line that begins it.
  void fold_sections() {
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (!told_[i].call || told_[i].times != 1) continue;
      const bool takes = told_[i].call->kind == CallKind::Lock || told_[i].call->kind == CallKind::TryLock;
      if (!takes || told_[i].parts.size() != 1 || told_[i].parts.front() != told_[i].call->done) continue;
      for (std::size_t j = i + 1; j < told_.size() && told_[j].thread == told_[i].thread; ++j) {
        const auto& call = told_[j].call;
        if (!call || call->kind == CallKind::Signal || call->object != told_[i].call->object) continue;
        if (call->kind != CallKind::Unlock || told_[j].parts.size() != 1 || told_[j].parts.front() != call->done) break;
        if (!told_[j].span.known()) break;
        told_[i].parts.front() += fmt::format(" until line {}", told_[j].span.line);
        told_[i].is_private = true;
        told_.erase(told_.begin() + static_cast<std::ptrdiff_t>(j));
        break;
      }
    }
  }

  const Stretches& stretches_;
  const model::Program& program_;
  const model::Run& run_;
  std::set<std::string> awaited_;                                     // what threads wait for at the end
  std::map<std::string, std::map<std::size_t, model::Value>> known_;  // of each thread: what it was told to have read
  std::vector<Told> told_;
};

// Puts the calls before what is told of them, and says how deep in calls each line is.
class Nesting {
 public:
  Nesting(const Stretches& stretches, const model::Program& program, const model::Run& run)
      : stretches_(stretches), program_(program), run_(run) {}

  std::vector<StoryLine> lines(const std::vector<Told>& told) {
    for (const Told& one : told) {
      const Stretch& stretch = stretches_.all()[one.stretch];
      // Whoever has left a call and comes into it again calls it again, though nothing is told in between.
      for (; passed_ <= stretch.first; ++passed_) leave(passed_);
      const Frames frames = frames_of(stretch.first);
      const std::string& routine = program_.templ(run_.steps[stretch.first].edge.templ).name;
      enter(one.thread, routine, frames, stretch.first, one.span);
      std::vector<std::string> parts = one.parts;
      if (!one.created.empty()) parts.insert(parts.begin(), creation(one.created));
      const std::string times = one.times > 1 ? fmt::format(" ({} times)", one.times) : "";
      StoryLine line{one.thread, one.span, one.statement, joined(parts) + times, false, one.last, frames.size()};
      if (!one.is_private) line.outside = std::move(parts);
      add(std::move(line));
    }
    for (StoryLine& line : lines_) {
      if (line.called.empty()) line.statement = with_keyword(line.span, line.statement);
    }
    return std::move(lines_);
  }

 private:
  Frames frames_of(std::size_t step) const { return calls_around(program_, run_.steps[step].edge); }

  void leave(std::size_t step) {
    Frames& open = open_[stretches_.thread(step)];
    const Frames here = frames_of(step);
    const auto [end, other] = std::mismatch(open.begin(), open.end(), here.begin(), here.end());
    open.erase(end, open.end());
  }

  // Where the call is, if it is in the file of what it calls.
  static SourceSpan span_of(const model::CallFrame& frame, const SourceSpan& near) {
    const std::size_t colon = frame.place.rfind(':');
    SourceSpan span{near.file, 0, 1};
    if (colon == std::string::npos || !near.known()) return {};
    std::from_chars(frame.place.data() + colon + 1, frame.place.data() + frame.place.size(), span.line);
    return place_text(span) == frame.place ? span : SourceSpan{};
  }

  void enter(const std::string& thread, const std::string& routine, const Frames& frames, std::size_t before,
             const SourceSpan& near) {
    Frames& open = open_[thread];
    for (std::size_t depth = open.size(); depth < frames.size(); ++depth) {
      const model::CallFrame& frame = frames[depth];
      const bool is_told = !lines_.empty() && lines_.back().thread == thread && lines_.back().depth == depth &&
                           lines_.back().statement == frame.text && place_text(lines_.back().span) == frame.place;
      if (is_told) {
        // What it says so far are the values that the call is given.
        StoryLine& line = lines_.back();
        if (line.called.empty()) line.effect = fmt::format("calls {}: {}", frame.function, line.effect);
        line.called = frame.function;
      } else {
        // Some functions are called when the routine has ended.
        const std::string text = frame.text == routine ? end_of_routine + routine : frame.text;
        add({thread, span_of(frame, near), text, "calls " + frame.function, false, before, depth, frame.function});
      }
      open.push_back(frame);
    }
  }

  void add(StoryLine line) {
    line.switches = !lines_.empty() && lines_.back().thread != line.thread;
    lines_.push_back(std::move(line));
  }

  const Stretches& stretches_;
  const model::Program& program_;
  const model::Run& run_;
  std::vector<StoryLine> lines_;
  std::map<std::string, Frames> open_;  // of each thread: the calls that were told and that it is in
  std::size_t passed_ = 0;              // the next step to look at
};

}  // namespace

bool has_story(const model::Program& program) {
  return program.atlas != nullptr;
}

std::vector<StoryLine> story_of(const model::Program& program, const model::Run& run) {
  const Stretches stretches(program, run);
  return Nesting(stretches, program, run).lines(Teller(stretches, program, run).tell());
}

std::vector<std::string> start_of(const model::Program& program, const model::Run& run) {
  return Stretches(program, run).start();
}

std::vector<std::string> seen_at_end(const model::Program& program, const model::Run& run) {
  const Stretches stretches(program, run);
  if (stretches.all().empty()) return {};
  const Stretch& last = stretches.all().back();
  std::vector<std::string> values = stretches.seen(last);
  const auto depth = [&](const Stretch& stretch) {
    return calls_around(program, run.steps[stretch.first].edge).size();
  };
  // What a function returned that it calls: what was looked at there.
  for (std::size_t i = stretches.all().size() - 1; values.empty() && i-- > 0;) {
    const Stretch& before = stretches.all()[i];
    if (stretches.thread(before.first) != stretches.thread(last.first)) continue;
    if (depth(before) <= depth(last)) break;
    values = stretches.seen(before);
  }
  return values;
}

std::map<std::string, std::vector<HeldLock>> locks_held(const model::Program& program, const model::Run& run) {
  const Stretches stretches(program, run);
  std::map<std::string, std::vector<HeldLock>> held;
  std::map<std::string, std::vector<HeldLock>> given_back;  // by those who wait for a condition meanwhile
  for (const Stretch& stretch : stretches.all()) {
    const StepView& step = stretches.step(stretch);
    const auto call = stretches.call(stretch);
    const std::set<std::size_t> slots = stretches.shared_changes(stretch);
    if (!call || (slots.empty() && !stretches.changes_own_object(stretch))) continue;
    auto& locks = held[step.thread];
    const auto is_about = [&](const HeldLock& lock) {
      // Of a lock that only this thread sees there are no slots.
      if (lock.slots.empty()) return lock.object == call->object || lock.object == call->mutex;
      return std::any_of(lock.slots.begin(), lock.slots.end(), [&](std::size_t slot) { return slots.contains(slot); });
    };
    if (call->kind == CallKind::Lock || call->kind == CallKind::TryLock) {
      locks.push_back({call->object, step.span, slots});
    } else if (call->kind == CallKind::Wait && !stretch.begins) {
      // Woken is one thing, and having the lock again another.
      auto& waiting = given_back[step.thread];
      for (const HeldLock& lock : waiting) {
        if (is_about(lock)) locks.push_back({lock.object, step.span, lock.slots});
      }
      std::erase_if(waiting, is_about);
    } else if (call->kind == CallKind::Unlock || call->kind == CallKind::Wait) {
      if (call->kind == CallKind::Wait) {
        auto& waiting = given_back[step.thread];
        std::copy_if(locks.begin(), locks.end(), std::back_inserter(waiting), is_about);
      }
      std::erase_if(locks, is_about);
    }
  }
  return held;
}

}  // namespace cohort::report
