// What is known of the shared variables and of one thread's locals, variable by variable: a Range for each, and which
// of them are equal.  Evaluation over ranges, and what a condition that holds says of the variables in it.
//
// Cells.  Each variable has a cell for each of its elements, or one for all of them where there are many; a write to a
// cell of several elements leaves the old values possible.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lemma/range.hpp"
#include "model/program.hpp"

namespace cohort::lemma {

class Cells {
 public:
  // Larger arrays have one cell for all elements.
  static constexpr std::uint32_t most_elements = 64;

  explicit Cells(const model::Program& program);

  const model::Program& program() const { return program_; }
  struct Group {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    bool summary = false;                       // one cell for all elements of an array
    model::Type type = model::Type::boolean();  // of an element
  };
  const Group& shared(model::VarId var) const { return shared_[var.value]; }
  const Group& local(model::TemplateId templ, model::VarId var) const { return locals_[templ.value][var.value]; }
  std::uint32_t shared_count() const { return shared_count_; }
  std::uint32_t local_count(model::TemplateId templ) const { return local_counts_[templ.value]; }

 private:
  const model::Program& program_;
  std::vector<Group> shared_;
  std::vector<std::vector<Group>> locals_;
  std::uint32_t shared_count_ = 0;
  std::vector<std::uint32_t> local_counts_;
};

struct Box {
  std::vector<Range> shared;  // by cell
  std::vector<Range> locals;
  // For each cell, shared ones first: the least cell that it is known to equal.  Only of variables without elements.
  std::vector<std::uint32_t> same;

  bool operator==(const Box&) const = default;

  Range& at(std::uint32_t cell) {
    return cell < shared.size() ? shared[cell] : locals[cell - static_cast<std::uint32_t>(shared.size())];
  }
  const Range& at(std::uint32_t cell) const { return const_cast<Box&>(*this).at(cell); }
  bool equal(std::uint32_t one, std::uint32_t other) const { return same[one] == same[other]; }
  // They are equal, and so are their ranges; false: then there is no such state.
  bool unite(std::uint32_t one, std::uint32_t other);
  // The cell, and what equals it, lies in this range; false: then there is no such state.
  bool restrict(std::uint32_t cell, Range to);
  // Nothing is known to equal the cell any more.
  void part(std::uint32_t cell);
};

// A box with no knowledge of equalities.
Box plain_box(std::vector<Range> shared, std::vector<Range> locals);
// The least box that holds both.
Box join(const Box& left, const Box& right);

// Evaluates expressions of a thread in a box, and narrows the box down.
class Glance {
 public:
  // `passive`: the box of another thread of the template, whose locals passive variables are.
  Glance(const Cells& cells, model::TemplateId templ, Box& box, const Box* passive = nullptr)
      : cells_(cells), exprs_(cells.program().exprs), templ_(templ), box_(box), passive_(passive) {}

  // The values that the expression may have where its evaluation does not go wrong; none: it always does.
  std::optional<Range> range(model::ExprId id);
  // The box is left with the states in which the condition holds, or does not, and perhaps more; false: there are none.
  bool assume(model::ExprId condition, bool truth);
  // May an evaluation so far have gone wrong, by a fault of the program, or by leaving 64 bits?
  bool may_fault() const { return fault_; }
  bool may_overflow() const { return overflow_; }
  // The cell of an expression that is a variable, perhaps behind casts that change nothing.
  std::optional<std::uint32_t> cell_of(model::ExprId id);
  // The cells that an index selects among those of a variable; none: it lies outside.
  struct Selected {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool certain = false;  // one cell of one element
  };
  std::optional<Selected> select(const Cells::Group& group, std::optional<model::ExprId> index,
                                 std::uint32_t array_size);

 private:
  using Node = model::Expr;

  std::optional<Range> compute(model::ExprId id);
  std::optional<Range> variable(const Node& node);
  std::optional<Range> connective(const Node& node);
  std::optional<Range> choice(const Node& node);
  std::optional<Range> comparison(const Node& node);
  std::optional<Range> arithmetic(const Node& node);
  std::optional<Range> shift(const Node& node);
  // Of an operand that is evaluated only where the condition holds, or does not.
  std::optional<Range> guarded(model::ExprId condition, bool truth, model::ExprId operand);
  Range kept(const Range& exact, const model::Type& type);
  // Are they certain to have the same value?
  bool alike(model::ExprId left, model::ExprId right, unsigned depth = 0);

  bool either(model::ExprId one, bool one_truth, model::ExprId other, bool other_truth);
  bool compare(model::Op op, model::ExprId left, model::ExprId right);
  bool narrow(model::ExprId id, const Range& to);
  bool narrow_sum(const Node& node, const Range& to);
  bool narrow_remainder(const Node& node, const Range& to);

  const Cells& cells_;
  const model::ExprPool& exprs_;
  model::TemplateId templ_;
  Box& box_;
  const Box* passive_;
  std::unordered_map<model::ExprId, std::optional<Range>> known_;
  bool fault_ = false;
  bool overflow_ = false;
  unsigned depth_ = 0;
  unsigned budget_ = 4000;  // conditions that are looked at; what is not says nothing
};

}  // namespace cohort::lemma
