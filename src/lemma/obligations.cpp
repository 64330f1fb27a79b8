#include "lemma/obligations.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace cohort::lemma {

using model::Property;

std::optional<std::string> unseen_property(const model::Program& program) {
  for (const Property& property : program.properties) {
    if (property.kind == Property::Kind::Deadlock) return "it does not look for deadlocks";
    if (property.kind != Property::Kind::Condition) continue;
    bool whole = false;
    model::for_each_node(program.exprs, *property.condition, [&](const model::Expr& node, model::ExprId) {
      const bool own = node.op == model::Op::LocalVar || node.op == model::Op::PassiveVar;
      whole = whole || own || node.op == model::Op::ForallThread || node.op == model::Op::ExistsThread ||
              node.op == model::Op::RemoteVar || node.op == model::Op::AtLocation;
    });
    if (whole) return "it takes no properties that quantify over threads";
  }
  return std::nullopt;
}

bool at_error(const Alphabet& alphabet, const std::vector<SpotId>& spots) {
  return std::any_of(spots.begin(), spots.end(), [&](SpotId spot) {
    const auto& place = alphabet.spot(spot).place;
    return place && alphabet.commands().error(*place);
  });
}

namespace {

class Enumeration {
 public:
  Enumeration(const Alphabet& alphabet, const Reached& reached, const std::function<bool(const Obligation&)>& visit)
      : alphabet_(alphabet), commands_(alphabet.commands()), reached_(reached), visit_(visit) {}

  bool run() {
    for (const View& view : reached_.views()) {
      if (!faults(view)) return false;
    }
    for (const Property& property : commands_.program().properties) {
      if (property.kind == Property::Kind::Cover && !cover(property)) return false;
      if (property.kind == Property::Kind::Condition && !together({}, property.condition)) return false;
    }
    return true;
  }

 private:
  // Steps that go wrong.  Other threads are held up by one inside an atomic section.
  bool faults(const View& view) {
    for (std::size_t i = 0; i < view.size(); ++i) {
      const auto& place = alphabet_.spot(view[i]).place;
      if (!place || (i > 0 && view[i] == view[i - 1])) continue;
      const auto is_held_up = [&](SpotId other) { return alphabet_.is_atomic(other); };
      const auto atomic = std::count_if(view.begin(), view.end(), is_held_up);
      if (atomic > (alphabet_.is_atomic(view[i]) ? 1 : 0)) continue;
      Obligation one;
      one.threads = {view[i]};
      for (std::size_t j = 0; j < view.size(); ++j) {
        if (j != i) one.threads.push_back(view[j]);
      }
      auto& members = one.hypotheses.emplace_back();
      for (std::size_t j = 0; j < view.size(); ++j) {
        members.push_back(static_cast<std::uint32_t>(j == i ? 0 : (j < i ? j + 1 : j)));
      }
      one.otherwise = fmt::format("a step at {} may fault", alphabet_.name(view[i]));
      for (const std::uint32_t command : commands_.from(*place)) {
        one.command = command;
        if (!visit_(one)) return false;
      }
    }
    return true;
  }

  // Distinct threads at certain locations.  With more of them than a view has, all views of them are assumed; with
  // fewer, every way to fill up a view is looked at.  A thread may be at a location inside an atomic section or not.
  bool cover(const Property& property) {
    std::vector<std::vector<SpotId>> choices{{}};
    for (const auto& [templ, location] : property.threads) {
      std::vector<std::vector<SpotId>> longer;
      for (const bool atomic : {false, true}) {
        const auto place = commands_.find({templ, location, atomic});
        if (!place) continue;
        for (std::vector<SpotId> choice : choices) {
          choice.push_back(alphabet_.at(*place));
          longer.push_back(std::move(choice));
        }
      }
      choices = std::move(longer);
    }
    return std::all_of(choices.begin(), choices.end(),
                       [&](const std::vector<SpotId>& threads) { return together(threads, property.condition); });
  }

  bool together(const std::vector<SpotId>& threads, const std::optional<model::ExprId>& condition) {
    if (!alphabet_.possible(threads)) return true;
    const std::vector<std::uint32_t>& needed = alphabet_.needed();
    std::vector<std::uint32_t> present(needed.size(), 0);
    for (const SpotId spot : threads) ++present[alphabet_.class_of(spot)];
    for (std::size_t one = 0; one < needed.size(); ++one) {
      if (present[one] >= needed[one]) continue;
      return std::all_of(reached_.spots().begin(), reached_.spots().end(), [&](SpotId spot) {
        if (alphabet_.class_of(spot) != one) return true;
        std::vector<SpotId> more = threads;
        more.push_back(spot);
        return together(more, condition);
      });
    }
    Obligation one;
    one.threads = threads;
    one.hypotheses = views_among(alphabet_, threads);
    one.condition = condition;
    one.otherwise = "a bad state of several threads may be reached";
    const bool reachable = std::all_of(one.hypotheses.begin(), one.hypotheses.end(), [&](const auto& members) {
      return reached_.contains(view_of(threads, members));
    });
    return !reachable || visit_(one);
  }

  const Alphabet& alphabet_;
  const model::Commands& commands_;
  const Reached& reached_;
  const std::function<bool(const Obligation&)>& visit_;
};

}  // namespace

bool for_each_obligation(const Alphabet& alphabet, const Reached& reached,
                         const std::function<bool(const Obligation&)>& visit) {
  return Enumeration(alphabet, reached, visit).run();
}

}  // namespace cohort::lemma
