#include "frontend/c/lower/own_element.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "frontend/c/lower/fold.hpp"

namespace cohort::frontend::c::lower {

using ir::Op;

namespace {

constexpr unsigned least_width = 32;  // of casts that keep the numbers of elements

// Puts an object of the thread in place of its element.
class OwnElement {
 public:
  OwnElement(Flat& flat, const Columns& columns, const std::set<InstId>& aliases)
      : flat_(flat), columns_(columns), aliases_(aliases) {}

  void rewrite_body(Body& body, bool results_matter) {
    for (Node& node : body.nodes) {
      const bool to_alias = node.kind == Node::Kind::Assign && flat_.access(node.access).inst &&
                            aliases_.contains(*flat_.access(node.access).inst);
      if (to_alias) {
        const Node old = node;
        node = {
            .kind = Node::Kind::Skip, .next = old.next, .statement = old.statement, .atomic_group = old.atomic_group};
        node.span = old.span;
        node.text = old.text;
        node.call = old.call;
        continue;
      }
      if (!results_matter && body.has_result && stores(flat_, node, body.result)) {
        const auto from = copied(flat_, node.term);
        if (from && aliases_.contains(*from)) node.term = flat_.constant(0, flat_.term(node.term).type);
      }
      if (node.has_term) node.term = term(node.term);
      if (node.kind == Node::Kind::Spawn) node.argument = term(node.argument);
      if (node.has_number) node.number = term(node.number);
      if (node.has_access) node.access = access(node.access);
    }
  }

 private:
  TermId term(TermId id) {
    Term term = flat_.term(id);
    for (TermId& arg : term.args) arg = this->term(arg);
    if (term.op == Op::Load && columns_.by_pointer) {
      const auto from = copied(flat_, id);
      if (from && aliases_.contains(*from)) {
        const Column& column = columns_.columns.front();
        return flat_.address_of(flat_.whole(column.own), term.type);
      }
    }
    if (term.op == Op::Load || term.op == Op::AddressOf) term.access = access(term.access);
    return fold(flat_, std::move(term));
  }

  AccessId access(AccessId id) {
    Access access = flat_.access(id);
    if (!columns_.by_pointer && indexes_own(flat_, access, aliases_)) {
      for (const Column& column : columns_.columns) {
        if (access.inst != column.array) continue;
        access.inst = column.own;
        access.indices.clear();
        return flat_.add(std::move(access));
      }
    }
    if (!access.inst) access.pointer = term(access.pointer);
    for (Index& index : access.indices) index.term = term(index.term);
    return fold(flat_, std::move(access));
  }

  Flat& flat_;
  const Columns& columns_;
  const std::set<InstId>& aliases_;
};

}  // namespace

bool is_whole(const Flat& flat, const Access& access, InstId inst) {
  return access.inst == inst && access.offset == 0 && access.indices.empty() &&
         size_of(flat.unit, access.type) == size_of(flat.unit, flat.inst(inst).type);
}

TermId without_casts(const Flat& flat, TermId id) {
  while (flat.term(id).op == Op::Cast) {
    const ir::Type& type = flat.type_of(id);
    const bool keeps = (type.kind == ir::Type::Kind::Int || type.kind == ir::Type::Kind::Pointer) && !type.is_float;
    if (!keeps || type.width < least_width) break;
    id = flat.term(id).args[0];
  }
  return id;
}

std::optional<InstId> copied(const Flat& flat, TermId id) {
  const Term& term = flat.term(without_casts(flat, id));
  if (term.op != Op::Load) return std::nullopt;
  const Access& access = flat.access(term.access);
  if (!access.inst || !is_whole(flat, access, *access.inst)) return std::nullopt;
  return access.inst;
}

bool takes_address(const Flat& flat, const Node& node, InstId inst) {
  bool found = false;
  for_each_access(flat, node, [&](AccessId access, bool is_load) {
    found = found || (!is_load && flat.access(access).inst == inst);
  });
  return found;
}

bool reads(const Flat& flat, const Node& node, InstId inst) {
  bool found = false;
  for_each_access(flat, node, [&](AccessId access, bool) { found = found || flat.access(access).inst == inst; });
  return found;
}

bool stores(const Flat& flat, const Node& node, InstId inst) {
  return node.has_access && flat.access(node.access).inst == inst;
}

std::set<InstId> aliases_of(const Flat& flat, const Body& body) {
  std::set<InstId> aliases;
  if (!body.parameter) return aliases;
  const auto touched = [&](InstId inst) {
    return std::any_of(body.nodes.begin(), body.nodes.end(), [&](const Node& node) {
      return takes_address(flat, node, inst) ||
             (node.has_access && node.kind != Node::Kind::Assign && stores(flat, node, inst));
    });
  };
  const auto is_stored = [&](const Node& node) { return stores(flat, node, *body.parameter); };
  if (touched(*body.parameter) || std::any_of(body.nodes.begin(), body.nodes.end(), is_stored)) return aliases;
  aliases.insert(*body.parameter);
  const auto is_alias = [&](InstId inst) {
    if (touched(inst)) return false;
    std::vector<bool> storing(body.nodes.size(), false);
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      const Node& node = body.nodes[i];
      if (!stores(flat, node, inst)) continue;
      if (!is_whole(flat, flat.access(node.access), inst)) return false;
      const auto from = copied(flat, node.term);
      if (!from || !aliases.contains(*from)) return false;
      storing[i] = true;
    }
    return stored_first(body, inst, storing, [&](const Node& node) { return reads(flat, node, inst); });
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const Node& node : body.nodes) {
      if (node.kind != Node::Kind::Assign) continue;
      const auto from = copied(flat, node.term);
      const auto& to = flat.access(node.access).inst;
      if (!from || !to || !aliases.contains(*from) || aliases.contains(*to) || to == body.result) continue;
      const Inst& inst = flat.inst(*to);
      const ir::Type& type = flat.unit.type(inst.type);
      if (inst.kind != Inst::Kind::Automatic || !is_scalar(type) || type.width < least_width) continue;
      if (is_alias(*to)) grows = aliases.insert(*to).second;
    }
  }
  return aliases;
}

std::uint64_t element_size(const Flat& flat, InstId array) {
  return size_of(flat.unit, flat.unit.type(flat.inst(array).type).target);
}

bool indexes_own(const Flat& flat, const Access& access, const std::set<InstId>& aliases) {
  if (!access.inst || access.indices.size() != 1) return false;
  // An index inside of an element, or into something that lies across elements, counts something else.
  const ir::Type& array = flat.unit.type(flat.inst(*access.inst).type);
  const Index& by = access.indices[0];
  if (array.kind != ir::Type::Kind::Array || by.stride != element_size(flat, *access.inst)) return false;
  if (by.count != 0 && by.count != array.count) return false;
  const auto index = copied(flat, by.term);
  return index && aliases.contains(*index);
}

void add_own_elements(Flat& flat, Columns& columns, BodyId routine) {
  for (Column& column : columns.columns) {
    const Inst& array = flat.inst(column.array);
    Inst own{
        .name = array.name, .type = flat.unit.type(array.type).target, .kind = Inst::Kind::Thread, .body = routine};
    own.span = array.span;
    column.own = flat.add(std::move(own));
  }
}

void use_own_elements(Flat& flat, const Columns& columns, const std::set<InstId>& aliases, Body& body,
                      bool results_matter) {
  COHORT_EXPECT(!aliases.empty(), "a thread with a column knows its element");
  OwnElement(flat, columns, aliases).rewrite_body(body, results_matter);
}

}  // namespace cohort::frontend::c::lower
