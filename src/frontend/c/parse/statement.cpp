// Statements.
#include <clang/AST/Attr.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include "base/contract.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;

void FunctionTranslator::statement(const clang::Stmt* statement) {
  switch (statement->getStmtClass()) {
    case clang::Stmt::NullStmtClass: return;
    case clang::Stmt::CompoundStmtClass: return compound(llvm::cast<clang::CompoundStmt>(statement));
    case clang::Stmt::DeclStmtClass:
      for (const clang::Decl* declaration : llvm::cast<clang::DeclStmt>(statement)->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) declare(variable);
      }
      return;
    case clang::Stmt::IfStmtClass: return if_statement(llvm::cast<clang::IfStmt>(statement));
    case clang::Stmt::WhileStmtClass: return while_loop(llvm::cast<clang::WhileStmt>(statement));
    case clang::Stmt::DoStmtClass: return do_loop(llvm::cast<clang::DoStmt>(statement));
    case clang::Stmt::ForStmtClass: return for_loop(llvm::cast<clang::ForStmt>(statement));
    case clang::Stmt::SwitchStmtClass: return switch_statement(llvm::cast<clang::SwitchStmt>(statement));
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass: return case_label(llvm::cast<clang::SwitchCase>(statement));
    case clang::Stmt::LabelStmtClass: return label(llvm::cast<clang::LabelStmt>(statement));
    case clang::Stmt::GotoStmtClass: return go_to(llvm::cast<clang::GotoStmt>(statement)->getLabel());
    case clang::Stmt::IndirectGotoStmtClass: return go_to_address(llvm::cast<clang::IndirectGotoStmt>(statement));
    case clang::Stmt::BreakStmtClass:
      leave_scopes(loops_.back().outside);
      end_lives(loops_.back().blocks);
      return flow_.jump(*loops_.back().on_break);
    case clang::Stmt::ContinueStmtClass:
      leave_scopes(loops_.back().outside_continue);
      end_lives(loops_.back().blocks_continue);
      return flow_.jump(*loops_.back().on_continue);
    case clang::Stmt::ReturnStmtClass: return return_statement(llvm::cast<clang::ReturnStmt>(statement));
    case clang::Stmt::AttributedStmtClass:
      return this->statement(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt());
    case clang::Stmt::GCCAsmStmtClass: return assembly(statement);
    default: break;
  }
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(statement)) {
    const Context context(*this, expr->getSourceRange());
    ++statement_;
    value(expr, false);
    return;
  }
  refuse(fmt::format("this kind of statement ({})", statement->getStmtClassName()), statement, file_.context.VoidTy);
}

void FunctionTranslator::compound(const clang::CompoundStmt* statement) {
  const std::size_t outside = cleanups_.size();
  enter_block(statement);
  for (const clang::Stmt* part : statement->body()) this->statement(part);
  leave_scopes(outside);
  cleanups_.resize(outside);
  exit_block();
}

void FunctionTranslator::declare(const clang::VarDecl* variable) {
  if (variable->isStaticLocal()) return file_.declarations.define(variable);
  if (!variable->hasLocalStorage()) return;  // a declaration of something elsewhere
  const Context context(*this, variable->getSourceRange());
  ++statement_;
  if (variable->getType()->isVariableArrayType()) return declare_variable_array(variable);
  const ir::ObjectId object = file_.declarations.object(variable);
  const ir::Type& type = unit_.type(unit_.object(object).type);
  if (type.kind == ir::Type::Kind::Unsupported) {
    Node refusal = node(Node::Kind::Unsupported);
    refusal.text = type.reason;
    flow_.emit(std::move(refusal));
    return;
  }
  const bool is_scalar = type.kind != ir::Type::Kind::Record && type.kind != ir::Type::Kind::Array;
  begin_life(variable);
  const clang::Expr* init = variable->getInit();
  if (init == nullptr || !is_scalar) {
    Node begin = node(Node::Kind::Declare);
    begin.object = object;
    flow_.emit(std::move(begin));
  }
  if (init != nullptr) initialise(object_place(object), init);
  if (variable->hasAttr<clang::CleanupAttr>()) cleanups_.push_back(variable);
}

// An array whose length is computed is an object on the heap, and its name a pointer to the first element.
void FunctionTranslator::declare_variable_array(const clang::VarDecl* variable) {
  const auto* array = file_.context.getAsVariableArrayType(variable->getType());
  const clang::QualType element = array->getElementType();
  const ir::TypeId size_type = file_.types.value_type(file_.context.getSizeType());
  if (array->getSizeExpr() == nullptr || element->isVariablyModifiedType()) {
    Node refusal = node(Node::Kind::Unsupported);
    refusal.text = "an array of variable length in several dimensions";
    flow_.emit(std::move(refusal));
    return;
  }
  const ExprId count = cast(value(array->getSizeExpr()), size_type);
  const std::int64_t bytes = file_.context.getTypeSizeInChars(element).getQuantity();
  const PlaceId size = temporary(size_type);
  emit_assign(size, operation(Op::Mul, size_type, {count, constant(bytes, size_type)}));
  array_sizes_[variable] = size;
  const ExprId memory = allocate(load(size));
  const PlaceId pointer = object_place(file_.declarations.object(variable));
  emit_assign(pointer, cast(memory, unit_.place(pointer).type));
}

void FunctionTranslator::if_statement(const clang::IfStmt* statement) {
  Flow::Label yes;
  Flow::Label no;
  ++statement_;
  condition(statement->getCond(), yes, no);
  flow_.bind(yes);
  this->statement(statement->getThen());
  if (statement->getElse() == nullptr) return flow_.bind(no);
  Flow::Label end;
  flow_.jump(end);
  flow_.bind(no);
  this->statement(statement->getElse());
  flow_.bind(end);
}

void FunctionTranslator::while_loop(const clang::WhileStmt* statement) {
  Flow::Label head;
  Flow::Label body;
  Flow::Label end;
  flow_.bind_backward(head);
  ++statement_;
  condition(statement->getCond(), body, end);
  flow_.bind(body);
  loops_.push_back({&end, &head, cleanups_.size(), cleanups_.size(), blocks_.size(), blocks_.size()});
  this->statement(statement->getBody());
  loops_.pop_back();
  flow_.jump(head);
  flow_.bind(end);
}

void FunctionTranslator::do_loop(const clang::DoStmt* statement) {
  Flow::Label head;
  Flow::Label test;
  Flow::Label end;
  flow_.bind_backward(head);
  loops_.push_back({&end, &test, cleanups_.size(), cleanups_.size(), blocks_.size(), blocks_.size()});
  this->statement(statement->getBody());
  loops_.pop_back();
  flow_.bind(test);
  ++statement_;
  condition(statement->getCond(), head, end);
  flow_.bind(end);
}

void FunctionTranslator::for_loop(const clang::ForStmt* statement) {
  Flow::Label head;
  Flow::Label body;
  Flow::Label next;
  Flow::Label end;
  const std::size_t outside = cleanups_.size();
  enter_block(statement);
  if (statement->getInit() != nullptr) this->statement(statement->getInit());
  flow_.bind_backward(head);
  ++statement_;
  if (statement->getCond() != nullptr) {
    condition(statement->getCond(), body, end);
    flow_.bind(body);
  }
  loops_.push_back({&end, &next, cleanups_.size(), cleanups_.size(), blocks_.size(), blocks_.size()});
  this->statement(statement->getBody());
  loops_.pop_back();
  flow_.bind(next);
  if (statement->getInc() != nullptr) this->statement(statement->getInc());
  flow_.jump(head);
  flow_.bind(end);
  leave_scopes(outside);
  cleanups_.resize(outside);
  exit_block();
}

void FunctionTranslator::switch_statement(const clang::SwitchStmt* statement) {
  Flow::Label end;
  {
    const Context context(*this, statement->getCond()->getSourceRange());
    ++statement_;
    const ExprId selector = frozen(value(statement->getCond()));
    const clang::DefaultStmt* otherwise = nullptr;
    std::vector<const clang::CaseStmt*> cases;
    for (const clang::SwitchCase* part = statement->getSwitchCaseList(); part != nullptr;
         part = part->getNextSwitchCase()) {
      if (const auto* constant = llvm::dyn_cast<clang::CaseStmt>(part)) {
        cases.insert(cases.begin(), constant);
      } else {
        otherwise = llvm::cast<clang::DefaultStmt>(part);
      }
    }
    for (const clang::CaseStmt* part : cases) choose_case(selector, part);
    flow_.jump(otherwise != nullptr ? cases_[otherwise] : end);
  }
  // `continue` in a switch belongs to the loop around it.
  loops_.push_back({&end, loops_.empty() ? nullptr : loops_.back().on_continue, cleanups_.size(),
                    loops_.empty() ? 0 : loops_.back().outside_continue, blocks_.size(),
                    loops_.empty() ? 0 : loops_.back().blocks_continue});
  this->statement(statement->getBody());
  loops_.pop_back();
  flow_.bind(end);
}

void FunctionTranslator::choose_case(ExprId selector, const clang::CaseStmt* statement) {
  const ir::TypeId type = type_of(selector);
  const auto bound = [&](const clang::Expr* expr) {
    return constant(expr->EvaluateKnownConstInt(file_.context).getExtValue(), type);
  };
  const ir::TypeId truth = file_.types.int_type();
  Node test = node(Node::Kind::Branch);
  if (statement->getRHS() == nullptr) {
    test.value = operation(Op::Eq, truth, {selector, bound(statement->getLHS())});
  } else {
    const ExprId low = operation(Op::Ge, truth, {selector, bound(statement->getLHS())});
    const ExprId high = operation(Op::Le, truth, {selector, bound(statement->getRHS())});
    test.value = operation(Op::LogicalAnd, truth, {low, high});
  }
  Flow::Label no;
  flow_.branch(std::move(test), cases_[statement], no);
  flow_.bind(no);
}

void FunctionTranslator::case_label(const clang::SwitchCase* statement) {
  flow_.bind(cases_[statement]);
  arrive();
  this->statement(statement->getSubStmt());
}

std::string label_text(const std::string& label) {
  return fmt::format("the label {} is reached", label);
}

void FunctionTranslator::label(const clang::LabelStmt* statement) {
  flow_.bind_backward(labels_[statement->getDecl()]);
  arrive();
  const std::string name = statement->getName();
  if (llvm::is_contained(file_.error_labels, name)) {
    const Context context(*this, statement->getSourceRange());
    const ir::TypeId type = file_.types.pointer_to(file_.types.value_type(file_.context.CharTy));
    const auto said = [&](std::string words) {
      return unit_.add_expr({.op = ir::Op::Text, .type = type, .text = std::move(words), .span = span_});
    };
    ++statement_;
    call_library("__cohort_violation", {said("assertion"), said(label_text(name))});
  }
  // Behind this the label's own name begins, or what makes one that repeats different; see session.cpp.
  if (!name.starts_with("__CPROVER_ASYN")) return this->statement(statement->getSubStmt());
  Flow::Label after;
  {
    const Context context(*this, statement->getSourceRange());
    ++statement_;
    flow_.fork(node(Node::Kind::Async), after);
  }
  this->statement(statement->getSubStmt());
  flow_.emit(node(Node::Kind::EndAsync));
  flow_.bind(after);
}

void FunctionTranslator::return_statement(const clang::ReturnStmt* statement) {
  const Context context(*this, statement->getSourceRange());
  ++statement_;
  const clang::Expr* expr = statement->getRetValue();
  const ir::TypeId result = unit_.function(id_).result;
  const bool has_value =
      expr != nullptr && !expr->getType()->isVoidType() && unit_.type(result).kind != ir::Type::Kind::Void;
  if (!has_value) {
    if (expr != nullptr) value(expr, false);
    leave_scopes(0);
    return leave(std::nullopt);
  }
  ExprId returned = cast(value(expr), result);
  if (!cleanups_.empty()) returned = frozen(returned);
  leave_scopes(0);
  leave(returned);
}

void FunctionTranslator::leave(std::optional<ExprId> value) {
  Node end = node(Node::Kind::Return);
  end.has_value = value.has_value();
  if (value) end.value = *value;
  flow_.emit(std::move(end));
}

// Assembly without instructions only keeps the compiler from moving accesses, which nobody does here.

}  // namespace cohort::frontend::c::parse
