#include "engine/pointer/initial.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "base/source.hpp"

namespace cohort::engine::pointer {

using model::Expr;
using model::ExprId;
using model::Op;

namespace {

constexpr std::uint64_t most_tried = 1U << 24U;

struct Conjunct {
  Compiled::NodeId root = 0;
  std::vector<std::uint32_t> bound;
};

class Enumeration {
 public:
  Enumeration(Env& env, Compiled& compiled, const Activity& activity, const std::function<bool(const Cells&)>& visit)
      : env_(env), compiled_(compiled), layout_(compiled.layout()), visit_(visit), cells_(layout_.cells(), 0) {
    mentioned_.assign(layout_.cells(), false);
    due_.resize(layout_.cells() + 1);
    if (const auto& condition = layout_.program().initial_condition) split(*condition, {});
    for (std::size_t var = 0; var < layout_.shared_count(); ++var) {
      domains_.push_back(domain(layout_.program().shared[var], layout_.shared(var), true));
    }
    for (const model::InitialThreads& group : layout_.program().initial) {
      for (std::uint32_t i = 0; i < *group.count; ++i) {
        domains_.push_back({static_cast<Cell>(group.location.value), static_cast<Cell>(group.location.value)});
        for (std::size_t var = 0; var < layout_.templ().locals.size(); ++var) {
          const bool matters =
              mentioned_[domains_.size()] || mentions_all_ || activity.ever_active(group.location.value, var);
          domains_.push_back(domain(layout_.templ().locals[var], layout_.local(var), matters));
        }
      }
    }
    COHORT_EXPECT(domains_.size() == layout_.cells(), "every cell has a domain");
  }

  void run() {
    for (const Conjunct& conjunct : due_[0]) {
      if (!holds(conjunct)) return;
    }
    extend(0);
  }

 private:
  struct Domain {
    Cell first = 0;
    Cell last = 0;
  };

  static Domain domain(const model::Variable& variable, const CellType& type, bool matters) {
    if (!variable.initial.empty()) {
      const auto cell = static_cast<Cell>(variable.initial[0] - type.lo);
      return {cell, cell};
    }
    if (!matters) return {type.default_cell, type.default_cell};
    return {0, static_cast<Cell>(type.values - 1)};
  }

  void split(ExprId root, std::vector<std::uint32_t> bound) {
    const Expr& node = layout_.program().exprs[root];
    if (node.op == Op::And) {
      for (const ExprId arg : node.args) split(arg, bound);
    } else if (node.op == Op::ForallThread) {
      for (std::uint32_t process = 0; process < layout_.processes(); ++process) {
        bound.push_back(process);
        split(node.args[0], bound);
        bound.pop_back();
      }
    } else {
      Conjunct conjunct{.root = compiled_.compile(root, bound.size()), .bound = std::move(bound)};
      const std::size_t due = read_cells(root, conjunct.bound);
      due_[due].push_back(std::move(conjunct));
    }
  }

  // Marks what the conjunct reads; one more than the last of these cells, 0 for none.
  std::size_t read_cells(ExprId root, const std::vector<std::uint32_t>& bound) {
    const auto& pool = layout_.program().exprs;
    std::size_t due = 0;
    const auto read = [&](std::size_t cell) {
      mentioned_[cell] = true;
      due = std::max(due, cell + 1);
    };
    for_each_node(pool, root, [&](const Expr& node, ExprId) {
      if (node.op == Op::SharedVar) read(node.var.value);
      if (node.op != Op::RemoteVar && node.op != Op::AtLocation) return;
      const Expr& of = pool[node.args[0]];
      const bool is_bound = of.op == Op::BoundThread && static_cast<std::size_t>(of.value) < bound.size();
      if (is_bound || (of.op == Op::Const && of.value != 0)) {
        const std::size_t process =
            is_bound ? bound[static_cast<std::size_t>(of.value)] : static_cast<std::size_t>(of.value) - 1;
        read(node.op == Op::AtLocation ? layout_.location_cell(process) : layout_.local_cell(process, node.var.value));
      } else {
        // Which process is meant depends on the state.
        mentions_all_ = true;
        due = layout_.cells();
      }
    });
    return due;
  }

  bool holds(const Conjunct& conjunct) {
    return compiled_.evaluate(conjunct.root, cells_, conjunct.bound).value_or(false);
  }

  bool extend(std::size_t cell) {
    if (cell == cells_.size()) return visit_(cells_);
    for (std::uint32_t value = domains_[cell].first; value <= domains_[cell].last; ++value) {
      if (env_.stop_requested("pointer-initial")) return false;
      if (++tried_ > most_tried) {
        throw_unsupported(layout_.templ().span,
                          "too many initial states to enumerate: give more variables initial values");
      }
      cells_[cell] = static_cast<Cell>(value);
      const auto& due = due_[cell + 1];
      if (!std::all_of(due.begin(), due.end(), [&](const Conjunct& conjunct) { return holds(conjunct); })) continue;
      if (!extend(cell + 1)) return false;
    }
    return true;
  }

  Env& env_;
  Compiled& compiled_;
  const Layout& layout_;
  const std::function<bool(const Cells&)>& visit_;
  Cells cells_;
  std::vector<Domain> domains_;
  std::vector<bool> mentioned_;
  bool mentions_all_ = false;
  std::vector<std::vector<Conjunct>> due_;  // by the number of cells that must be set
  std::uint64_t tried_ = 0;
};

}  // namespace

void for_each_initial(Env& env, Compiled& compiled, const Activity& activity,
                      const std::function<bool(const Cells&)>& visit) {
  Enumeration(env, compiled, activity, visit).run();
}

}  // namespace cohort::engine::pointer
