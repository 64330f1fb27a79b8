// States without names for objects: the objects of a family (model/heap.hpp) get the numbers in which a fixed walk
// comes to them, and those that nothing leads to are as if they had never been.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/explicit/violation_check.hpp"
#include "model/heap.hpp"
#include "model/thread_system.hpp"

namespace cohort::engine::explicit_ {

class HeapNames {
 public:
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  // For each object, counted through all families, the number in its family that it goes to.
  using Places = std::vector<std::uint32_t>;

  // Is something known of the program's heap, and does every step concern one thread and those that it creates?
  static bool cover(const model::Program& program);

  explicit HeapNames(model::ThreadSystem& system);

  // Moves the objects of a state in which no thread is inside an atomic section.
  void settle(model::SharedId& shared, std::vector<Cell>& cells);
  // Leaves all objects of a state where they are.
  void look(model::SharedId shared, const std::vector<Cell>& cells);
  // Where the last of these calls found places for the objects; nowhere: nothing leads to it.
  const Places& places() const { return places_; }

  // For runs over objects as the program numbers them: every object where it is.
  const Places& own_places() const { return own_; }
  model::LocalId moved(model::LocalId local, const Places& places);
  // `places` for the objects where the last call put them; those that nothing leads to are where they are.
  Places followed(const Places& places) const;
  // Are these shared states the same but for the places of objects and for what nothing leads to?  `places` says where
  // the objects of the first that matter are in the second.
  bool agree(model::SharedId first, const Places& places, model::SharedId second) const;

 private:
  struct Column {
    std::uint32_t slot = 0;
    std::uint32_t size = 0;  // slots of one object
    bool holds_addresses = false;
  };
  struct Family {
    model::Value address = 0;
    model::Value stride = 0;
    std::uint32_t count = 0;
    std::uint32_t first = 0;  // its first object, counted through all families
    bool comes_back = false;
    std::vector<Column> columns;
  };
  struct Object {
    std::uint32_t family = 0;
    std::uint32_t number = 0;
  };
  // A thread, and all that only threads lead to as this one sees it.
  struct View {
    std::vector<model::Value> key;
    std::size_t cell = 0;
  };

  std::optional<Object> at(model::Value address) const;
  std::uint32_t index(const Object& object) const { return families_[object.family].first + object.number; }
  model::Value moved_address(model::Value address, const Places& places) const;
  void find_reached(model::SharedId shared, const std::vector<Cell>& cells);
  void reach(model::Value address);
  void walk();
  void walk_threads(const std::vector<Cell>& cells);
  View view_of(const std::vector<Cell>& cells, std::size_t cell) const;
  void place_freed();
  void place(const Object& object);
  bool is_fresh(const Object& object) const;
  bool stays() const;
  model::SharedId rebuilt() const;

  model::ThreadSystem& system_;
  std::vector<Family> families_;
  std::vector<std::uint32_t> roots_;                // slots of shared variables that hold addresses and are no columns
  std::vector<std::vector<std::uint32_t>> locals_;  // by template: slots that hold addresses
  std::vector<model::Value> initial_;               // by shared slot, of columns
  std::vector<bool> in_column_;                     // by shared slot
  Places own_;
  const model::Valuation* state_ = nullptr;  // the shared state that is being settled
  Places places_;
  std::vector<std::uint32_t> placed_;  // by family: how many objects have a place
  std::vector<Object> reached_;        // in the order of the walk
  std::size_t walked_ = 0;             // of reached_
};

}  // namespace cohort::engine::explicit_
