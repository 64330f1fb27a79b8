// From a certificate that lists what is reachable to invariants: at each simple statement, the range of each integer of
// the program over the states in which a thread is about to execute it.  Other certificates prove without such a list,
// and give none.
#include <algorithm>
#include <map>
#include <regex>
#include <tuple>

#include <fmt/core.h>

#include "report/listed_states.hpp"
#include "witness/variables.hpp"
#include "witness/witness.hpp"

namespace cohort::witness {

namespace {

using Ranges = std::vector<std::pair<model::Value, model::Value>>;
using PlaceKey = std::tuple<std::string, std::uint32_t>;

template <class Visit>
void for_each_value(const model::Program& program, Visit&& visit) {
  for (const model::Template& templ : program.templates) {
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) {
        for (const model::Assign& assign : action.assigns) visit(assign.value);
        for (const model::Spawn& spawn : action.spawns) {
          for (const model::Assign& assign : spawn.locals) visit(assign.value);
        }
      }
    }
  }
}

// Of numbers that nobody determines, front ends take one for each class that the program tells apart: the range of
// those is not the range of the numbers.
bool chooses_values(const model::Program& program) {
  bool chooses = false;
  for_each_value(program,
                 [&](model::ExprId value) { chooses = chooses || mentions(program.exprs, value, model::Op::Nondet); });
  return chooses;
}

// What nobody reads need not have the value in the model that it has in the program.
bool is_read(const model::Program& program, const model::Variable& variable) {
  bool found = false;
  const auto look = [&](model::ExprId root) {
    for_each_node(program.exprs, root, [&](const model::Expr& node, model::ExprId) {
      found = found || (node.op == model::Op::SharedVar && &program.shared[node.var.value] == &variable);
    });
  };
  for_each_value(program, look);
  for (const model::Template& templ : program.templates) {
    for (const model::Edge& edge : templ.edges) {
      for (const model::Action& action : edge.actions) {
        if (action.guard) look(*action.guard);
      }
    }
  }
  return found;
}

// Is the line one whole statement, whose first step is on this line, too?  So it is where nothing is called (what a
// function does is on other lines), nothing goes on from or to another line, and no macro hides any of this.
bool is_plain_statement(const SourceFile& file, std::uint32_t number) {
  const std::string_view line = file.line(number);
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line.find_first_of("({:?,\\") != std::string_view::npos) return false;
  if (line.back() != ';' || line.find(';') + 1 != line.size()) return false;
  // The line before must be at its end, too.
  const std::string_view before = number > 1 ? file.line(number - 1) : std::string_view();
  const std::size_t last = before.find_last_not_of(" \t");
  if (last == std::string_view::npos || std::string_view(";{}").find(before[last]) == std::string_view::npos)
    return false;
  static const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
  const std::string text(line);
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
    if (file.text().find("define " + it->str()) != std::string::npos) return false;
  }
  return true;
}

class Collector {
 public:
  explicit Collector(const model::Program& program) : integers_(plain_integers(program)) {
    std::erase_if(integers_, [&](const model::Variable* variable) { return !is_read(program, *variable); });
    for (const model::Template& templ : program.templates) begin_.push_back(statements(templ));
  }

  void take(const report::ListedStates& states) {
    for (const auto& configuration : states.configurations) {
      const auto shared = states.shared.at(configuration.shared).get<model::Valuation>();
      for (const auto& [index, count] : configuration.threads) {
        const nlohmann::json& local = states.locals.at(index);
        see(shared, local.at("template").get<std::size_t>(), local.at("location").get<std::size_t>());
      }
    }
  }

  std::vector<Invariant> invariants() const {
    std::vector<Invariant> all;
    for (const auto& [place, ranges] : ranges_) {
      std::string value;
      for (std::size_t i = 0; i < integers_.size(); ++i) {
        const auto& [least, most] = ranges[i];
        const std::string& name = integers_[i]->name;
        value += value.empty() ? "" : " && ";
        value += least == most ? fmt::format("{} == {}", name, least)
                               : fmt::format("{} <= {} && {} <= {}", least, name, name, most);
      }
      if (!value.empty()) all.push_back({{std::get<0>(place), std::get<1>(place)}, value});
    }
    return all;
  }

 private:
  // For each location, the line that is executed next there, if it is a statement by itself.  In the middle of it is
  // not before it, but what is counted too much only makes the ranges wider.
  static std::vector<std::optional<PlaceKey>> statements(const model::Template& templ) {
    std::vector<std::optional<PlaceKey>> places(templ.locations.size());
    for (const model::Edge& edge : templ.edges) {
      const SourceSpan& span = edge.actions.front().span;
      if (span.known() && is_plain_statement(*span.file, span.line))
        places[edge.source.value] = PlaceKey{span.file->name(), span.line};
    }
    return places;
  }

  void see(const model::Valuation& shared, std::size_t templ, std::size_t location) {
    const auto& place = begin_.at(templ).at(location);
    if (!place) return;
    auto [it, is_new] = ranges_.try_emplace(*place);
    if (is_new) {
      for (const model::Variable* variable : integers_)
        it->second.emplace_back(shared[variable->slot], shared[variable->slot]);
    }
    for (std::size_t i = 0; i < integers_.size(); ++i) {
      auto& [least, most] = it->second[i];
      least = std::min(least, shared[integers_[i]->slot]);
      most = std::max(most, shared[integers_[i]->slot]);
    }
  }

  std::vector<const model::Variable*> integers_;
  std::vector<std::vector<std::optional<PlaceKey>>> begin_;  // of each template's locations
  std::map<PlaceKey, Ranges> ranges_;
};

}  // namespace

Witness correctness_witness(const model::Program& program, const result::Answer& answer) {
  Witness witness{.is_violation = false};
  const result::Certificate* certificate = answer.result.certificate.get();
  if (chooses_values(program)) return witness;
  if (certificate == nullptr) return witness;
  const auto listed = report::listed_states(certificate->to_json(program));
  // What is only not excluded holds no less, but says little; sets of Booleans are not of C programs.
  if (!listed || listed->has_cubes || !listed->is_complete) return witness;
  Collector collector(program);
  collector.take(*listed);
  witness.invariants = collector.invariants();
  return witness;
}

}  // namespace cohort::witness
