// Certificates that list what is reachable give the values at each place; those that list what is excluded, which local
// states remain possible; those of thread-modular proofs, the conjuncts that hold in every view with a thread there.
#include "report/proof.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "report/formula_text.hpp"
#include "report/listed_states.hpp"
#include "report/words.hpp"
#include "result/cubes.hpp"
#include "result/modular_certificate.hpp"

namespace cohort::report {

using model::Value;

namespace {

constexpr std::size_t most_values = 4;     // that are listed one by one
constexpr std::size_t most_facts = 16;     // of a place
constexpr std::size_t longest_array = 8;   // whose elements are told
constexpr std::size_t longest_fact = 160;  // characters

// The values of one scalar at one place.
struct Seen {
  std::set<Value> values;  // the first few
  Value least = 0;
  Value most = 0;
  bool any = false;

  void add(Value value) {
    least = any ? std::min(least, value) : value;
    most = any ? std::max(most, value) : value;
    any = true;
    if (values.size() <= most_values) values.insert(value);
  }
};

struct Scalar {
  std::string name;
  const model::Look* look = nullptr;
  bool is_boolean = false;
};

std::vector<Scalar> scalars_of(const std::vector<model::Variable>& variables, std::size_t slots) {
  std::vector<Scalar> scalars(slots);
  for (const model::Variable& variable : variables) {
    if (variable.look.internal || variable.type.slots() > longest_array) continue;
    for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
      scalars[variable.slot + i] = {
          variable.type.is_array() ? model::element_name(variable.name, variable.look, i) : variable.name,
          &variable.look, variable.type.element().is_bool()};
    }
  }
  return scalars;
}

class Collector {
 public:
  Collector(const model::Program& program, const std::vector<FlowGraph>& graphs)
      : program_(program), graphs_(graphs), shared_(scalars_of(program.shared, program.shared_slots())) {
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      const model::Template& templ = program.templates[i];
      locals_.push_back(scalars_of(templ.locals, templ.local_slots()));
      found_.emplace_back(graphs[i].nodes.size());
      counts_.emplace_back(graphs[i].nodes.size());
    }
  }

  // A configuration: calls `each` with what takes (template, location, count).
  template <class Each>
  void count(Each&& each) {
    std::map<std::pair<std::size_t, std::size_t>, std::optional<std::uint64_t>> here;
    each([&](model::TemplateId templ, model::LocId location, std::optional<std::uint64_t> count) {
      const auto node = graphs_[templ.value].node_of[location.value];
      if (!node) return;
      auto [it, is_new] = here.try_emplace({templ.value, *node}, std::uint64_t{0});
      it->second = it->second && count ? std::optional(*it->second + *count) : std::nullopt;
    });
    for (const auto& [place, count] : here) {
      Count& most = counts_[place.first][place.second];
      most.is_known = true;
      if (!count) most.any_number = true;
      if (count) most.most = std::max(most.most, *count);
    }
  }

  void see(model::TemplateId templ, model::LocId location, const model::Valuation& shared,
           const model::Valuation& locals) {
    auto* place = found(templ, location);
    if (place == nullptr) return;
    for (std::size_t i = 0; i < shared.size(); ++i) (*place)[{false, i}].add(shared[i]);
    for (std::size_t i = 0; i < locals.size(); ++i) (*place)[{true, i}].add(locals[i]);
  }

  // The same for sets of Boolean values: one character a variable.
  void see(model::TemplateId templ, model::LocId location, const result::Cubes& shared, const result::Cubes& locals) {
    auto* place = found(templ, location);
    if (place == nullptr) return;
    const auto add = [&](const result::Cubes& cubes, bool is_local) {
      for (const std::string& cube : cubes) {
        for (std::size_t i = 0; i < cube.size(); ++i) {
          if (cube[i] != '1') (*place)[{is_local, i}].add(0);
          if (cube[i] != '0') (*place)[{is_local, i}].add(1);
        }
      }
    };
    add(shared, false);
    add(locals, true);
  }

  std::vector<std::vector<PlaceFacts>> facts() const {
    std::vector<std::vector<PlaceFacts>> all(graphs_.size());
    const std::set<std::size_t> dull = constants();
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      for (std::size_t node = 0; node < graphs_[i].nodes.size(); ++node) {
        PlaceFacts facts{.facts = {}, .count = counts_[i][node].words()};
        for (const auto& [slot, seen] : found_[i][node]) {
          const Scalar& scalar = slot.first ? locals_[i][slot.second] : shared_[slot.second];
          if (scalar.look == nullptr || (!slot.first && dull.contains(slot.second))) continue;
          if (scalar.is_boolean && seen.values.size() == 2) continue;  // which says nothing
          if (facts.facts.size() < most_facts) facts.facts.push_back(words(scalar, seen));
        }
        all[i].push_back(std::move(facts));
      }
    }
    return all;
  }

 private:
  struct Count {
    bool is_known = false;
    bool any_number = false;
    std::uint64_t most = 0;

    std::string words() const {
      if (!is_known) return "";
      return any_number ? "any number of threads" : "at most " + count_threads(most);
    }
  };
  using Slot = std::pair<bool, std::size_t>;  // of the thread's own?
  using Place = std::map<Slot, Seen>;

  Place* found(model::TemplateId templ, model::LocId location) {
    const auto node = graphs_[templ.value].node_of[location.value];
    return node ? &found_[templ.value][*node] : nullptr;
  }

  // Shared variables that have one value everywhere say nothing of places.
  std::set<std::size_t> constants() const {
    std::vector<Seen> everywhere(shared_.size());
    for (const auto& graph : found_) {
      for (const Place& place : graph) {
        for (const auto& [slot, seen] : place) {
          if (slot.first) continue;
          everywhere[slot.second].add(seen.least);
          everywhere[slot.second].add(seen.most);
        }
      }
    }
    std::set<std::size_t> dull;
    for (std::size_t i = 0; i < everywhere.size(); ++i) {
      if (everywhere[i].least == everywhere[i].most) dull.insert(i);
    }
    return dull;
  }

  std::string words(const Scalar& scalar, const Seen& seen) const {
    const auto text = [&](Value value) { return model::value_text(*scalar.look, program_.atlas.get(), value); };
    if (seen.least == seen.most) return fmt::format("{} = {}", scalar.name, text(seen.least));
    if (seen.values.size() > most_values) {
      return fmt::format("{} <= {} <= {}", text(seen.least), scalar.name, text(seen.most));
    }
    std::string list;
    for (const Value value : seen.values) {
      list += list.empty() ? "" : value == *seen.values.rbegin() ? " or " : ", ";
      list += text(value);
    }
    return fmt::format("{} is {}", scalar.name, list);
  }

  const model::Program& program_;
  const std::vector<FlowGraph>& graphs_;
  const std::vector<Scalar> shared_;
  std::vector<std::vector<Scalar>> locals_;  // by template
  std::vector<std::vector<Place>> found_;    // by graph and node
  std::vector<std::vector<Count>> counts_;
};

Proof of_states(Collector& collector, const ListedStates& listed) {
  for (const ListedStates::Configuration& configuration : listed.configurations) {
    collector.count([&](auto&& add) {
      for (const auto& [index, count] : configuration.threads) {
        const nlohmann::json& local = listed.locals.at(index);
        const model::TemplateId templ(local.at("template").get<std::uint32_t>());
        const model::LocId location(local.at("location").get<std::uint32_t>());
        add(templ, location, count);
        const nlohmann::json& shared = listed.shared.at(configuration.shared);
        if (listed.has_cubes) {
          collector.see(templ, location, shared.get<result::Cubes>(), local.at("values").get<result::Cubes>());
        } else {
          collector.see(templ, location, shared.get<model::Valuation>(), local.at("values").get<model::Valuation>());
        }
      }
    });
  }
  return {listed.is_complete ? "All that can be reached, however the threads are interleaved: the values at each place."
                             : "What remains possible where nothing is ever entered that leads to a violation.",
          collector.facts()};
}

// The names in the formula of a view, as the thread at one position of it sees them.
class ViewNames {
 public:
  ViewNames(const model::Program& program, model::TemplateId templ, std::size_t position)
      : shared_(scalars_of(program.shared, program.shared_slots())),
        locals_(scalars_of(program.templ(templ).locals, program.templ(templ).local_slots())),
        own_(fmt::format("t{}.", position)) {}

  std::optional<std::string> operator()(std::string_view symbol) const {
    if (symbol.starts_with(own_)) return name(locals_, symbol.substr(own_.size()));
    return symbol.starts_with("g") ? name(shared_, symbol.substr(1)) : std::nullopt;
  }

 private:
  static std::optional<std::string> name(const std::vector<Scalar>& scalars, std::string_view number) {
    std::size_t slot = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), slot);
    if (error != std::errc() || end != number.data() + number.size() || slot >= scalars.size()) return std::nullopt;
    return scalars[slot].look == nullptr ? std::nullopt : std::optional(scalars[slot].name);
  }

  const std::vector<Scalar> shared_;
  const std::vector<Scalar> locals_;
  const std::string own_;
};

// What holds of a thread at a place holds in every view that has one there.
Proof of_views(const model::Program& program, const nlohmann::json& certificate, const std::vector<FlowGraph>& graphs) {
  using Facts = std::vector<std::string>;
  std::vector<std::vector<std::optional<Facts>>> common(graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) common[i].resize(graphs[i].nodes.size());
  for (const auto& view : certificate.at("views")) {
    const auto& threads = view.at("threads");
    for (std::size_t position = 0; position < threads.size(); ++position) {
      if (!threads[position].contains("location")) continue;
      const model::TemplateId templ(threads[position].at("template").get<std::uint32_t>());
      const auto location = threads[position].at("location").get<std::size_t>();
      const auto node = graphs[templ.value].node_of[location];
      if (!node) continue;
      const Facts here = conjuncts_text(view.at("invariant").get<std::string>(), ViewNames(program, templ, position));
      std::optional<Facts>& known = common[templ.value][*node];
      if (!known) {
        known = here;
        continue;
      }
      std::erase_if(*known,
                    [&](const std::string& fact) { return std::find(here.begin(), here.end(), fact) == here.end(); });
    }
  }
  Proof proof{"Facts that hold whenever a thread is there, however many threads there are.", {}};
  for (const auto& graph : common) {
    auto& places = proof.places.emplace_back();
    for (const std::optional<Facts>& known : graph) {
      PlaceFacts facts;
      for (const std::string& fact : known.value_or(Facts{})) {
        const bool is_new = std::find(facts.facts.begin(), facts.facts.end(), fact) == facts.facts.end();
        if (is_new && facts.facts.size() < most_facts && fact.size() <= longest_fact) facts.facts.push_back(fact);
      }
      places.push_back(std::move(facts));
    }
  }
  return proof;
}

}  // namespace

Proof proof_of(const model::Program& program, const result::Certificate& certificate,
               const std::vector<FlowGraph>& graphs) {
  const nlohmann::json document = certificate.to_json(program);
  if (const auto listed = listed_states(document)) {
    Collector collector(program, graphs);
    return of_states(collector, *listed);
  }
  return certificate.kind() == result::ModularCertificate::kind_name ? of_views(program, document, graphs) : Proof{};
}

}  // namespace cohort::report
