#include "abstraction/boolean_program.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "model/print.hpp"

namespace cohort::abstraction {

using model::Command;
using model::PlaceId;
using model::TemplateId;

namespace {

using Cube = std::vector<Literal>;

bool contains(const Cube& cube, const Cube& part) {
  return std::all_of(part.begin(), part.end(), [&](const Literal& literal) {
    return std::find(cube.begin(), cube.end(), literal) != cube.end();
  });
}

class Writer {
 public:
  Writer(Oracle& oracle, const Predicates& predicates, std::uint32_t cube_length)
      : oracle_(oracle), commands_(oracle.commands()), predicates_(predicates), cube_length_(cube_length) {}

  std::string run() {
    text_ = fmt::format("// {} predicates, cubes of at most {} literals\n", predicates_.all().size(), cube_length_);
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
      const Predicate& predicate = predicates_[i];
      const bool mixed = predicate.scope == Predicate::Scope::Mixed;
      text_ += fmt::format("{} b{};  // {}{}\n", predicate.is_shared() ? "shared" : "local", i, mixed ? "mixed: " : "",
                           predicates_.text(predicate));
    }
    write_starts();
    for (std::size_t place = 0; place < commands_.places().size() && !oracle_.stopped(); ++place) {
      write_place(PlaceId(place));
    }
    return oracle_.stopped() ? std::string() : std::move(text_);
  }

 private:
  void write_starts() {
    for (const Start& start : oracle_.starts()) {
      std::string values;
      const Bits& bits = oracle_.states().bits(start.shared);
      for (std::size_t i = 0; i < bits.size(); ++i)
        values += fmt::format(" b{} = {}", predicates_.shared()[i], bits[i]);
      if (!values.empty()) text_ += "start:" + values + "\n";
      for (const auto& group : start.groups) {
        for (const ThreadState thread : group) write_thread(thread);
      }
    }
  }

  void write_thread(ThreadState thread) {
    const PlaceId place = oracle_.states().place(thread);
    const Bits& bits = oracle_.states().bits(thread);
    std::string values;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] == unknown_bit) continue;
      values += fmt::format(" b{} = {}", predicates_.of(commands_.place(place).templ)[i], bits[i]);
    }
    text_ += fmt::format("start: a thread at L{}{}{}\n", place.value, values.empty() ? "" : " with", values);
  }

  void write_place(PlaceId place) {
    text_ += fmt::format("\nL{}:  // {}{}\n", place.value, commands_.name(place),
                         commands_.error(place) ? "; an error" : "");
    for (const std::uint32_t command : commands_.from(place)) write_command(command);
  }

  void write_command(std::uint32_t index) {
    const Command& command = commands_.all()[index];
    std::string statements;
    for (const model::Action& action : commands_.program().edge(command.edge).actions) {
      if (!action.text.empty()) statements += (statements.empty() ? "" : "; ") + action.text;
    }
    std::string havocked;
    std::vector<std::string> constraints;
    guard_ = guard_cubes(index);
    for (const Cube& cube : guard_) constraints.push_back("!(" + written(cube) + ")");
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
      const Effect effect = effect_of(command, predicates_[i]);
      if (effect == Effect::None) continue;
      havocked += havocked.empty() ? "" : ", ";
      havocked += effect == Effect::Own ? fmt::format("{}b{}", own(i), i) : fmt::format("all(b{})", i);
      if (effect != Effect::Others) add_active(index, i, constraints);
      if (effect != Effect::Own) add_passive(index, i, constraints);
    }
    const std::string target = command.to ? fmt::format("goto L{}", command.to->value) : "end";
    text_ += fmt::format("  havoc {{{}}} constrain forall != {{a, p}}. {}; {};  // {}\n", havocked,
                         constraints.empty() ? "1" : joined(constraints), target, statements);
    for (const model::CommandChild& child : command.children)
      text_ += fmt::format("    start L{}\n", child.place.value);
  }

  static std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : " & ") + part;
    return text;
  }

  enum class Effect { None, Own, All, Others };

  // Whose copy of the predicate the command changes: that of the active thread, of all, or of other templates' threads.
  Effect effect_of(const Command& command, const Predicate& predicate) const {
    const auto assigns = [&](model::LValue::Kind kind, const std::vector<model::VarId>& vars) {
      return std::any_of(command.assigns.begin(), command.assigns.end(), [&](const model::Assign& assign) {
        return assign.target.kind == kind && std::find(vars.begin(), vars.end(), assign.target.var) != vars.end();
      });
    };
    const bool shared = assigns(model::LValue::Kind::Shared, predicate.shared_vars);
    if (predicate.is_shared()) return shared ? Effect::Own : Effect::None;
    const bool mine = predicate.templ == commands_.place(command.from).templ && command.to &&
                      predicates_.known(predicate, *command.to);
    if (shared) return mine ? Effect::All : Effect::Others;
    return mine && assigns(model::LValue::Kind::Local, predicate.local_vars) ? Effect::Own : Effect::None;
  }

  std::string own(std::size_t predicate) const { return predicates_[predicate].is_shared() ? "" : "a."; }

  std::string written(const Cube& cube) const {
    std::string text;
    for (const Literal& literal : cube) {
      const bool passive = literal.role == Role::PassiveBefore || literal.role == Role::PassiveAfter;
      const bool after = literal.role == Role::ActiveAfter || literal.role == Role::PassiveAfter;
      const std::string owner = predicates_[literal.predicate].is_shared() ? "" : passive ? "p." : "a.";
      text += fmt::format("{}{}{}b{}{}", text.empty() ? "" : " & ", literal.value ? "" : "!", owner, literal.predicate,
                          after ? "'" : "");
    }
    return text.empty() ? "1" : text;
  }

  // ---- cubes

  std::vector<Literal> literals(PlaceId place, Role role) const {
    std::vector<Literal> result;
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) {
      if (!predicates_.known(predicates_[i], place)) continue;
      for (const bool value : {true, false}) result.push_back({i, role, value});
    }
    return result;
  }

  // Shorter ones first; none has a predicate twice.
  std::vector<Cube> active_cubes(PlaceId place) const {
    const std::vector<Literal> all = literals(place, Role::ActiveBefore);
    std::vector<Cube> cubes{{}};
    std::size_t begin = 0;
    for (std::uint32_t length = 1; length <= std::max(cube_length_, 1U); ++length) {
      const std::size_t end = cubes.size();
      for (std::size_t i = begin; i < end; ++i) {
        for (const Literal& literal : all) {
          if (!cubes[i].empty() && cubes[i].back().predicate >= literal.predicate) continue;
          Cube longer = cubes[i];
          longer.push_back(literal);
          cubes.push_back(std::move(longer));
        }
      }
      begin = end;
    }
    return cubes;
  }

  bool is_minimal(const Cube& cube, const std::vector<Cube>& found) const {
    const auto inside = [&](const Cube& part) { return contains(cube, part); };
    return std::none_of(found.begin(), found.end(), inside) && std::none_of(guard_.begin(), guard_.end(), inside);
  }

  std::vector<Cube> guard_cubes(std::uint32_t command) {
    guard_.clear();
    std::vector<Cube> found;
    for (const Cube& cube : active_cubes(commands_.all()[command].from)) {
      if (is_minimal(cube, found) && !oracle_.step_possible(command, std::nullopt, cube)) found.push_back(cube);
    }
    return found;
  }

  void add_active(std::uint32_t command, std::size_t predicate, std::vector<std::string>& constraints) {
    for (const bool value : {true, false}) {
      const Literal after{predicate, Role::ActiveAfter, value};
      std::vector<Cube> found;
      for (const Cube& cube : active_cubes(commands_.all()[command].from)) {
        if (is_minimal(cube, found) && implies(command, std::nullopt, cube, after)) found.push_back(cube);
      }
      add(found, after, constraints);
    }
  }

  // A thread at any place of the template where the predicate is known.
  void add_passive(std::uint32_t command, std::size_t predicate, std::vector<std::string>& constraints) {
    const TemplateId templ = predicates_[predicate].templ;
    std::vector<Cube> cubes = active_cubes(commands_.all()[command].from);
    std::erase_if(cubes, [](const Cube& cube) { return cube.size() > 1; });
    const std::size_t active = cubes.size();
    for (const std::size_t other : predicates_.of(templ)) {
      for (const bool value : {true, false}) {
        for (std::size_t i = 0; i < active; ++i) {
          Cube cube = cubes[i];
          cube.push_back({other, Role::PassiveBefore, value});
          cubes.push_back(std::move(cube));
        }
      }
    }
    std::stable_sort(cubes.begin(), cubes.end(),
                     [](const Cube& left, const Cube& right) { return left.size() < right.size(); });
    for (const bool value : {true, false}) {
      const Literal after{predicate, Role::PassiveAfter, value};
      std::vector<Cube> found;
      for (const Cube& cube : cubes) {
        if (is_minimal(cube, found) && implies(command, templ, cube, after)) found.push_back(cube);
      }
      add(found, after, constraints);
    }
  }

  bool implies(std::uint32_t command, std::optional<TemplateId> passive, Cube cube, Literal after) {
    after.value = !after.value;
    cube.push_back(after);
    return !oracle_.step_possible(command, passive, cube);
  }

  void add(const std::vector<Cube>& found, const Literal& after, std::vector<std::string>& constraints) {
    for (const Cube& cube : found) {
      const std::string conclusion = written({after});
      constraints.push_back(cube.empty() ? conclusion : fmt::format("({} => {})", written(cube), conclusion));
    }
  }

  Oracle& oracle_;
  const model::Commands& commands_;
  const Predicates& predicates_;
  std::uint32_t cube_length_;
  std::string text_;
  std::vector<Cube> guard_;
};

}  // namespace

std::string boolean_program(Oracle& oracle, const Predicates& predicates, std::uint32_t cube_length) {
  return Writer(oracle, predicates, cube_length).run();
}

}  // namespace cohort::abstraction
