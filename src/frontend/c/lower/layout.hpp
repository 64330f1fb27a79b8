// Where memory lies.  Every object is taken apart into groups: all scalars that one path of fields leads to, whatever
// the indices of the arrays on the way.  A group becomes one variable of the model, an array where there are indices.
// Addresses are those of bytes; objects lie one after the other with a gap, so that one past the end is nobody's
// address.
//
// The members of a union share their bytes.  Its cells are the largest scalars among them, of which smaller ones are
// parts: an access to a part reads or changes some bits of the cell.  Bytes that belong to no scalar (padding) are
// arrays of characters, so that whoever goes over an object byte by byte finds each of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// With which the names of groups end that are gaps between scalars.
constexpr std::string_view padding_name = ".padding[]";

struct Dimension {
  std::uint64_t stride = 0;  // in bytes
  std::uint64_t count = 0;
};

using GroupId = model::Id<struct GroupTag>;

struct Group {
  InstId inst;
  std::int64_t offset = 0;            // of the scalar with all indices 0
  std::vector<Dimension> dimensions;  // outermost first
  ir::TypeId type;
  std::string name{};                      // the path of fields, as in C: ".next", "[].count"
  std::optional<std::int64_t> location{};  // of a bit-field: where the memory location begins that it is a part of

  std::uint64_t elements() const;
};

// A scalar of a union, at its offset.
struct Cell {
  std::int64_t offset = 0;
  ir::TypeId type;
  std::string name;
};

// The scalars that a union is made of, none inside of another: the largest, numbers before pointers.
std::vector<Cell> union_cells(const ir::Unit& unit, ir::RecordId record);

// Bytes of a struct or union that none of its scalars has: where they begin and how many there are.
struct Gap {
  std::int64_t offset = 0;
  std::uint64_t size = 0;
};
std::vector<Gap> gaps(const ir::Unit& unit, ir::RecordId record);

// Is the offset, which lies in an array of objects of their own, in none of them?
bool is_between_slots(const ir::Unit& unit, ir::TypeId type, std::int64_t offset);

// The offset of the scalar there with all indices on the way set to 0; none outside the object.
std::optional<std::int64_t> collapse(const ir::Unit& unit, ir::TypeId type, std::int64_t offset);

// Is the scalar at this offset a part of an object of the thread library?
bool is_of_library_at(const ir::Unit& unit, ir::TypeId type, std::int64_t offset);

// Where the memory location begins (in the first element of arrays) that the bit-field at this offset is a part of;
// none where there is no bit-field of a struct, or one in a union.
std::optional<std::int64_t> location_at(const ir::Unit& unit, ir::TypeId type, std::int64_t offset);

// Is the scalar at this offset a bit-field (of a struct, not in a union)?
bool is_bit_field_at(const ir::Unit& unit, ir::TypeId type, std::int64_t offset);

// How many bytes the scalar at this (collapsed) offset has; 1 in padding.
std::uint64_t scalar_size(const ir::Unit& unit, ir::TypeId type, std::int64_t offset);

class Layout {
 public:
  explicit Layout(Flat& flat) : flat_(flat) {}

  // The groups of an instance; made when first asked for.
  const std::vector<GroupId>& groups_of(InstId inst);
  // The scalar at this offset, none of whose indices is open: its group, its number in the group, and the byte in it.
  struct Byte {
    GroupId group;
    std::uint64_t element = 0;
    std::uint64_t byte = 0;
  };
  std::optional<Byte> byte_at(InstId inst, std::int64_t offset);
  const Group& group(GroupId id) const { return groups_[id.value]; }
  std::size_t size() const { return groups_.size(); }
  // The group of scalars at the collapsed offset.
  std::optional<GroupId> find(InstId inst, std::int64_t offset);

  // One group for all that are the same memory location, as data races see it.
  GroupId location(GroupId id);

  std::int64_t address_of(InstId inst);
  std::int64_t address_of(ir::FunctionId function);
  // Who has an address so far.
  const std::map<InstId, std::int64_t>& addresses() const { return addresses_; }
  const std::map<ir::FunctionId, std::int64_t>& function_addresses() const { return functions_; }
  // The largest number that is an address so far.
  std::int64_t last_address() const { return next_address_; }

 private:
  void add_group(InstId inst, ir::TypeId type, std::int64_t offset, const std::vector<Dimension>& dimensions,
                 const std::string& name);
  void add_groups(InstId inst, ir::TypeId type, std::int64_t offset, std::vector<Dimension>& dimensions,
                  const std::string& name);
  void add_padding(InstId inst, ir::RecordId record, std::int64_t offset, std::vector<Dimension>& dimensions,
                   const std::string& name);

  Flat& flat_;
  std::vector<Group> groups_;
  std::map<InstId, std::vector<GroupId>> of_inst_;
  std::map<InstId, std::int64_t> addresses_;
  std::map<ir::FunctionId, std::int64_t> functions_;
  std::int64_t next_address_ = 16;
};

}  // namespace cohort::frontend::c::lower
