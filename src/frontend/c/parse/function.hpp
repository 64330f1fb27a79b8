// Translates the body of one function from Clang's tree into nodes.  An expression comes apart into nodes for its side
// effects, in the order C gives them (left to right where C leaves it open), and a pure expression for its value.  A
// value that a later side effect could change is saved in a temporary first.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "frontend/c/ir/unit.hpp"
#include "frontend/c/parse/declarations.hpp"
#include "frontend/c/parse/flow.hpp"
#include "frontend/c/parse/locations.hpp"
#include "frontend/c/parse/symbols.hpp"
#include "frontend/c/parse/types.hpp"

namespace cohort::frontend::c::parse {

// What the functions of one file have in common.
struct File {
  clang::ASTContext& context;
  ir::Unit& unit;
  Symbols& symbols;
  Locations& locations;
  Types& types;
  Declarations& declarations;
  bool spurious_failures = false;
  bool overflow_matters = false;
  bool text_is_read = false;
  bool lives_matter = false;  // whether a local still lives when it is used
  bool exact_floats = false;  // the values of floating-point numbers matter
  const std::vector<std::string>& error_labels;
};

// What is said of an error label.
std::string label_text(const std::string& label);

struct Directive;

class FunctionTranslator {
 public:
  FunctionTranslator(File& file, ir::FunctionId id) : file_(file), unit_(file.unit), id_(id) {}

  // The declaration has a body.
  void translate(const clang::FunctionDecl* declaration);

 private:
  // The place and text that new nodes get, for as long as one of these lives.
  class Context {
   public:
    Context(FunctionTranslator& owner, clang::SourceRange range);
    ~Context();

   private:
    FunctionTranslator& owner_;
    SourceSpan span_;
    std::string text_;
  };

  // With each label the number of variables with cleanups that live there.
  struct Loop {
    Flow::Label* on_break;
    Flow::Label* on_continue;
    std::size_t outside;
    std::size_t outside_continue;
    std::size_t blocks;  // around what break leads to
    std::size_t blocks_continue;
  };

  // statement.cpp
  void statement(const clang::Stmt* statement);
  void compound(const clang::CompoundStmt* statement);
  void declare(const clang::VarDecl* variable);
  void declare_variable_array(const clang::VarDecl* variable);
  void if_statement(const clang::IfStmt* statement);
  void while_loop(const clang::WhileStmt* statement);
  void do_loop(const clang::DoStmt* statement);
  void for_loop(const clang::ForStmt* statement);
  void switch_statement(const clang::SwitchStmt* statement);
  void case_label(const clang::SwitchCase* statement);
  void choose_case(ir::ExprId selector, const clang::CaseStmt* statement);
  void label(const clang::LabelStmt* statement);
  void return_statement(const clang::ReturnStmt* statement);
  void leave(std::optional<ir::ExprId> value);

  // jumps.cpp
  void survey_jumps(const clang::FunctionDecl* declaration);
  void go_to(const clang::LabelDecl* label);
  void go_to_address(const clang::IndirectGotoStmt* statement);
  ir::ExprId label_address(const clang::AddrLabelExpr* expr);
  void leave_scopes(std::size_t depth);

  // assembly.cpp
  struct Assembly;
  struct Instruction;
  void assembly(const clang::Stmt* statement);
  bool read_operands(const clang::GCCAsmStmt* statement, Assembly& assembly);
  bool execute(const Instruction& instruction, Assembly& assembly);
  bool change_flag(const Instruction& instruction, Assembly& assembly);
  void set_flag(std::optional<ir::PlaceId>& flag, ir::ExprId value, Assembly& assembly);

  // condition.cpp
  void condition(const clang::Expr* expr, Flow::Label& yes, Flow::Label& no);
  ir::ExprId logical(const clang::BinaryOperator* expr);
  ir::ExprId without_middle(const clang::BinaryConditionalOperator* expr, bool used);
  ir::ExprId conditional(const clang::AbstractConditionalOperator* expr, bool used);
  bool has_effects(const clang::Stmt* statement) const;
  bool is_simple(const clang::Expr* expr) const;
  bool is_harmless(const clang::BinaryOperator* expr) const;

  // expression.cpp
  // The value; of an unused one only what evaluating it does is of interest, and what is returned means nothing.
  ir::ExprId value(const clang::Expr* expr, bool used = true);
  bool is_bare_value(const clang::Expr* expr) const;
  ir::ExprId discard(const clang::Expr* expr);
  ir::ExprId cast_expression(const clang::CastExpr* expr, bool used);
  ir::ExprId unary(const clang::UnaryOperator* expr, bool used);
  ir::ExprId binary(const clang::BinaryOperator* expr, bool used);
  ir::ExprId arithmetic(clang::BinaryOperatorKind kind, ir::ExprId left, ir::ExprId right, ir::TypeId type);
  ir::ExprId places_of_shift(ir::ExprId places, ir::TypeId type);
  ir::ExprId assign(const clang::BinaryOperator* expr, bool used);
  ir::ExprId compound_assign(const clang::CompoundAssignOperator* expr, bool used);
  ir::ExprId increment(const clang::UnaryOperator* expr, bool used);
  ir::ExprId update(ir::PlaceId place, ir::ExprId changed, bool is_atomic, bool used);
  ir::ExprId fit(const clang::FieldDecl* field, ir::ExprId value);
  ir::ExprId known(const llvm::APSInt& number, const clang::Expr* expr);
  ir::ExprId statement_expression(const clang::StmtExpr* expr, bool used);

  // place.cpp
  ir::PlaceId place(const clang::Expr* expr);
  ir::PlaceId object_place(ir::ObjectId object);
  ir::PlaceId target_of(ir::ExprId pointer);
  ir::PlaceId field_of(ir::PlaceId base, std::uint32_t field);
  ir::PlaceId element_of(ir::PlaceId base, ir::ExprId index);
  ir::PlaceId member(const clang::MemberExpr* expr);
  ir::PlaceId subscript(const clang::ArraySubscriptExpr* expr);
  ir::PlaceId rvalue_place(const clang::Expr* expr);
  // The same place, with what it computes saved so that it can be used twice.
  ir::PlaceId settled(ir::PlaceId place);

  // initialiser.cpp
  void initialise(ir::PlaceId place, const clang::Expr* init, const clang::FieldDecl* field = nullptr);
  void initialise_record(ir::PlaceId place, const clang::InitListExpr* init);
  void initialise_array(ir::PlaceId place, const clang::InitListExpr* init);
  void initialise_string(ir::PlaceId place, const clang::StringLiteral* literal);
  void initialise_library(ir::PlaceId place, const clang::Expr* init);
  void zero(ir::PlaceId place);
  ir::PlaceId compound_literal(const clang::CompoundLiteralExpr* expr);

  // floating.cpp
  bool is_float(ir::ExprId value) const { return unit_.type(type_of(value)).is_float; }
  bool is_exact(clang::QualType type) const;
  bool calls_number_model(const clang::Stmt* statement) const;
  ir::ExprId float_constant(const llvm::APFloat& number, clang::QualType type);
  ir::ExprId float_truth(ir::ExprId bits);
  ir::ExprId truth_of(const clang::Expr* expr);
  ir::ExprId float_convert(ir::ExprId value, clang::QualType from, clang::QualType to);
  ir::ExprId float_operation(clang::BinaryOperatorKind kind, ir::ExprId left, ir::ExprId right, clang::QualType type);
  ir::ExprId float_negation(ir::ExprId bits);
  std::pair<ir::ExprId, ir::ExprId> float_update(clang::BinaryOperatorKind kind, ir::PlaceId target,
                                                 clang::QualType type, ir::ExprId operand, clang::QualType computed);
  std::optional<ir::ExprId> float_question(const clang::CallExpr* expr, llvm::StringRef name);
  ir::ExprId float_number(clang::QualType type);
  ir::ExprId refuse_float(ir::TypeId type);

  // wide.cpp
  bool is_wide(clang::QualType type) const;
  ir::ExprId wide_constant(const llvm::APSInt& number, clang::QualType type);
  ir::ExprId wide_truth(ir::ExprId value);
  ir::ExprId wide_convert(ir::ExprId value, clang::QualType from, clang::QualType to);
  ir::ExprId wide_operation(clang::BinaryOperatorKind kind, ir::ExprId left, ir::ExprId right, clang::QualType type);
  ir::ExprId wide_binary(const clang::BinaryOperator* expr);
  ir::ExprId wide_places(ir::ExprId count, clang::QualType type);
  ir::ExprId wide_unary(const clang::UnaryOperator* expr);
  std::pair<ir::ExprId, ir::ExprId> wide_update(clang::BinaryOperatorKind kind, ir::PlaceId target,
                                                clang::QualType type, ir::ExprId operand, clang::QualType computed);

  // call.cpp
  ir::ExprId call(const clang::CallExpr* expr, bool used);
  static std::uint64_t read_only_arguments(const clang::CallExpr* expr);
  bool is_of_library(const clang::FunctionDecl* callee) const;
  // `prints`: a function of the library that does nothing with texts but to print them.
  std::vector<ir::ExprId> arguments(llvm::ArrayRef<const clang::Expr*> args, const clang::FunctionDecl* prints);
  ir::ExprId text(const clang::Expr* expr, const clang::StringLiteral* literal);
  std::optional<ir::ExprId> builtin(const clang::CallExpr* expr, bool used);
  ir::ExprId allocate(ir::ExprId size);
  ir::ExprId checked_arithmetic(const clang::CallExpr* expr, ir::Op op);
  void call_library(const std::string& name, std::vector<ir::ExprId> args);

  // variable_arguments.cpp
  std::optional<ir::PlaceId> list_position(const clang::Expr* list);
  ir::ExprId start_list(const clang::CallExpr* expr);
  ir::ExprId copy_list(const clang::CallExpr* expr);
  ir::ExprId next_argument(const clang::VAArgExpr* expr);

  // text.cpp
  struct Printed {
    ir::ExprId to;
    ir::ExprId size;
    ir::PlaceId at;
  };
  struct Scanned {
    ir::ExprId source;
    ir::PlaceId at;
    ir::PlaceId count;
  };
  ir::ExprId call_model(const std::string& name, std::vector<ir::ExprId> args, ir::TypeId type);
  void read_printed_text(const clang::CallExpr* call, llvm::StringRef name, std::vector<ir::ExprId>& args);
  std::optional<ir::ExprId> formatted(const clang::CallExpr* call, llvm::StringRef name);
  ir::ExprId print_into(const clang::CallExpr* call, unsigned format, std::optional<ir::ExprId> size);
  bool print_directive(const Directive& directive, const Printed& printed, const std::vector<ir::ExprId>& args,
                       std::size_t& next);
  ir::ExprId scan(const clang::CallExpr* call);
  bool scan_directive(const Directive& directive, const Scanned& scanned, const std::vector<ir::ExprId>& args,
                      std::size_t& next, Flow::Label& end);

  // reads.cpp
  void read_given_memory(const clang::CallExpr* call, llvm::StringRef name, std::vector<ir::ExprId>& args);
  void read_text(std::vector<ir::ExprId>& args, std::size_t index, const char* reader,
                 std::optional<ir::ExprId> most = std::nullopt);
  void read_constant_objects(const clang::CallExpr* call, std::vector<ir::ExprId>& args);

  // lives.cpp
  struct Block {
    const clang::Stmt* statement;
    std::vector<ir::ObjectId> mortal{};  // what has been declared in it and may be used when it lives no more
  };
  void enter_block(const clang::Stmt* block);
  void exit_block();
  void end_lives(std::size_t depth);
  void end_lives_towards(const clang::LabelDecl* label);
  void arrive();
  void begin_life(ir::ObjectId object);
  void begin_life(const clang::VarDecl* variable);

  // atomic.cpp
  ir::ExprId atomic(const clang::AtomicExpr* expr);
  std::optional<ir::ExprId> sync_builtin(const clang::CallExpr* expr, llvm::StringRef name);
  ir::ExprId read(ir::PlaceId place);
  struct Fetch {
    clang::BinaryOperatorKind op;
    bool invert = false;
    bool gives_new = false;
    bool by_elements = false;  // C11 moves pointers by elements, GCC's functions by bytes
  };
  ir::ExprId fetch_and(ir::PlaceId place, const Fetch& fetch, ir::ExprId operand);
  ir::ExprId exchange(ir::PlaceId place, ir::ExprId stored);
  // Scalar by scalar, where it is a struct.
  std::vector<ir::PlaceId> scalars_of(ir::PlaceId place);
  ir::ExprId equals(ir::ExprId left, ir::ExprId right);
  ir::ExprId compare_exchange(ir::PlaceId place, ir::ExprId expected, ir::ExprId desired);
  ir::ExprId compare_exchange_into(ir::PlaceId place, ir::PlaceId expected, ir::ExprId desired, bool is_weak);
  // What was assumed goes into the ledger.
  void note(const std::string& text);
  void note_order(const clang::Expr* order);
  bool is_weak(const clang::AtomicExpr* expr, bool is_c11) const;

  // Small pieces.
  ir::Node node(ir::Node::Kind kind) const;
  void store(ir::PlaceId target, ir::ExprId value);
  void emit_assign(ir::PlaceId place, ir::ExprId value, std::uint32_t atomic_group = 0);
  ir::ExprId refuse(const std::string& what, const clang::Stmt* where, clang::QualType type);
  ir::ExprId constant(std::int64_t value, ir::TypeId type);
  ir::ExprId nondet(ir::TypeId type);
  ir::ExprId load(ir::PlaceId place);
  ir::ExprId address_of(ir::PlaceId place);
  ir::ExprId cast(ir::ExprId value, ir::TypeId type);
  ir::ExprId operation(ir::Op op, ir::TypeId type, std::vector<ir::ExprId> args);
  void evaluate(ir::ExprId value);
  bool is_stable(ir::ExprId value) const;
  // The value itself if nothing can change it any more, else a temporary that keeps it.
  ir::ExprId frozen(ir::ExprId value);
  ir::PlaceId temporary(ir::TypeId type);
  ir::TypeId type_of(ir::ExprId value) const { return unit_.expr(value).type; }
  ir::TypeId value_type(const clang::Expr* expr) { return file_.types.value_type(expr->getType()); }
  ir::TypeId unqualified(ir::TypeId type);

  File& file_;
  ir::Unit& unit_;
  ir::FunctionId id_;
  Flow flow_;
  SourceSpan span_;
  std::string text_;
  std::uint32_t statement_ = 0;
  std::uint32_t atomic_groups_ = 0;
  std::vector<Loop> loops_;
  std::vector<Block> blocks_;                                                        // those around this point
  std::vector<ir::ObjectId> mortal_;                                                 // of the whole function
  std::map<const clang::LabelDecl*, std::vector<const clang::Stmt*>> label_blocks_;  // those around each label
  std::vector<const clang::VarDecl*> cleanups_;                  // variables with the attribute cleanup that live here
  std::map<const clang::LabelDecl*, std::size_t> label_depths_;  // how many of them live at each label
  std::vector<const clang::LabelDecl*> label_targets_;           // labels whose address is taken
  std::map<const clang::LabelDecl*, Flow::Label> labels_;
  std::map<const clang::SwitchCase*, Flow::Label> cases_;
  std::set<const clang::VarDecl*> addressed_;
  std::map<const clang::OpaqueValueExpr*, ir::ExprId> opaque_;
  std::map<const clang::VarDecl*, ir::PlaceId> array_sizes_;  // in bytes, of arrays of variable length
};

}  // namespace cohort::frontend::c::parse
