#include "engine/unbounded/certify.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/contract.hpp"
#include "result/omega_certificate.hpp"
#include "result/symbolic_omega_certificate.hpp"
#include "result/upward_certificate.hpp"

namespace cohort::engine::unbounded {

namespace {

// Gives values numbers in the order in which they are first asked for, and lists them.
template <class Value>
class Table {
 public:
  explicit Table(std::vector<Value>& list) : list_(list) {}

  std::uint32_t operator()(const Value& value) {
    const auto [entry, is_new] = index_.try_emplace(value, static_cast<std::uint32_t>(list_.size()));
    if (is_new) list_.push_back(value);
    return entry->second;
  }

 private:
  std::vector<Value>& list_;
  std::map<Value, std::uint32_t> index_;
};

// The threads that are part of a control state.
std::vector<model::ThreadState> threads_of(const CounterSystem& system, ControlId control) {
  std::vector<model::ThreadState> threads;
  if (system.has_single()) threads.push_back(system.single_state(control));
  if (system.control(control).holder != model::no_id) threads.push_back(system.holder_state(control));
  return threads;
}

}  // namespace

std::unique_ptr<result::Certificate> certify(const KarpMiller& tree) {
  const CounterSystem& system = tree.system();
  auto certificate = std::make_unique<result::OmegaCertificate>();
  Table shared(certificate->shared);
  Table locals(certificate->locals);
  for (const std::uint32_t node : tree.cover()) {
    const ControlId control = tree.nodes()[node].control;
    result::OmegaCertificate::Configuration configuration;
    configuration.shared = shared(system.shared_state(control));
    for (const model::ThreadState& thread : threads_of(system, control)) {
      configuration.cells.emplace_back(locals(thread), 1);
    }
    for (const Token& token : tree.tokens(node)) {
      configuration.cells.emplace_back(locals(system.thread_state(token.place)),
                                       token.count == omega ? std::nullopt : std::optional(token.count));
    }
    certificate->configurations.push_back(std::move(configuration));
  }
  return certificate;
}

// The invariants by the certificate's numbers.
class InvariantWriter {
 public:
  InvariantWriter(const Net& net, Table<model::ThreadState>& locals,
                  const std::unordered_map<ControlId, std::size_t>& controls)
      : net_(net), locals_(locals), controls_(controls) {}

  void write(const Invariants& invariants, result::UpwardCertificate& certificate) {
    for (const Trap& trap : invariants.traps()) {
      result::WeightedTrap& written = certificate.traps.emplace_back();
      for_each(trap.places, [&](Place place, bool) { written.locals.push_back(local(place)); });
      for_each_control(trap.controls, [&](std::size_t control, bool) {
        written.controls.push_back(static_cast<std::uint32_t>(control));
      });
    }
    for (const Weighting& weighting : invariants.weightings()) certificate.weightings.push_back(written(weighting));
    for (const Cases& cases : invariants.cases()) certificate.cases.push_back(written(cases));
  }

 private:
  result::Weighting written(const Weighting& weighting) {
    result::Weighting written;
    for_each(weighting.places, [&](Place place, Weight weight) { written.locals.emplace_back(local(place), weight); });
    for_each_control(weighting.controls, [&](std::size_t control, Weight weight) {
      written.controls.emplace_back(static_cast<std::uint32_t>(control), weight);
    });
    written.traps = weighting.factors;
    return written;
  }

  result::WeightingCases written(const Cases& cases) {
    result::WeightingCases result;
    for (const auto& [place, change] : cases.effect.places) result.locals.emplace_back(local(place), change);
    for (const auto& [control, change] : cases.effect.controls) {
      result.controls.emplace_back(static_cast<std::uint32_t>(controls_.at(control)), change);
    }
    result.most = cases.most;
    for (const Cases& one : cases.cases) result.cases.push_back(written(one));
    if (!cases.cases.empty()) return result;
    result.weighting = written(cases.weighting);
    result.factors = cases.factors;
    return result;
  }

  std::uint32_t local(Place place) { return locals_(net_.system().thread_state(place)); }

  template <class Values, class Visit>
  void for_each(const Values& values, Visit&& visit) const {
    for (Place place = 0; place < values.size(); ++place) {
      if (values[place] != 0) visit(place, values[place]);
    }
  }
  // Control states that are not reached are not listed.
  template <class Values, class Visit>
  void for_each_control(const Values& values, Visit&& visit) const {
    for (ControlId control = 0; control < values.size(); ++control) {
      const auto number = controls_.find(control);
      if (values[control] != 0 && number != controls_.end()) visit(number->second, values[control]);
    }
  }

  const Net& net_;
  Table<model::ThreadState>& locals_;
  const std::unordered_map<ControlId, std::size_t>& controls_;
};

std::unique_ptr<result::Certificate> certify(const Net& net, const Invariants* invariants, const Backward* search) {
  COHORT_EXPECT(net.is_whole(), "certificates speak of the whole net");
  const CounterSystem& system = net.system();
  auto certificate = std::make_unique<result::UpwardCertificate>();
  Table shared(certificate->shared);
  Table locals(certificate->locals);
  std::unordered_map<ControlId, std::size_t> index;
  for (ControlId control = 0; control < system.control_count(); ++control) {
    if (!net.possible().is_reached(control)) continue;
    index.emplace(control, certificate->controls.size());
    auto& entry = certificate->controls.emplace_back();
    entry.shared = shared(system.shared_state(control));
    for (const model::ThreadState& thread : threads_of(system, control)) entry.threads.push_back(locals(thread));
    std::sort(entry.threads.begin(), entry.threads.end());
    for (const Place place : net.possible().places(control))
      entry.possible.push_back(locals(system.thread_state(place)));
    if (system.has_single()) certificate->unique = {system.single_state(control).templ};
  }
  if (invariants != nullptr) InvariantWriter(net, locals, index).write(*invariants, *certificate);
  if (search == nullptr) return certificate;
  for (const std::uint32_t element : search->minimal()) {
    result::Multiset bad;
    for (const Token& token : search->tokens(element)) {
      bad.emplace_back(locals(system.thread_state(token.place)), token.count);
    }
    std::sort(bad.begin(), bad.end());
    certificate->controls[index.at(search->elements()[element].control)].bad.push_back(std::move(bad));
  }
  return certificate;
}

std::unique_ptr<result::Certificate> certify(const BooleanEncoding& encoding, const SymbolicKarpMiller& tree) {
  auto certificate = std::make_unique<result::SymbolicOmegaCertificate>();
  const model::Program& program = encoding.program();
  // The labels hold the diagrams, so their ids stay.
  std::unordered_map<std::uint32_t, std::uint32_t> shared;
  std::map<std::tuple<model::TemplateId, model::LocId, bool, std::uint32_t>, std::uint32_t> locals;
  for (const SymbolicLabel* label : tree.cover()) {
    auto& entry = certificate->labels.emplace_back();
    const auto [set, is_new] = shared.try_emplace(label->shared.id(), static_cast<std::uint32_t>(shared.size()));
    entry.shared = set->second;
    if (is_new) {
      certificate->shared.push_back(dd::cube_texts(label->shared, encoding.shared_set(), program.shared_slots()));
    }
    for (const SymbolicThreads& threads : label->threads) {
      const auto [local, is_new_local] =
          locals.try_emplace({threads.templ, threads.location, threads.atomic, threads.locals.id()},
                             static_cast<std::uint32_t>(locals.size()));
      if (is_new_local) {
        certificate->locals.push_back(
            {threads.templ, threads.location, threads.atomic,
             dd::cube_texts(threads.locals, encoding.local_set(), program.templ(threads.templ).local_slots())});
      }
      entry.threads.emplace_back(local->second, threads.count == omega ? std::nullopt : std::optional(threads.count));
    }
  }
  return certificate;
}

}  // namespace cohort::engine::unbounded
