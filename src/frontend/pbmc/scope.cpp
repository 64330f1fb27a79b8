#include "frontend/pbmc/scope.hpp"

#include <utility>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::pbmc {

void Scope::declare(const Name& name, Symbol symbol) {
  if (const Entry* old = find_entry(name.text)) {
    throw_malformed(name.span,
                    fmt::format("'{}' is declared twice; first in line {}", name.text, old->symbol.span.line));
  }
  symbol.span = name.span;
  entries_.emplace(name.text, Entry{std::move(symbol)});
}

const Symbol& Scope::find(const std::string& name, const SourceSpan& span) const {
  const Entry* entry = find_entry(name);
  if (entry == nullptr) throw_malformed(span, fmt::format("'{}' is not declared", name));
  entry->used = true;
  return entry->symbol;
}

bool Scope::was_used(const std::string& name) const {
  const auto it = entries_.find(name);
  COHORT_EXPECT(it != entries_.end(), "the name is declared in this scope");
  return it->second.used;
}

const Scope::Entry* Scope::find_entry(const std::string& name) const {
  if (const auto it = entries_.find(name); it != entries_.end()) return &it->second;
  return outer_ == nullptr ? nullptr : outer_->find_entry(name);
}

}  // namespace cohort::frontend::pbmc
