// What the names of a process program stand for: constants and shared variables in the header, locals and the index
// inside a process.  A process's scope lies in the header's, and no name may mean two things.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "frontend/pbmc/ast.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pbmc {

struct Symbol {
  enum class Kind : std::uint8_t { Constant, Shared, Local };

  Kind kind = Kind::Constant;
  model::Type type = model::Type::integer();
  model::Value value = 0;  // Constant
  model::VarId var{};      // Shared, Local
  SourceSpan span{};
};

class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  // Throws when the name is taken, here or outside.
  void declare(const Name& name, Symbol symbol);
  // Throws when the name is not declared.
  const Symbol& find(const std::string& name, const SourceSpan& span) const;
  // Was the name, declared in this very scope, looked up since?
  bool was_used(const std::string& name) const;

 private:
  struct Entry {
    Symbol symbol;
    mutable bool used = false;
  };

  const Entry* find_entry(const std::string& name) const;

  const Scope* outer_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace cohort::frontend::pbmc
