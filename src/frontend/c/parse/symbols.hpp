// What the files of one program share: the linker of the C front end.  Objects and functions with external linkage are
// found by name; a definition fills in what was only declared before.  Records are the same when tag and layout are.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::parse {

class Symbols {
 public:
  explicit Symbols(ir::Unit& unit) : unit_(unit) {}

  // The function of that name, declared by the call if it is new.
  ir::FunctionId function(const std::string& name, ir::TypeId result);
  std::optional<ir::FunctionId> known_function(const std::string& name) const;
  // Another name, for files that come later.
  void add_alias(const std::string& name, ir::FunctionId id) { functions_.try_emplace(name, id); }
  // Of two definitions, one that is weak gives way.
  void set_weak(ir::FunctionId id, bool is_weak);
  bool is_weak(ir::FunctionId id) const { return weak_.contains(id); }
  // The object of that name, declared (`is_extern`) by the call if it is new.
  ir::ObjectId object(const std::string& name, ir::TypeId type);

  // The record that a model of the library defines for this type.
  std::optional<ir::RecordId> library_record(const std::string& type_name) const;
  void add_library_record(const std::string& record_name, ir::RecordId id);
  // `layout` is a text of everything that matters; an empty tag is never found again.
  std::optional<ir::RecordId> record(const std::string& tag, const std::string& layout) const;
  void add_record(const std::string& tag, const std::string& layout, ir::RecordId id);

 private:
  ir::Unit& unit_;
  std::map<std::string, ir::FunctionId> functions_;
  std::map<std::string, ir::ObjectId> objects_;
  std::set<ir::FunctionId> weak_;
  std::map<std::string, ir::RecordId> library_records_;
  std::map<std::string, ir::RecordId> records_;
};

}  // namespace cohort::frontend::c::parse
