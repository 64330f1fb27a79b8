// Steps and conditions on parts of states (engine/pointer/part.hpp), where a value may be unknown: what a member does,
// as far as the members show.
//
// Who looks on.  A step is taken in a part of k + 1 members for the sake of k of them, the *view*; the last one, the
// *guest*, is there because the step may need to know it.  If the one who steps is the guest, the view sees what it
// does to shared variables and through pointers.  If it is in view, the step is evaluated as if the guest were outside
// until, for the first time, something depends on who a pointer outside the view leads to: then the guest must be the
// one, and if it is not, nothing comes of this part.  Nothing is lost: in every state there is such a process, and the
// part that has it as guest is looked at as well.  What depends on yet another process is any value.
#pragma once

#include <optional>
#include <vector>

#include "engine/pointer/part.hpp"
#include "model/expr.hpp"

namespace cohort::engine::pointer {

// Why the program cannot be looked at by parts, if so.
std::optional<std::string> refuses_parts(const model::Program& program);

// How many processes the condition's quantifiers speak of together where they must be seen at once.
std::size_t processes_spoken_of(const model::ExprPool& exprs, model::ExprId condition);

class PartSteps {
 public:
  explicit PartSteps(const Parts& parts);

  // What `stepper` makes of the part by this edge, as views without `guest`, who may be the stepper; `members` are
  // there with the guest.  They are not canonical, and inactive variables are not reset.
  void step(const Part& part, std::size_t members, const model::Edge& edge, std::uint32_t stepper, std::uint32_t guest,
            std::vector<Part>& views);
  // Might a step so far have run into a fault, where that is a violation?
  bool may_fault() const { return fault_seen_; }

  // May the condition of a property hold in a state that the part is of?  Witnesses of the outermost `exists` are
  // looked for among the members only: others are members of other parts.
  bool may_be_bad(const Part& part, std::size_t members, model::ExprId condition);
  // May the condition hold at all?
  bool may_hold(const Part& part, std::size_t members, model::ExprId condition);

 private:
  struct Datum {
    enum class Kind : std::uint8_t { Known, Outside, Any };
    Kind kind = Kind::Known;
    model::Value value = 0;
  };
  enum class Missing : std::uint8_t { Nothing, Guest };  // the guest is not the one who is asked for
  struct Branch {
    Part part;
    bool used = false;  // the guest is in view from here on
  };

  Datum evaluate(model::ExprId id);
  std::optional<std::size_t> follow(Datum reference);
  Datum variable(Datum reference, const model::Expr& node);
  Datum compare(const model::Expr& node);
  Datum connective(const model::Expr& node);
  Datum calculate(const model::Expr& node);
  Datum quantified(const model::Expr& node);
  Datum of_cell(std::size_t cell, const CellType& type) const;
  Datum at_location(Datum reference, const model::Expr& node);
  // Somebody asks who this is.
  Datum identify(Datum reference);
  bool may(model::ExprId id, bool truth, bool outermost);
  bool may_all_members(model::ExprId body, bool truth);
  bool may_some_member(model::ExprId body, bool truth);
  void look_for_faults(model::ExprId id);
  void perform(const model::Assign& assign, std::vector<Branch>& branches);
  std::vector<Datum> values(Datum value, const CellType& type) const;
  void store(Part part, std::size_t cell, const Datum& value, const CellType& type, std::vector<Branch>& result) const;
  void begin(const Part& part, std::size_t members);
  void note_fault(bool guest_steps);

  const Parts& parts_;
  const Layout& layout_;
  const model::ExprPool& exprs_;
  const bool faults_violate_;
  // Of the evaluation that is going on.
  const Part* part_ = nullptr;
  std::size_t members_ = 0;
  std::uint32_t self_ = 0;
  std::optional<std::uint32_t> guest_;  // none: everybody is in view
  std::vector<std::uint32_t> bound_;
  Missing missing_ = Missing::Nothing;
  bool fault_ = false;       // some evaluation may have faulted
  bool sure_fault_ = false;  // one has, whatever is not known
  bool fault_seen_ = false;
};

}  // namespace cohort::engine::pointer
