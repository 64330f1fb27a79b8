#include "engine/pointer/pointer_engine.hpp"

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/memory_guard.hpp"
#include "engine/pointer/activity.hpp"
#include "engine/pointer/canonical.hpp"
#include "engine/pointer/compiled.hpp"
#include "engine/pointer/concretize.hpp"
#include "engine/pointer/initial.hpp"
#include "engine/pointer/layout.hpp"
#include "engine/pointer/symmetry.hpp"
#include "engine/self_check.hpp"
#include "engine/state_store.hpp"
#include "result/named_certificate.hpp"

namespace cohort::engine::pointer {

using result::Result;
using result::Verdict;

namespace {

// A certificate lists every state as it is: its checker trusts neither symmetry nor what is said of variables.
class Search {
 public:
  Search(Env& env, const Task& task)
      : env_(env),
        certifies_(task.options.certificate),
        layout_(task.program),
        compiled_(layout_),
        activity_(task.options.inactive && !certifies_ ? Activity(layout_) : Activity::everything(layout_)),
        symmetry_(task.options.symmetry && !certifies_ ? find_symmetry(layout_) : no_symmetry(layout_)),
        canonise_(layout_, symmetry_),
        depth_first_(task.options.order == SearchOrder::DepthFirst),
        cells_(layout_.cells()),
        next_(layout_.cells()) {}

  Result run() {
    const double start = env_.limits.elapsed_seconds();
    bool complete = explore();
    if (complete && bad_ == StateStore::none) {
      self_check(env_, "the stored states are representatives and closed under all steps", [&] { return is_closed(); });
      complete = env_.stop_reason() == StopReason::None;
    }
    record(env_.limits.elapsed_seconds() - start);
    Result result;
    if (bad_ != StateStore::none) {
      result.verdict = Verdict::Unsafe;
      result.property = property_;
      result.run = find_run();
    } else if (complete) {
      result.verdict = Verdict::Safe;
      if (certifies_) result.certificate = certificate();
    } else {
      const std::string seen = depth_first_ ? "" : fmt::format(" within {} steps", depth_);
      result.reason = fmt::format("{}; no violation{} ({} states)", env_.describe_stop(), seen, store_.size());
    }
    return result;
  }

 private:
  const Permutation& represent(std::span<Cell> cells) {
    activity_.reset(cells);
    return canonise_(cells);
  }

  // Adds the state in next_, which is a representative; false when it violates a property.
  bool add(StateStore::Ref parent) {
    layout_.pack(next_, word_);
    const StateStore::Insertion insertion = store_.insert(word_, parent);
    if (!insertion.fresh) return true;
    if (depth_first_) stack_.push_back(insertion.ref);
    property_ = compiled_.violated(next_);
    if (!property_) return true;
    bad_ = insertion.ref;
    return false;
  }

  // True at the fixpoint.
  bool explore() {
    for_each_initial(env_, compiled_, activity_, [&](const Cells& cells) {
      std::copy(cells.begin(), cells.end(), next_.begin());
      represent(next_);
      return add(StateStore::none);
    });
    if (bad_ != StateStore::none || env_.stop_reason() != StopReason::None) return false;
    StateStore::Ref scanned = store_.begin();
    StateStore::Ref level_end = store_.end();
    while (depth_first_ ? !stack_.empty() : scanned != store_.end()) {
      if (env_.stop_requested("pointer-search")) return false;
      if (!depth_first_ && scanned >= level_end) {
        level_end = store_.end();
        ++depth_;
      }
      StateStore::Ref here = scanned;
      if (depth_first_) {
        here = stack_.back();
        stack_.pop_back();
      } else {
        scanned = store_.next(scanned, layout_.packed_bytes());
      }
      if (!expand(here)) return false;
      env_.report_progress([&] { return fmt::format("{} states, depth {}", store_.size(), depth_); });
    }
    return true;
  }

  bool expand(StateStore::Ref here) {
    layout_.unpack(store_.bytes(here), cells_);
    canonise_.note_twins(cells_);
    for (std::uint32_t process = 0; process < layout_.processes(); ++process) {
      if (canonise_.has_twin(process)) continue;
      for (const std::uint32_t edge : compiled_.edges_from(cells_[layout_.location_cell(process)])) {
        std::copy(cells_.begin(), cells_.end(), next_.begin());
        const Compiled::Outcome outcome = compiled_.step(edge, process, next_);
        if (outcome == Compiled::Outcome::Blocked) continue;
        ++transitions_;
        if (outcome == Compiled::Outcome::Fault) {
          bad_ = here;
          fault_ = true;
          property_.reset();
          return false;
        }
        if (next_ == cells_) continue;  // it waits
        // The others are as they were in a representative.
        for (const std::uint32_t written : compiled_.touched()) activity_.reset(next_, written);
        canonise_(next_);
        if (!add(here)) return false;
      }
    }
    return true;
  }

  // Looks at every stored state once more: it is its own representative, packs to the same bytes, and no step leads to
  // one that is not stored, violates or faults.  True as well when a limit stopped it.
  bool is_closed() {
    const std::uint64_t size = store_.size();
    for (StateStore::Ref ref = store_.begin(); ref != store_.end(); ref = store_.next(ref, layout_.packed_bytes())) {
      if (env_.stop_requested("pointer-search")) return true;
      layout_.unpack(store_.bytes(ref), next_);
      const Cells before = next_;
      represent(next_);
      if (next_ != before) return false;
      if (!add(ref) || store_.size() != size) return false;
      if (!expand(ref) || store_.size() != size) return false;
    }
    return true;
  }

  std::unique_ptr<result::Certificate> certificate() {
    auto certificate = std::make_unique<result::NamedCertificate>();
    for (StateStore::Ref ref = store_.begin(); ref != store_.end(); ref = store_.next(ref, layout_.packed_bytes())) {
      env_.poll("pointer-certificate");
      layout_.unpack(store_.bytes(ref), cells_);
      certificate->states.push_back(layout_.to_state(cells_));
    }
    return certificate;
  }

  model::Run find_run() {
    std::vector<Cells> path;
    for (StateStore::Ref ref = bad_; ref != StateStore::none; ref = store_.parent(ref)) {
      layout_.unpack(store_.bytes(ref), path.emplace_back(layout_.cells()));
    }
    std::reverse(path.begin(), path.end());
    Cells initial;
    // Limits have no say here: the violation is found, and it deserves its run.
    Env env;
    for_each_initial(env, compiled_, activity_, [&](const Cells& cells) {
      initial = cells;
      Cells representative = cells;
      represent(representative);
      return representative != path[0];
    });
    return concretize(layout_, initial, path, fault_, [&](Cells& cells) { return represent(cells); });
  }

  void record(double seconds) {
    Statistics& statistics = env_.statistics;
    statistics.set("states", store_.size());
    statistics.set("transitions", transitions_);
    statistics.set("store_bytes", store_.memory());
    statistics.set("graph_labellings", canonise_.labellings());
    const std::uint32_t classes = *std::max_element(symmetry_.classes.begin(), symmetry_.classes.end()) + 1;
    statistics.set("process_classes", std::uint64_t{classes});
    if (!symmetry_.listed.empty()) statistics.set("listed_permutations", std::uint64_t{symmetry_.listed.size()});
    statistics.set("search_seconds", seconds);
  }

  Env& env_;
  bool certifies_;
  Layout layout_;
  Compiled compiled_;
  Activity activity_;
  Symmetry symmetry_;
  Canoniser canonise_;
  bool depth_first_;
  StateStore store_{&env_};
  std::vector<StateStore::Ref> stack_;
  Cells cells_;
  Cells next_;
  std::vector<std::uint8_t> word_;
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  StateStore::Ref bad_ = StateStore::none;  // the state that violates, or that a faulting step leaves
  bool fault_ = false;
  std::optional<model::PropertyId> property_;
};

}  // namespace

std::string_view PointerEngine::purpose() const {
  return "Explicit-state search for algorithms with pointers between processes: exact canonical forms under process "
         "symmetry, inactive variables reset, shortest traces.";
}

std::string_view PointerEngine::fragment() const {
  return "A fixed set of processes of one template with pointers, ranges and Booleans, and conditions over all "
         "processes; "
         "steps are deterministic.";
}

std::optional<std::string> refuses_task(const Task& task) {
  if (task.options.partial_order) return "the pointer engines have no partial-order reduction";
  return refuses_program(task.program, task.bound);
}

std::optional<std::string> refuses_certificate(const Task& task) {
  if (!task.options.certificate) return std::nullopt;
  return "of the pointer engines only pointer writes certificates, for a number of processes";
}

bool PointerEngine::judges(model::PropertyKind kind) const {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Cover:
    case Kind::Deadlock: return false;
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

std::optional<std::string> PointerEngine::refuses(const Task& task) const {
  const auto judged = [this](model::PropertyKind kind) { return judges(kind); };
  if (auto reason = model::unjudged(task.program, judged)) return reason;
  return refuses_task(task);
}

Result PointerEngine::check(Env& env, const Task& task) const {
  COHORT_EXPECT(!refuses(task), "an engine checks only what it takes");
  try {
    return Search(env, task).run();
  } catch (const Stopped& stopped) {
    return Result::unknown(stopped.what());
  } catch (const std::bad_alloc& lack) {
    return Result::unknown(describe_lack_of_memory(lack, env.limits));
  }
}

}  // namespace cohort::engine::pointer
