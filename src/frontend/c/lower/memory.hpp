// The variables of the model that stand for the memory of the program.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "frontend/c/lower/looks.hpp"
#include "frontend/c/lower/nameless.hpp"
#include "frontend/c/lower/sharing.hpp"
#include "model/heap.hpp"
#include "model/program.hpp"

namespace cohort::frontend::c::lower {

// A variable of the model: shared, or a local of one template.
struct Variable {
  bool is_shared = true;
  model::VarId var;
  model::Type type = model::Type::boolean();  // as declared: an array where the group is one
};

class Memory {
 public:
  // With `full_pointers`, something else than a pointer may be stored where pointers are, and all of it is kept.
  Memory(Flat& flat, Layout& layout, const Sharing& sharing, std::set<GroupId> flagged, bool full_pointers,
         model::Program& program);

  model::Type type_of(ir::TypeId type) const;
  model::Type pointer_type() const { return pointer_type_; }
  const Variable& variable(GroupId group);
  // Set while the group, or an element of it, has been written; none where it is always written before it is read.
  const Variable* flag(GroupId group);
  // Set when the object, or the one of the pool, has been freed, or, on a stack, lives no more; none where that makes
  // no difference.
  const Variable* freed(InstId inst);
  bool is_shared(GroupId group) const { return !sharing_.owner(layout_.group(group).inst).has_value(); }
  // A local of the template for values on their way; those that may be addresses of nameless objects have their own.
  model::VarId temporary(BodyId body, const model::Type& type, std::size_t number, bool holds_addresses = false);
  std::int64_t value_of(TermId constant) const;
  // What lies at the addresses that have been given out.
  // With what is in it already.
  std::shared_ptr<const model::Atlas> atlas(model::Atlas atlas);
  // What has become of nameless objects; none where there are none.
  std::optional<model::Heap> heap(const Nameless& nameless, const PointsTo& points_to);

 private:
  void assign_addresses(bool full_pointers);
  bool may_lead_out(const Access& access) const;
  model::Type scalar_type(const ir::Type& type) const;
  Variable declare(InstId inst, const std::string& name, const model::Type& type, model::Look look,
                   std::vector<model::Value> initial);
  std::vector<model::Value> initial_values(GroupId group) const;
  std::string unique(const std::string& name);
  std::optional<model::Heap::Family> family(InstId inst);

  Flat& flat_;
  Layout& layout_;
  const Sharing& sharing_;
  Looks looks_;
  const std::set<GroupId> flagged_;
  model::Program& program_;
  model::Type pointer_type_ = model::Type::boolean();
  std::map<GroupId, Variable> variables_;
  std::map<GroupId, Variable> flags_;
  std::map<InstId, Variable> freed_;
  std::map<std::tuple<BodyId, std::string, std::size_t, bool>, model::VarId> temporaries_;
  std::map<std::string, std::size_t> names_;
};

}  // namespace cohort::frontend::c::lower
