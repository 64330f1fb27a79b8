#include "frontend/c/lower/flat.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::frontend::c::lower {

bool Options::asks_for(Wrong kind) const {
  return std::find(properties.begin(), properties.end(), kind) != properties.end();
}

TermId Flat::add(Term term) {
  COHORT_EXPECT(term.type.value < unit.types.size(), "a term has a type of the unit");
  terms.push_back(std::move(term));
  return TermId(terms.size() - 1);
}

AccessId Flat::add(Access access) {
  COHORT_EXPECT(access.type.value < unit.types.size(), "an access has a type of the unit");
  COHORT_EXPECT(!access.inst || access.inst->value < insts.size(), "an access is to an object that there is");
  COHORT_EXPECT(access.inst || access.pointer.value < terms.size(), "an access without an object is through a pointer");
  accesses.push_back(std::move(access));
  return AccessId(accesses.size() - 1);
}

InstId Flat::add(Inst inst) {
  COHORT_EXPECT(inst.type.value < unit.types.size(), "an object has a type of the unit");
  insts.push_back(std::move(inst));
  return InstId(insts.size() - 1);
}

TermId Flat::constant(std::int64_t value, ir::TypeId type) {
  return add(Term{.op = ir::Op::Const, .type = type, .value = value});
}

TermId Flat::load(AccessId access) {
  COHORT_EXPECT(access.value < accesses.size(), "what is loaded is there");
  return add(Term{.op = ir::Op::Load, .type = accesses[access.value].type, .access = access});
}

TermId Flat::address_of(AccessId access, ir::TypeId type) {
  COHORT_EXPECT(access.value < accesses.size(), "what the address is of is there");
  return add(Term{.op = ir::Op::AddressOf, .type = type, .access = access});
}

AccessId Flat::whole(InstId inst) {
  COHORT_EXPECT(inst.value < insts.size(), "the object is there");
  return add(Access{.inst = inst, .type = insts[inst.value].type});
}

ir::TypeId Flat::int_type() {
  return unit.add_type({.kind = ir::Type::Kind::Int, .width = 32, .is_signed = true});
}

ir::TypeId Flat::bool_type() {
  return unit.add_type({.kind = ir::Type::Kind::Bool});
}

InstId Flat::static_inst(ir::ObjectId object) {
  COHORT_EXPECT(object.value < unit.objects.size(), "the object is declared in the unit");
  if (statics.size() < unit.objects.size()) statics.resize(unit.objects.size(), no_inst);
  InstId& known = statics[object.value];
  if (known != no_inst) return known;
  const ir::Object& source = unit.object(object);
  COHORT_EXPECT(source.storage == ir::Object::Storage::Static, "one object for the process is static");
  known = add(Inst{.name = source.name,
                   .type = source.type,
                   .kind = Inst::Kind::Static,
                   .object = object,
                   .starts_unknown = source.is_extern,
                   .is_readonly = source.is_readonly,
                   .span = source.span});
  return known;
}

InstId Flat::foreign_inst() {
  constexpr std::uint64_t size = 4096;  // so that members of whatever it is taken for lie in it
  if (foreign) return *foreign;
  const ir::TypeId character = unit.add_type({.kind = ir::Type::Kind::Int, .width = 8, .is_signed = true});
  const ir::TypeId type = unit.add_type({.kind = ir::Type::Kind::Array, .target = character, .count = size});
  foreign =
      add(Inst{.name = "an object of its own", .type = type, .kind = Inst::Kind::Text, .is_foreign = true, .span = {}});
  return *foreign;
}

bool is_partial(const Flat& flat, const Access& access) {
  if (!access.inst || !is_scalar(flat.unit.type(flat.inst(*access.inst).type))) return false;
  if (access.offset != 0 || !access.indices.empty()) return true;
  return size_of(flat.unit, access.type) != size_of(flat.unit, flat.inst(*access.inst).type);
}

bool changes_constant(const Flat& flat, const Node& node, InstId id) {
  const Inst& inst = flat.inst(id);
  return inst.is_readonly && (inst.kind != Inst::Kind::Automatic || node.through_pointer);
}

bool is_scalar(const ir::Type& type) {
  return type.kind == ir::Type::Kind::Bool || type.kind == ir::Type::Kind::Int || type.kind == ir::Type::Kind::Pointer;
}

std::uint64_t size_of(const ir::Unit& unit, ir::TypeId id) {
  const ir::Type& type = unit.type(id);
  switch (type.kind) {
    case ir::Type::Kind::Void:
    case ir::Type::Kind::Function:
    case ir::Type::Kind::Bool: return 1;  // GNU C gives void and functions the size 1
    case ir::Type::Kind::Int:
    case ir::Type::Kind::Pointer: return type.width / 8;
    case ir::Type::Kind::Array: return type.count * size_of(unit, type.target);
    case ir::Type::Kind::Record: return unit.record(type.record).size;
    case ir::Type::Kind::Unsupported: return type.width / 8;
  }
  COHORT_UNREACHABLE("every kind of type has a size");
}

}  // namespace cohort::frontend::c::lower
