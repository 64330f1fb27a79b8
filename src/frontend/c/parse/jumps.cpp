// Jumps, and what runs when control leaves a scope.
//
// A variable with the attribute cleanup has a function that is called with its address wherever control leaves its
// scope: at the end of the block, by break, continue, goto and return (after the value was computed), in the reverse
// order of the declarations; not where the process or the thread ends.  The variables that live at a point are a stack;
// a jump calls those above the part that lives at its target too.  Clang refuses jumps into a scope.
//
// The address of a label (`&&label`) is a number, different for each label of the file.  A `goto *` compares it with
// those of all labels of the function whose address is taken.
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include "base/contract.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;

namespace {

class Jumps : public clang::RecursiveASTVisitor<Jumps> {
 public:
  using Blocks = std::vector<const clang::Stmt*>;

  Jumps(std::map<const clang::LabelDecl*, std::size_t>& depths, std::vector<const clang::LabelDecl*>& targets,
        std::map<const clang::LabelDecl*, Blocks>& blocks)
      : depths_(depths), targets_(targets), blocks_(blocks) {}

  bool TraverseCompoundStmt(clang::CompoundStmt* block) {
    const std::size_t outside = depth_;
    around_.push_back(block);
    const bool goes_on = RecursiveASTVisitor::TraverseCompoundStmt(block);
    around_.pop_back();
    depth_ = outside;
    return goes_on;
  }
  bool TraverseForStmt(clang::ForStmt* loop) {
    const std::size_t outside = depth_;
    around_.push_back(loop);
    const bool goes_on = RecursiveASTVisitor::TraverseForStmt(loop);
    around_.pop_back();
    depth_ = outside;
    return goes_on;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->hasLocalStorage() && variable->hasAttr<clang::CleanupAttr>()) ++depth_;
    return true;
  }
  bool VisitLabelStmt(clang::LabelStmt* label) {
    depths_[label->getDecl()] = depth_;
    blocks_[label->getDecl()] = around_;
    return true;
  }
  bool VisitAddrLabelExpr(clang::AddrLabelExpr* expr) {
    if (std::find(targets_.begin(), targets_.end(), expr->getLabel()) == targets_.end()) {
      targets_.push_back(expr->getLabel());
    }
    return true;
  }

 private:
  std::size_t depth_ = 0;
  std::map<const clang::LabelDecl*, std::size_t>& depths_;
  std::vector<const clang::LabelDecl*>& targets_;
  Blocks around_;
  std::map<const clang::LabelDecl*, Blocks>& blocks_;
};

}  // namespace

void FunctionTranslator::survey_jumps(const clang::FunctionDecl* declaration) {
  Jumps(label_depths_, label_targets_, label_blocks_).TraverseStmt(declaration->getBody());
}

// Calls what the variables that do not live at that depth any more have asked for.  They stay on the stack: what
// follows in the source is still inside of their scopes.
void FunctionTranslator::leave_scopes(std::size_t depth) {
  if (!flow_.reachable()) return;
  for (std::size_t i = cleanups_.size(); i-- > depth;) {
    const clang::VarDecl* variable = cleanups_[i];
    const clang::FunctionDecl* function = variable->getAttr<clang::CleanupAttr>()->getFunctionDecl();
    const Context context(*this, variable->getSourceRange());
    ++statement_;
    Node call = node(Node::Kind::Call);
    call.callee = file_.declarations.function(function);
    const ExprId address = address_of(object_place(file_.declarations.object(variable)));
    call.args = {cast(address, file_.types.value_type(function->getParamDecl(0)->getType()))};
    flow_.emit(std::move(call));
  }
}

void FunctionTranslator::go_to(const clang::LabelDecl* label) {
  const auto depth = label_depths_.find(label);
  COHORT_EXPECT(depth != label_depths_.end() && depth->second <= cleanups_.size(), "nothing jumps into a scope");
  leave_scopes(depth->second);
  end_lives_towards(label);
  flow_.jump(labels_[label]);
}

ExprId FunctionTranslator::label_address(const clang::AddrLabelExpr* expr) {
  return constant(file_.declarations.label_number(expr->getLabel()), value_type(expr));
}

void FunctionTranslator::go_to_address(const clang::IndirectGotoStmt* statement) {
  const Context context(*this, statement->getSourceRange());
  ++statement_;
  const ExprId target = frozen(value(statement->getTarget()));
  for (const clang::LabelDecl* label : label_targets_) {
    const auto depth = label_depths_.find(label);
    if (depth == label_depths_.end() || depth->second != cleanups_.size()) {
      refuse("a computed goto out of the scope of a variable with the attribute cleanup", statement,
             file_.context.VoidTy);
      return;
    }
    Node test = node(Node::Kind::Branch);
    const ExprId address = constant(file_.declarations.label_number(label), type_of(target));
    test.value = operation(Op::Eq, file_.types.int_type(), {target, address});
    Flow::Label no;
    flow_.branch(std::move(test), labels_[label], no);
    flow_.bind(no);
  }
  const ir::TypeId type = file_.types.pointer_to(file_.types.value_type(file_.context.CharTy));
  const auto said = [&](std::string words) {
    return unit_.add_expr({.op = Op::Text, .type = type, .text = std::move(words), .span = span_});
  };
  call_library("__cohort_violation", {said("fault"), said("a goto to something that is no label of the function")});
  leave(std::nullopt);
}

}  // namespace cohort::frontend::c::parse
