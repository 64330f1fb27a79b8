// Commands as SMT-LIB text over bit-vectors of 64 bits, for checkers that ask a solver of their own.  It is written
// from model/eval.cpp, apart from the terms that engines work with, so that a mistake in either does not stay unseen.
//
// A value is a bit-vector of 64 bits, as the interpreter keeps it; Booleans are 0 and 1.  The shared slot i is g<i>,
// slot i of thread n is t<n>.<i>.  Every node of an expression gets a definition, so text is as large as the graph, not
// as the tree.  What the definitions of a command need is declared before them: all of it stands outside of any push.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/commands.hpp"

namespace cohort::result {

// A command of thread 0: names of terms.
struct SmtLibStep {
  std::string enabled;              // Boolean: the guard holds, and nothing goes wrong
  std::string fault;                // Boolean: something goes wrong, or leaves 64 bits
  std::string overflow;             // Boolean: an integer leaves 64 bits
  std::vector<std::string> shared;  // by slot, after the step
  std::vector<std::string> self;
  std::vector<std::vector<std::string>> children;  // locals of new threads
};

struct SmtLibPassive {
  std::string possible;
  std::vector<std::string> locals;
};

class SmtLib {
 public:
  // `inlined`: terms are written out where they are used, without definitions.
  explicit SmtLib(const model::Commands& commands, bool inlined = false) : commands_(commands), inlined_(inlined) {}

  static std::string literal(model::Value value);
  // The value of a variable is one of its type.
  static std::string in_type(const std::string& name, const model::Type& type);
  static std::string shared_name(std::size_t slot);
  static std::string local_name(std::size_t thread, std::size_t slot);

  // Of the shared variables, and of the locals of a thread: declared here at the first call.
  std::vector<std::string> shared();
  std::vector<std::string> locals(std::size_t thread, model::TemplateId templ);
  SmtLibStep step(const model::Command& command);
  SmtLibPassive passive(const model::Command& command, std::size_t thread);
  // A condition over shared variables and the locals of a thread; it makes no choices.
  std::string condition(model::ExprId expr, std::size_t thread, model::TemplateId templ);
  // Evaluating it goes wrong.
  std::string trouble(model::ExprId expr, std::size_t thread, model::TemplateId templ);

  // Declarations and definitions since the last call.
  std::string take_definitions() { return std::move(text_); }

 private:
  // Whose locals LocalVar and PassiveVar are.
  struct Scope {
    model::TemplateId templ;
    std::size_t self = 0;
    std::size_t passive = 0;

    auto operator<=>(const Scope&) const = default;
  };
  struct Named {
    std::string value;  // Boolean or bit-vector, as the type of the node
    std::string fault;
    std::string overflow;
  };

  const Named& node(const Scope& scope, model::ExprId id);
  Named make(const Scope& scope, const model::Expr& expr, model::ExprId id);
  Named variable(const Scope& scope, const model::Expr& expr);
  Named connective(const Scope& scope, const model::Expr& expr);
  Named unary(const Scope& scope, const model::Expr& expr);
  Named arithmetic(const model::Expr& expr, const std::string& left, const std::string& right);
  Named binary(const Scope& scope, const model::Expr& expr);
  std::string number(const Scope& scope, model::ExprId id);
  std::string define(const char* sort, const std::string& term);
  void declare(const std::string& name);
  void store(const Scope& scope, const model::Assign& assign, const model::Variable& variable,
             std::vector<std::string>& values);

  const model::Commands& commands_;
  bool inlined_;
  std::string text_;
  std::set<std::string> declared_;
  std::map<std::pair<Scope, model::ExprId>, Named> nodes_;
  std::uint64_t names_ = 0;
};

}  // namespace cohort::result
