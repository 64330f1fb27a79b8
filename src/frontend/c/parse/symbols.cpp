#include "frontend/c/parse/symbols.hpp"

namespace cohort::frontend::c::parse {

namespace {

const std::string library_prefix = "cohort_";

template <class Map>
std::optional<typename Map::mapped_type> find(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

}  // namespace

ir::FunctionId Symbols::function(const std::string& name, ir::TypeId result) {
  const auto [entry, is_new] = functions_.try_emplace(name, ir::FunctionId(unit_.functions.size()));
  if (is_new) unit_.functions.push_back({.name = name, .result = result});
  return entry->second;
}

void Symbols::set_weak(ir::FunctionId id, bool is_weak) {
  if (is_weak) {
    weak_.insert(id);
  } else {
    weak_.erase(id);
  }
}

std::optional<ir::FunctionId> Symbols::known_function(const std::string& name) const {
  return find(functions_, name);
}

ir::ObjectId Symbols::object(const std::string& name, ir::TypeId type) {
  const auto [entry, is_new] = objects_.try_emplace(name, ir::ObjectId(unit_.objects.size()));
  if (is_new) unit_.objects.push_back({.name = name, .type = type, .is_extern = true});
  return entry->second;
}

std::optional<ir::RecordId> Symbols::library_record(const std::string& type_name) const {
  return find(library_records_, library_prefix + type_name);
}

void Symbols::add_library_record(const std::string& record_name, ir::RecordId id) {
  if (record_name.starts_with(library_prefix)) library_records_.emplace(record_name, id);
}

std::optional<ir::RecordId> Symbols::record(const std::string& tag, const std::string& layout) const {
  if (tag.empty()) return std::nullopt;
  return find(records_, tag + " " + layout);
}

void Symbols::add_record(const std::string& tag, const std::string& layout, ir::RecordId id) {
  if (!tag.empty()) records_.emplace(tag + " " + layout, id);
}

}  // namespace cohort::frontend::c::parse
