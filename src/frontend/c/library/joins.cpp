// May a thread be joined that has been detached or joined already?  To remember what became of each thread costs:
// threads that are joined have to be told apart.  So what cannot go wrong is found here, from the text of the program
// alone: each object that handles are taken from is joined at one place, which is not passed twice with the same
// element of it.
#include "frontend/c/library/joins.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/contract.hpp"
#include "frontend/c/ir/names.hpp"

namespace cohort::frontend::c::library {

namespace {

using Site = std::pair<const ir::Function*, std::size_t>;

const ir::Function* callee_of(const ir::Unit& unit, const ir::Node& node) {
  if (node.kind != ir::Node::Kind::Call || !node.callee) return nullptr;
  return &unit.function(*node.callee);
}

// Does a path lead from the node back to it?
bool is_in_loop(const ir::Function& function, std::size_t node) {
  std::vector<bool> seen(function.nodes.size(), false);
  std::vector<ir::NodeId> pending(function.nodes[node].next);
  while (!pending.empty()) {
    const ir::NodeId at = pending.back();
    pending.pop_back();
    if (at.value == node) return true;
    if (seen[at.value]) continue;
    seen[at.value] = true;
    const auto& next = function.nodes[at.value].next;
    pending.insert(pending.end(), next.begin(), next.end());
  }
  return false;
}

class Joins {
 public:
  explicit Joins(const ir::Unit& unit) : unit_(unit) {
    for (const ir::Function& function : unit.functions) {
      if (function.is_library) continue;
      for (std::size_t i = 0; i < function.nodes.size(); ++i) {
        const ir::Function* callee = callee_of(unit, function.nodes[i]);
        if (callee == nullptr) continue;
        if (!callee->is_library) calls_[callee].emplace_back(&function, i);
        if (ir::joins_thread(callee->name)) joins_.emplace_back(&function, i);
      }
    }
    for (const ir::Expr& expr : unit.exprs) {
      if (expr.op == ir::Op::FunctionAddr) addressed_.insert(&unit.function(expr.function));
    }
  }

  bool is_any() const { return !joins_.empty(); }

  bool may_repeat() const {
    std::set<ir::ObjectId> joined;
    return std::any_of(joins_.begin(), joins_.end(), [&](const Site& site) {
      const ir::Node& node = site.first->nodes[site.second];
      const auto handle = node.args.empty() ? std::nullopt : handle_of(node.args.front());
      if (!handle || !joined.insert(*handle->object).second) return true;
      return !moves_on(*handle) && (is_in_loop(*site.first, site.second) || runs_again(*site.first));
    });
  }

 private:
  // The place of an object that the handle is read from.
  std::optional<ir::Place> handle_of(ir::ExprId id) const {
    const ir::Expr& expr = unit_.expr(id);
    if (expr.op == ir::Op::Cast) return handle_of(expr.args[0]);
    if (expr.op != ir::Op::Load || !unit_.place(expr.place).object) return std::nullopt;
    return unit_.place(expr.place);
  }

  // An element whose index is not constant is taken for another one each time.
  bool moves_on(const ir::Place& place) const {
    return std::any_of(place.steps.begin(), place.steps.end(), [&](const ir::Place::Step& step) {
      return step.kind == ir::Place::Step::Kind::Index && unit_.expr(step.index).op != ir::Op::Const;
    });
  }

  bool runs_again(const ir::Function& function) const {
    if (function.name == ir::main_name) return false;
    if (addressed_.contains(&function)) return true;
    const auto calls = calls_.find(&function);
    if (calls == calls_.end()) return false;
    return calls->second.size() > 1 || is_in_loop(*calls->second.front().first, calls->second.front().second) ||
           calls->second.front().first == &function || runs_again(*calls->second.front().first);
  }

  const ir::Unit& unit_;
  std::map<const ir::Function*, std::vector<Site>> calls_;
  std::vector<Site> joins_;
  std::set<const ir::Function*> addressed_;
};

bool detaches(const ir::Unit& unit) {
  return std::any_of(unit.functions.begin(), unit.functions.end(), [&](const ir::Function& function) {
    return !function.is_library && std::any_of(function.nodes.begin(), function.nodes.end(), [&](const ir::Node& node) {
      const ir::Function* callee = callee_of(unit, node);
      return callee != nullptr && (ir::is_detach(callee->name) || ir::sets_detachment(callee->name));
    });
  });
}

}  // namespace

bool may_join_in_vain(const ir::Unit& unit, bool looks_for_faults) {
  const Joins joins(unit);
  if (!joins.is_any()) return false;
  return detaches(unit) || (looks_for_faults && joins.may_repeat());
}

}  // namespace cohort::frontend::c::library
