// A forward analysis of each function on its own: which mutexes are held at a node on every path to it.  Only mutexes
// with one name count, static objects and their fields and constant elements.  A call of a function of the program may
// unlock anything, so nothing is known after it.  What this misses waits for ever, as described.
#include "frontend/c/library/relock.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/c/ir/names.hpp"

namespace cohort::frontend::c::library {

namespace {

using Mutex = std::vector<std::uint64_t>;  // the object, then fields and elements
using Held = std::set<Mutex>;

// The place that the address is of, if it is in an object.
const ir::Place* place_at(const ir::Unit& unit, ir::ExprId address) {
  const ir::Expr& expr = unit.expr(address);
  if (expr.op == ir::Op::Cast) return place_at(unit, expr.args[0]);
  if (expr.op != ir::Op::AddressOf || !unit.place(expr.place).object) return nullptr;
  return &unit.place(expr.place);
}

std::optional<Mutex> mutex_at(const ir::Unit& unit, ir::ExprId address) {
  const ir::Place* const place = place_at(unit, address);
  if (place == nullptr || unit.object(*place->object).storage != ir::Object::Storage::Static) return std::nullopt;
  Mutex mutex{place->object->value};
  for (const ir::Place::Step& step : place->steps) {
    if (step.kind == ir::Place::Step::Kind::Field) {
      mutex.push_back(step.field);
    } else if (const ir::Expr& index = unit.expr(step.index); index.op == ir::Op::Const) {
      mutex.push_back(static_cast<std::uint64_t>(index.value));
    } else {
      return std::nullopt;
    }
  }
  return mutex;
}

bool calls(const ir::Unit& unit, const ir::Node& node, bool (*has_name)(std::string_view)) {
  if (node.kind != ir::Node::Kind::Call || !node.callee || node.args.empty()) return false;
  return has_name(unit.function(*node.callee).name);
}

bool locks(const ir::Unit& unit, const ir::Node& node) {
  return calls(unit, node, ir::locks_mutex);
}

// What is held after the node, if `held` is before it.
Held after(const ir::Unit& unit, const ir::Node& node, Held held) {
  if (node.kind == ir::Node::Kind::Async) return {};
  if (node.kind != ir::Node::Kind::Call) return held;
  if (!node.callee || !unit.function(*node.callee).is_library) return {};
  if (locks(unit, node)) {
    if (auto mutex = mutex_at(unit, node.args[0])) held.insert(std::move(*mutex));
  } else if (calls(unit, node, ir::frees_mutex)) {
    const ir::Place* const place = place_at(unit, node.args[0]);
    if (place == nullptr) return {};
    std::erase_if(held, [&](const Mutex& mutex) { return mutex[0] == place->object->value; });
  }
  return held;
}

// For each node what is held whenever it is reached; none where it is not.
std::vector<std::optional<Held>> held_at_nodes(const ir::Unit& unit, const ir::Function& function) {
  std::vector<std::optional<Held>> held(function.nodes.size());
  held[function.entry.value] = Held{};
  std::vector<ir::NodeId> pending{function.entry};
  while (!pending.empty()) {
    const ir::NodeId id = pending.back();
    pending.pop_back();
    const ir::Node& node = function.nodes[id.value];
    const Held out = after(unit, node, *held[id.value]);
    for (const ir::NodeId next : node.next) {
      std::optional<Held>& known = held[next.value];
      Held both;
      if (known)
        std::set_intersection(known->begin(), known->end(), out.begin(), out.end(), std::inserter(both, both.end()));
      if (known && both == *known) continue;
      known = known ? std::move(both) : out;
      pending.push_back(next);
    }
  }
  return held;
}

}  // namespace

void cut_relocks(ir::Unit& unit) {
  for (ir::Function& function : unit.functions) {
    if (!function.has_body || function.is_library) continue;
    const auto held = held_at_nodes(unit, function);
    for (std::size_t i = 0; i < function.nodes.size(); ++i) {
      ir::Node& node = function.nodes[i];
      if (!held[i] || !locks(unit, node)) continue;
      const auto mutex = mutex_at(unit, node.args[0]);
      if (!mutex || !held[i]->contains(*mutex)) continue;
      node.kind = ir::Node::Kind::Unsupported;
      node.text = "a thread locks a mutex again that it holds, and the standard leaves open what happens then";
    }
  }
}

}  // namespace cohort::frontend::c::library
