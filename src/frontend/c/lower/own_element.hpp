// What a thread with a column knows of its element: which objects hold the argument that leads to it, and how accesses
// through them become accesses to an object of the thread.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/c/lower/columns.hpp"
#include "frontend/c/lower/propagate.hpp"

namespace cohort::frontend::c::lower {

// The term but for casts that keep the numbers of elements.
TermId without_casts(const Flat& flat, TermId id);
// The scalar object that the term is the value of, but for casts.
std::optional<InstId> copied(const Flat& flat, TermId id);
bool is_whole(const Flat& flat, const Access& access, InstId inst);

bool takes_address(const Flat& flat, const Node& node, InstId inst);
bool reads(const Flat& flat, const Node& node, InstId inst);
bool stores(const Flat& flat, const Node& node, InstId inst);

// Calls visit(AccessId, is_store) for each access of the node, addresses that are taken included.
template <class Visit>
void for_each_place(const Flat& flat, const Node& node, Visit&& visit) {
  for_each_access(flat, node, [&](AccessId access, bool) { visit(access, false); });
  if (node.has_access) visit(node.access, true);
}

// Can a node for which `ends` holds be reached from the starts on a path without any for which `stops` holds?
template <class Ends, class Stops>
bool reaches(const Body& body, std::vector<NodeId> pending, Ends&& ends, Stops&& stops) {
  std::vector<bool> seen(body.nodes.size(), false);
  while (!pending.empty()) {
    const NodeId at = pending.back();
    pending.pop_back();
    if (seen[at.value]) continue;
    seen[at.value] = true;
    const Node& node = body.nodes[at.value];
    if (ends(node)) return true;
    if (!stops(node)) pending.insert(pending.end(), node.next.begin(), node.next.end());
  }
  return false;
}

// Is the object stored to before it is read, and before each node for which `ends` holds?
template <class Ends>
bool stored_first(const Body& body, InstId inst, const std::vector<bool>& storing, Ends&& ends) {
  std::vector<NodeId> starts{body.entry};
  for (const Node& node : body.nodes) {
    if (node.kind == Node::Kind::Declare && node.inst == inst)
      starts.insert(starts.end(), node.next.begin(), node.next.end());
  }
  const auto is_store = [&](const Node& node) { return storing[static_cast<std::size_t>(&node - body.nodes.data())]; };
  return !reaches(
      body, std::move(starts), [&](const Node& node) { return ends(node); }, is_store);
}

// The scalars of the routine that hold what the thread was given, whenever they are read.
std::set<InstId> aliases_of(const Flat& flat, const Body& body);

// How many bytes an element of the array has.
std::uint64_t element_size(const Flat& flat, InstId array);

// Is the access by the number of the thread's element?
bool indexes_own(const Flat& flat, const Access& access, const std::set<InstId>& aliases);

// Gives the routine an object in place of the element of each column.
void add_own_elements(Flat& flat, Columns& columns, BodyId routine);

// Lets the routine work on its own objects; where nobody looks at results, it returns its argument no longer.
void use_own_elements(Flat& flat, const Columns& columns, const std::set<InstId>& aliases, Body& body,
                      bool results_matter);

}  // namespace cohort::frontend::c::lower
