#include "result/upward_certificate.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/analysis/access.hpp"
#include "model/analysis/visit.hpp"
#include "model/guard_index.hpp"
#include "model/step.hpp"
#include "result/omega_threads.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;
using nlohmann::json;
using ControlKey = std::vector<std::uint32_t>;  // the shared state, then the threads of the control state, ascending

namespace {

// Threads that a broadcast moves; each is brought back on its own, one level deeper.
constexpr std::uint64_t most_moved = 1000;

void add(Multiset& threads, std::uint32_t local, std::uint64_t count) {
  COHORT_EXPECT(count > 0, "what is added is there");
  const auto it = std::lower_bound(threads.begin(), threads.end(), std::pair(local, std::uint64_t{0}));
  if (it != threads.end() && it->first == local) {
    it->second += count;
  } else {
    threads.insert(it, {local, count});
  }
}

std::uint64_t count_of(const Multiset& threads, std::uint32_t local) {
  const auto it = std::lower_bound(threads.begin(), threads.end(), std::pair(local, std::uint64_t{0}));
  return it != threads.end() && it->first == local ? it->second : 0;
}

bool includes(const Multiset& larger, const Multiset& smaller) {
  COHORT_EXPECT(std::is_sorted(larger.begin(), larger.end()), "multisets ascend");
  return std::all_of(smaller.begin(), smaller.end(),
                     [&](const auto& cell) { return count_of(larger, cell.first) >= cell.second; });
}

// A superset of local states has a superset of bits.
std::uint64_t bits_of(const Multiset& threads) {
  std::uint64_t bits = 0;
  for (const auto& [local, count] : threads) bits |= std::uint64_t{1} << (local % 64);
  return bits;
}

struct Bad {
  Multiset threads;
  std::uint64_t bits = 0;
};

struct Control {
  Valuation shared;
  std::vector<std::uint32_t> threads;
  std::vector<bool> possible;  // by local state
  std::vector<Bad> bad;
  bool has_holder = false;
};

// One way a step can go: it uses `used` and makes `made`; the others stay, or move as the broadcast says.
struct Step {
  std::uint32_t from = 0;
  Multiset used;
  Multiset made;
  std::optional<model::Broadcast> broadcast;
};

class Checker {
 public:
  explicit Checker(const Checking& checking)
      : checking_(checking), env_(checking.env), program_(checking.program), stepper_(program_, &env_) {
    const json& certificate = checking.certificate;
    const bool weighs = certificate.contains("weightings");
    if (certificate.contains("cases")) {
      expect_members(certificate, {"kind", "unique", "shared", "locals", "controls", "traps", "weightings", "cases"});
    } else if (weighs) {
      expect_members(certificate, {"kind", "unique", "shared", "locals", "controls", "traps", "weightings"});
    } else {
      expect_members(certificate, {"kind", "unique", "shared", "locals", "controls"});
    }
    expect_countable(program_);
    for (const model::Template& templ : program_.templates) guards_.emplace_back(program_, templ);
    read_unique(member(certificate, "unique"));
    read_tables();
    for (const json& control : elements(member(certificate, "controls"), "the control states")) read_control(control);
    if (weighs) read_weightings();
    into_.resize(controls_.size());
  }

  void run() {
    check_initial();
    for (std::uint32_t control = 0; control < controls_.size(); ++control) {
      check_violations(control);
      take_steps(control);
    }
    for (std::uint32_t control = 0; control < controls_.size(); ++control) {
      for (const Bad& bad : controls_[control].bad) check_predecessors(control, bad);
    }
  }

  std::size_t size() const { return size_; }
  const WeightingChecker& weightings() const { return weightings_; }

 private:
  void read_unique(const json& list) {
    unique_.assign(program_.templates.size(), false);
    for (const json& number : elements(list, "the unique templates")) {
      poll();
      const std::uint32_t templ = index_below(number, unique_.size(), "a unique template");
      if (!is_unique(model::TemplateId(templ))) {
        refute("a template of which there can be several threads is called unique");
      }
      if (is_changed_by_others(model::TemplateId(templ)))
        refute("a template whose thread others change is called unique");
      unique_[templ] = true;
    }
  }

  // One thread at the start, and no step makes another or moves it from outside.
  bool is_unique(model::TemplateId templ) const {
    std::uint64_t threads = 0;
    for (const model::InitialThreads& group : program_.initial) {
      if (group.templ == templ) threads += group.count.value_or(2);
    }
    if (threads != 1) return false;
    const auto concerns = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(), [&](const auto& item) { return item.templ == templ; });
    };
    return !model::any_action(program_, [&](const model::Action& action) {
      return concerns(action.spawns) || concerns(action.takes) || concerns(action.moves);
    });
  }

  // Threads of the control state are taken to stay as they are while another thread moves.
  bool is_changed_by_others(model::TemplateId templ) const {
    return model::any_action(program_, [&](const model::Action& action) {
      return std::any_of(action.assigns.begin(), action.assigns.end(), [&](const model::Assign& assign) {
        return assign.target.kind == model::LValue::Kind::Passive && assign.target.templ == templ;
      });
    });
  }

  void read_tables() {
    shared_ = shared_states_from_json(checking_, member(checking_.certificate, "shared"));
    for (std::uint32_t i = 0; i < shared_.size(); ++i) shared_index_.try_emplace(shared_[i], i);
    locals_ = thread_states_from_json(checking_, member(checking_.certificate, "locals"));
    for (std::uint32_t i = 0; i < locals_.size(); ++i) local_index_.try_emplace(locals_[i], i);
    if (shared_index_.size() != shared_.size() || local_index_.size() != locals_.size()) {
      refute("a state is listed twice");
    }
  }

  bool is_counted(const ThreadState& thread) const { return !thread.atomic && !unique_[thread.templ.value]; }

  std::uint32_t counted(const json& number) const {
    const std::uint32_t local = index_below(number, locals_.size(), "a local state");
    if (!is_counted(locals_[local])) refute("a thread of the control state is counted");
    return local;
  }

  void read_weightings() {
    const json& certificate = checking_.certificate;
    weightings_ = WeightingChecker(env_, member(certificate, "traps"), member(certificate, "weightings"),
                                   locals_.size(), controls_.size());
    if (certificate.contains("cases")) weightings_.read_cases(env_, member(certificate, "cases"));
    // At a bound, a thread may leave a trap while the one that it creates there is not created.
    if (checking_.bound && weightings_.trap_count() > 0 && model::creates_threads(program_)) {
      refuse("traps say nothing of programs in which a bound keeps threads from being created");
    }
  }

  Bad read_bad(const json& element) {
    poll();
    Bad bad;
    for (const json& cell : elements(element, "a bad configuration")) {
      const auto& pair = elements(cell, "a local state with its count");
      if (pair.size() != 2) misshapen("a local state with its count: expected two elements");
      const std::uint64_t count = natural(pair[1], "a count");
      if (count == 0) misshapen("a count: expected a positive number");
      add(bad.threads, counted(pair[0]), count);
    }
    bad.bits = bits_of(bad.threads);
    return bad;
  }

  void read_control(const json& entry) {
    poll();
    Control control;
    expect_members(entry, {"shared", "threads", "possible", "bad"});
    const std::uint32_t shared = index_below(member(entry, "shared"), shared_.size(), "a shared state");
    control.shared = shared_[shared];
    for (const json& number : elements(member(entry, "threads"), "the threads of a control state")) {
      const std::uint32_t local = index_below(number, locals_.size(), "a local state");
      if (is_counted(locals_[local])) refute("a counted thread is part of a control state");
      control.threads.push_back(local);
      if (!locals_[local].atomic) continue;
      if (control.has_holder) refute("a configuration has two threads inside atomic sections");
      control.has_holder = true;
    }
    control.possible.assign(locals_.size(), false);
    for (const json& local : elements(member(entry, "possible"), "what is possible")) {
      control.possible[counted(local)] = true;
    }
    for (const json& element : elements(member(entry, "bad"), "what is bad")) control.bad.push_back(read_bad(element));
    size_ += control.bad.size();
    ControlKey key = control.threads;
    std::sort(key.begin(), key.end());
    key.insert(key.begin(), shared);
    if (!control_index_.try_emplace(key, static_cast<std::uint32_t>(controls_.size())).second) {
      refute("a control state is listed twice");
    }
    COHORT_EXPECT(control_index_.size() == controls_.size() + 1, "every control state has its number");
    controls_.push_back(std::move(control));
  }

  std::uint32_t local_number(const ThreadState& thread) const {
    const auto it = local_index_.find(thread);
    if (it == local_index_.end()) refute("a local state that can be reached is not listed");
    return it->second;
  }

  std::uint32_t control_number(const Valuation& shared, std::vector<std::uint32_t> threads) const {
    std::sort(threads.begin(), threads.end());
    if (const auto it = shared_index_.find(shared); it != shared_index_.end()) {
      threads.insert(threads.begin(), it->second);
      if (const auto found = control_index_.find(threads); found != control_index_.end()) return found->second;
    }
    refute("a control state that can be reached is not listed");
  }

  bool is_possible(std::uint32_t control, const Multiset& threads) const {
    COHORT_EXPECT(control < controls_.size(), "the control state is listed");
    return std::all_of(threads.begin(), threads.end(),
                       [&](const auto& cell) { return controls_[control].possible[cell.first]; });
  }

  bool is_bad(std::uint32_t control, const Multiset& threads) const {
    return includes_bad(control, threads) || weightings_.refutes(control, threads);
  }

  bool includes_bad(std::uint32_t control, const Multiset& threads) const {
    const std::uint64_t bits = bits_of(threads);
    return std::any_of(controls_[control].bad.begin(), controls_[control].bad.end(),
                       [&](const Bad& bad) { return (bad.bits & ~bits) == 0 && includes(threads, bad.threads); });
  }

  void check_initial() {
    for_each_initial(env_, stepper_, [&](const Valuation& shared, const OmegaThreads& threads) {
      std::vector<std::uint32_t> fixed;
      Multiset others;
      Multiset exactly;
      std::vector<std::uint32_t> any_number;
      for (const auto& [thread, count] : threads) {
        if (is_counted(thread)) {
          add(others, local_number(thread), count);
          if (count == omega) {
            any_number.push_back(local_number(thread));
          } else {
            add(exactly, local_number(thread), count);
          }
        } else {
          fixed.push_back(local_number(thread));
        }
      }
      const std::uint32_t control = control_number(shared, std::move(fixed));
      if (!is_possible(control, others)) refute("an initial configuration is not possible");
      weightings_.add_initial(control, exactly, any_number);
      if (includes_bad(control, others)) refute("an initial configuration is bad");
    });
  }

  void expect_bad(std::uint32_t control, const Multiset& threads) const {
    if (!is_bad(control, threads)) refute("a violation is not bad");
  }

  void check_violations(std::uint32_t number) {
    const Control& control = controls_[number];
    COHORT_EXPECT(control.possible.size() == locals_.size(), "of every local state it is known whether it is possible");
    const auto is_error = [&](std::uint32_t local) {
      return program_.templ(locals_[local].templ).locations[locals_[local].location.value].error.has_value();
    };
    if (std::any_of(control.threads.begin(), control.threads.end(), is_error)) expect_bad(number, {});
    for (std::uint32_t local = 0; local < locals_.size(); ++local) {
      if (control.possible[local] && is_error(local)) expect_bad(number, {{local, 1}});
    }
    for (const model::Property& property : program_.properties) {
      if (property.kind != model::PropertyKind::Cover && property.kind != model::PropertyKind::Condition) continue;
      if (is_bad_in(program_, property, control.shared)) check_target(number, property);
    }
  }

  using Place = std::pair<model::TemplateId, model::LocId>;

  Place place_of(std::uint32_t local) const { return {locals_[local].templ, locals_[local].location}; }

  // The threads of the control state fill what they can of the target; the rest is made of possible threads.
  void check_target(std::uint32_t number, const model::Property& property) {
    std::map<Place, std::uint32_t> needs;
    for (const Place& place : property.threads) ++needs[place];
    for (const std::uint32_t local : controls_[number].threads) {
      const auto it = needs.find(place_of(local));
      if (it != needs.end() && it->second > 0) --it->second;
    }
    std::vector<Place> wanted;
    Multiset certain;
    for (const auto& [place, count] : needs) {
      const std::vector<std::uint32_t> fit = candidates(number, place);
      if (count > 0 && fit.empty()) return;  // nobody can be there
      if (count > 0 && fit.size() == 1) add(certain, fit[0], count);
      if (fit.size() > 1) wanted.insert(wanted.end(), count, place);
    }
    if (wanted.size() > most_moved) refuse("a target with more threads than are chosen one by one");
    check_target(number, wanted, 0, certain);
  }

  std::vector<std::uint32_t> candidates(std::uint32_t control, const Place& place) const {
    std::vector<std::uint32_t> fit;
    for (std::uint32_t local = 0; local < locals_.size(); ++local) {
      if (controls_[control].possible[local] && place_of(local) == place) fit.push_back(local);
    }
    return fit;
  }

  // Every choice of possible threads for the rest of a target.
  void check_target(std::uint32_t control, const std::vector<Place>& wanted, std::size_t index,
                    const Multiset& chosen) {
    COHORT_EXPECT(index <= wanted.size(), "no more threads are chosen than the target needs");
    poll();
    if (is_bad(control, chosen)) return;
    if (index == wanted.size()) refute("a violation is not bad");
    for (const std::uint32_t local : candidates(control, wanted[index])) {
      Multiset more = chosen;
      add(more, local, 1);
      check_target(control, wanted, index + 1, more);
    }
  }

  void poll() { env_.poll("check-upward-set"); }

  void take_steps(std::uint32_t number) {
    const Control& control = controls_[number];
    for (const std::uint32_t local : control.threads) {
      if (!control.has_holder || locals_[local].atomic) take_steps_of(number, local, {});
    }
    if (control.has_holder) return;
    for (std::uint32_t local = 0; local < locals_.size(); ++local) {
      COHORT_EXPECT(!control.possible[local] || is_counted(locals_[local]), "only counted threads are called possible");
      if (control.possible[local]) take_steps_of(number, local, {{local, 1}});
    }
  }

  // `used`: the thread that moves, unless it is part of the control state.
  void take_steps_of(std::uint32_t number, std::uint32_t mover, const Multiset& used) {
    COHORT_EXPECT(mover < locals_.size() && (used.empty() || count_of(used, mover) == 1),
                  "a step uses the thread that moves");
    const Control& control = controls_[number];
    const ThreadState& thread = locals_[mover];
    for (const std::uint32_t edge : guards_[thread.templ.value].candidates(thread.location, control.shared)) {
      poll();
      for (const model::Outcome& outcome : stepper_.outcomes({thread.templ, edge}, control.shared, thread)) {
        if (outcome.fault) {
          expect_bad(number, used);
          continue;
        }
        add_step(number, mover, used, outcome,
                 outcome.takes ? program_.templ(thread.templ).edges[edge].actions[*outcome.takes].takes
                               : std::vector<model::Take>{});
      }
    }
  }

  void add_step(std::uint32_t number, std::uint32_t mover, const Multiset& used, const model::Outcome& outcome,
                const std::vector<model::Take>& takes) {
    Step step{.from = number, .used = used, .made = {}, .broadcast = outcome.broadcast};
    std::vector<std::uint32_t> fixed;
    for (const std::uint32_t local : controls_[number].threads) {
      if (local != mover) fixed.push_back(local);
    }
    for (const model::Take& take : takes) {
      if (!program_.templ(take.templ).locals.empty()) refuse("a step takes threads that have local variables");
      // A thread that is nowhere possible cannot be taken: the step does not happen.
      const auto taken = local_index_.find({take.templ, take.from, false, {}});
      if (taken == local_index_.end() || !controls_[number].possible[taken->second]) return;
      add(step.used, taken->second, 1);
    }
    // From here on the step can happen, so all that it makes must be listed.
    const auto make = [&](const ThreadState& thread) {
      if (is_counted(thread)) {
        add(step.made, local_number(thread), 1);
      } else {
        fixed.push_back(local_number(thread));
      }
    };
    for (const model::Take& take : takes) {
      if (take.to) make({take.templ, *take.to, false, {}});
    }
    if (!outcome.ended) make(outcome.thread);
    for (const ThreadState& child : outcome.children) make(child);
    const std::uint32_t to = control_number(outcome.shared, std::move(fixed));
    if (!is_possible(to, step.made)) refute("a step leads to a thread state that is not possible");
    weightings_.check_step(number, step.used, to, step.made);
    check_others(step, to);
    COHORT_EXPECT(to < into_.size() && step.from == number, "a step leads between control states that are listed");
    into_[to].push_back(std::move(step));
  }

  // Threads that a step does not use stay possible.
  void check_others(const Step& step, std::uint32_t to) {
    if (!step.broadcast && (step.from == to || !passed_.emplace(step.from, to).second)) return;
    for (std::uint32_t local = 0; local < locals_.size(); ++local) {
      if (!controls_[step.from].possible[local]) continue;
      bool fine = true;
      if (!step.broadcast) {
        fine = controls_[to].possible[local];
      } else {
        for (const ThreadState& after : stepper_.passive_outcomes(*step.broadcast, locals_[local])) {
          fine = fine && controls_[to].possible[local_number(after)];
          weightings_.check_moved(local, local_number(after));
        }
      }
      if (!fine) refute("a step leads to a thread state that is not possible");
    }
  }

  void check_predecessors(std::uint32_t control, const Bad& bad) {
    COHORT_EXPECT(bad.bits == bits_of(bad.threads), "the bits of a multiset are those of its threads");
    for (const Step& step : into_[control]) {
      poll();
      if (!step.broadcast && step.from == control && (bits_of(step.made) & bad.bits) == 0) continue;
      Multiset rest;
      for (const auto& [local, count] : bad.threads) {
        const std::uint64_t made = count_of(step.made, local);
        if (made < count) rest.emplace_back(local, count - made);
      }
      if (step.broadcast) {
        std::uint64_t moved = 0;
        for (const auto& [local, count] : rest) moved += count;
        if (moved > most_moved) {
          refuse("a broadcast moves more threads of a bad configuration than are followed one by one");
        }
        check_origins(step, rest, 0, step.used);
      } else {
        if (!is_possible(step.from, rest)) continue;
        for (const auto& [local, count] : step.used) add(rest, local, count);
        expect_predecessor_bad(step.from, rest);
      }
    }
  }

  void expect_predecessor_bad(std::uint32_t control, const Multiset& threads) const {
    if (!is_bad(control, threads)) refute("a step leads from what is not bad to what is");
  }

  // Brings the threads of `rest`, one after the other, back to every place that the broadcast may have moved them from.
  void check_origins(const Step& step, Multiset rest, std::uint32_t first, const Multiset& before) {
    poll();
    if (rest.empty()) {
      expect_predecessor_bad(step.from, before);
      return;
    }
    COHORT_EXPECT(step.broadcast && rest.back().second > 0, "a broadcast moved the threads that are left");
    const std::uint32_t moved = rest.back().first;
    const bool last_here = --rest.back().second == 0;
    if (last_here) rest.pop_back();
    for (std::uint32_t local = first; local < locals_.size(); ++local) {
      if (!controls_[step.from].possible[local]) continue;
      const auto after = stepper_.passive_outcomes(*step.broadcast, locals_[local]);
      if (std::find(after.begin(), after.end(), locals_[moved]) == after.end()) continue;
      Multiset more = before;
      add(more, local, 1);
      // Threads at one place are alike: they are brought back in ascending order.
      check_origins(step, rest, last_here ? 0 : local, more);
    }
  }

  const Checking& checking_;
  Env& env_;
  const model::Program& program_;
  model::Stepper stepper_;
  std::vector<model::GuardIndex> guards_;
  std::vector<bool> unique_;
  std::vector<Valuation> shared_;
  std::vector<ThreadState> locals_;
  std::unordered_map<Valuation, std::uint32_t, model::ValuationHash> shared_index_;
  std::unordered_map<ThreadState, std::uint32_t, model::ThreadStateHash> local_index_;
  std::vector<Control> controls_;
  std::map<ControlKey, std::uint32_t> control_index_;
  std::vector<std::vector<Step>> into_;                       // steps by the control state that they lead to
  std::set<std::pair<std::uint32_t, std::uint32_t>> passed_;  // control states between which threads stay possible
  WeightingChecker weightings_;
  std::size_t size_ = 0;
};

}  // namespace

std::string_view UpwardCertificate::kind() const {
  const bool weighs = !weightings.empty() || !cases.empty();
  const bool linear =
      weighs && std::all_of(controls.begin(), controls.end(), [](const auto& control) { return control.bad.empty(); });
  return linear ? linear_kind_name : kind_name;
}

json UpwardCertificate::to_json(const model::Program&) const {
  json result;
  result["kind"] = kind();
  result["unique"] = json::array();
  for (const model::TemplateId templ : unique) result["unique"].push_back(templ.value);
  result["shared"] = shared;
  result["locals"] = thread_states_to_json(locals);
  result["controls"] = json::array();
  for (const Control& control : controls) {
    COHORT_EXPECT(control.shared < shared.size(), "a control state has a shared state of the table");
    COHORT_EXPECT(std::all_of(control.possible.begin(), control.possible.end(),
                              [&](std::uint32_t local) { return local < locals.size(); }),
                  "what is possible is listed");
    result["controls"].push_back({{"shared", control.shared},
                                  {"threads", control.threads},
                                  {"possible", control.possible},
                                  {"bad", control.bad}});
  }
  if (!weightings.empty() || !cases.empty()) {
    result["traps"] = traps_to_json(traps);
    result["weightings"] = weightings_to_json(weightings);
  }
  if (!cases.empty()) result["cases"] = cases_to_json(cases);
  return result;
}

namespace {

std::string check(const Checking& checking) {
  Checker checker(checking);
  checker.run();
  if (checker.size() == 0 && checker.weightings().size() > 0) {
    return fmt::format(
        "{} weightings that no step increases and {} traps exclude every violation, with any number of threads",
        checker.weightings().size(), checker.weightings().trap_count());
  }
  return fmt::format(
      "{} minimal configurations lie below all that can lead to a violation; none is reached with any number of "
      "threads",
      checker.size());
}

bool judges(model::PropertyKind kind) {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Deadlock: return false;  // more threads may free those that wait
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

}  // namespace

const CertificateKind upward_kind{UpwardCertificate::kind_name, judges, check};
const CertificateKind marking_equation_kind{UpwardCertificate::linear_kind_name, judges, check};

}  // namespace cohort::result
