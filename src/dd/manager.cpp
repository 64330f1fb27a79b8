// Growth and caches.  BuDDy's defaults (50,000 more nodes at a time, caches of fixed size) make large runs spend their
// time in resizing and in recomputing; here the node table doubles, the six operation caches keep a fixed ratio to it,
// and a collection that frees less than 40 % grows the table, since every collection also empties the caches.
#include "dd/manager.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "dd/library.hpp"

namespace cohort::dd {

namespace {

constexpr std::uint64_t node_bytes = 20;         // BuDDy's node record
constexpr std::uint64_t cache_entry_bytes = 24;  // and its cache record,
constexpr std::uint64_t cache_tables = 6;        // in one table per kind of operation
constexpr std::uint64_t nodes_per_cache_entry = 8;
constexpr std::uint64_t most_nodes = std::uint64_t{1} << 29U;  // sizes are int, and are doubled before they are cut
constexpr std::uint64_t fewest_nodes = 1024;

// The state that BuDDy's hooks reach; they take no context argument.
struct Running {
  bool active = false;
  std::uint64_t era = 0;
  std::uint64_t live_handles = 0;
  std::uint64_t node_limit = 0;
  int error = 0;
  bool stopping = false;
  bool stopped = false;          // between two operations; once is enough
  std::uint64_t operations = 0;  // asked about errors so far
  std::function<bool()> stop_check = nullptr;
};
Running running;

void on_error(int code) {
  running.error = code;
}

// BuDDy does not survive an allocation that fails, so the next size is tried out before it asks for it.
bool next_table_fits() {
  const std::uint64_t next =
      std::min<std::uint64_t>(2 * static_cast<std::uint64_t>(bdd_getallocnum()), running.node_limit);
  void* probe = std::malloc(next * Manager::bytes_per_node());
  std::free(probe);
  return probe != nullptr;
}

void on_collection(int before, bddGbcStat* /*statistics*/) {
  if (before != 0) return;
  running.stopping = (running.stop_check && running.stop_check()) || !next_table_fits();
  // One node more than there are: forbids growth, and is the least that BuDDy accepts.
  if (running.stopping) bdd_setmaxnodenum(bdd_getallocnum() + 1);
}

}  // namespace

std::uint64_t current_era() {
  return running.era;
}

// Diagrams that stay small need no collection, however many operations there are: these ask, too.
void check_stop() {
  constexpr std::uint64_t interval = 256;
  if (running.stopped || !running.stop_check || ++running.operations % interval != 0) return;
  running.stopped = running.stop_check();
  if (running.stopped) throw OutOfMemory("stopped between two operations on decision diagrams");
}

void check_errors() {
  if (running.error == 0) return check_stop();
  const int code = std::exchange(running.error, 0);
  bdd_clear_error();
  const auto allocated = static_cast<std::uint64_t>(bdd_getallocnum());
  if (std::exchange(running.stopping, false) && running.node_limit > allocated) {
    bdd_setmaxnodenum(static_cast<int>(running.node_limit));
  }
  if (code == BDD_NODENUM || code == BDD_MEMORY) {
    throw OutOfMemory(fmt::format("decision diagrams need more than {} nodes", allocated));
  }
  throw InternalError(fmt::format("decision diagram operation failed: {}", bdd_errstring(code)));
}

void Bdd::acquire_node() const {
  ++running.live_handles;
  bdd_addref(id_);
}

void Bdd::release_node() const {
  --running.live_handles;
  bdd_delref(id_);
}

Manager::Manager(Settings settings) : variables_(settings.variables) {
  COHORT_EXPECT(!running.active, "one decision diagram manager at a time");
  COHORT_EXPECT(running.live_handles == 0, "no handle outlives its manager");
  node_limit_ = settings.memory_bytes == 0 ? most_nodes : settings.memory_bytes / bytes_per_node();
  node_limit_ = std::clamp(node_limit_, fewest_nodes + 2 * std::uint64_t{variables_}, most_nodes);
  const std::uint64_t initial = std::min<std::uint64_t>(settings.initial_nodes, node_limit_ / 2);
  if (bdd_init(static_cast<int>(initial),
               static_cast<int>(std::max<std::uint64_t>(initial / nodes_per_cache_entry, 64))) < 0) {
    throw OutOfMemory(fmt::format("no memory for {} decision diagram nodes", initial));
  }
  running.active = true;
  ++running.era;
  running.error = 0;
  running.stopping = false;
  running.stopped = false;
  running.node_limit = node_limit_;
  running.stop_check = std::move(settings.stop_check);
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collection);
  bdd_setmaxnodenum(static_cast<int>(node_limit_));
  bdd_setmaxincrease(static_cast<int>(most_nodes));
  bdd_setminfreenodes(40);
  bdd_setcacheratio(static_cast<int>(nodes_per_cache_entry));
  // BuDDy wants at least one variable before any operation.
  bdd_setvarnum(static_cast<int>(std::max<std::uint32_t>(variables_, 1)));
  check_errors();
}

Manager::~Manager() {
  bdd_done();
  running.active = false;
  running.stop_check = nullptr;
}

Var Manager::add_variables(std::uint32_t number) {
  const Var first = variables_;
  variables_ += number;
  if (variables_ > static_cast<std::uint32_t>(bdd_varnum())) bdd_setvarnum(static_cast<int>(variables_));
  check_errors();
  return first;
}

Bdd Manager::literal(Var variable, bool positive) const {
  COHORT_EXPECT(variable < variables_, "the variable exists");
  return Access::take(positive ? bdd_ithvar(static_cast<int>(variable)) : bdd_nithvar(static_cast<int>(variable)));
}

std::uint64_t Manager::nodes_in_use() const {
  return static_cast<std::uint64_t>(bdd_getnodenum());
}

std::uint64_t Manager::nodes_allocated() const {
  return static_cast<std::uint64_t>(bdd_getallocnum());
}

std::uint64_t Manager::collections() const {
  bddStat statistics;
  bdd_stats(&statistics);
  return static_cast<std::uint64_t>(statistics.gbcnum);
}

void Manager::collect_garbage() {
  bdd_gbc();
}

bool Manager::reorder() {
  if (variables_ < 2) return true;
  // Swapping adjacent levels makes nodes before it frees others, and BuDDy cannot back out of it.
  bdd_gbc();
  if (running.stopping || 4 * nodes_in_use() > node_limit_) return false;
  bdd_clrvarblocks();
  bdd_varblockall();
  bdd_reorder(BDD_REORDER_SIFTITE);
  check_errors();
  return true;
}

std::uint32_t Manager::level(Var variable) const {
  COHORT_EXPECT(variable < variables_, "the variable exists");
  return static_cast<std::uint32_t>(bdd_var2level(static_cast<int>(variable)));
}

std::uint64_t Manager::bytes_per_node() {
  return node_bytes + cache_tables * cache_entry_bytes / nodes_per_cache_entry;
}

}  // namespace cohort::dd
