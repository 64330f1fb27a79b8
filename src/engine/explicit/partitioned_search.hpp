// Breadth-first search by several workers, each of which owns the states that a hash gives to it (Stern and Dill's
// scheme for Murphi).  A worker has a thread system, a space and a store of its own and shares no memory with the
// others, so the same search runs in threads of one process and in processes on many machines.
//
// The search goes level by level.  A worker expands its states of the level and sends successors to their owners in
// batches; then it sends a mark to everybody.  When it has the marks of all others, it has all of their states: its
// next level is complete.  A second exchange of marks says how many states are open, and whether somebody found a
// violation or met a limit, so all workers come to the same decision; that is the detection of termination, too.  While
// a worker waits for first marks, nobody can have passed the second, so a message never belongs to a later level than
// the receiver thinks.
//
// Results do not depend on the number of workers: the levels are sets, the same whoever computes them, and runs to a
// violation are shortest.  Each state knows its parent, by worker and reference; a run is collected by asking worker
// after worker, and everybody gets it.  States that were read from a checkpoint do not know their parents: there, all
// workers look through the level before.
//
// Threads that need no checkpoints share a store instead (shared_search.hpp).  Rejected: sending states without levels
// (faster at the end of a level by little, and runs are no longer shortest).
//
// Cost: (k - 1) / k of all transitions are sent to another of k workers, unless the filter remembers that they were
// sent shortly before; a state on the wire takes a few bytes more than in the store.  The parents' workers take two
// bytes for two words of the store.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/env.hpp"
#include "engine/explicit/checkpoint.hpp"
#include "engine/explicit/sent_filter.hpp"
#include "engine/explicit/wire.hpp"
#include "engine/state_store.hpp"
#include "exchange/exchange.hpp"
#include "exchange/ranks.hpp"

namespace cohort::engine::explicit_ {

// What a worker says of itself with a mark; the sum over all workers is what everybody decides by.
struct Report {
  std::uint64_t open = 0;         // states of the next level
  std::uint64_t states = 0;       // stored
  std::uint64_t transitions = 0;  // taken
  std::uint64_t messages = 0;     // sent
  std::uint64_t bytes = 0;        // sent
  std::uint64_t store_bytes = 0;
  std::uint64_t claims = 0;         // workers that found a violation or, when a run is collected, a parent
  std::uint64_t stops = 0;          // workers that met a limit
  std::uint64_t bound_reached = 0;  // workers that did not create a thread because of the bound
  std::uint64_t sampled = 0;        // workers that left out values of a choice
  std::uint64_t levels = 0;         // known
  std::uint64_t save = 0;           // it is time for a checkpoint
  std::uint64_t largest = 0;        // the most states that one worker stores: not a sum

  static constexpr auto sums =
      std::array{&Report::open,          &Report::states,      &Report::transitions, &Report::messages,
                 &Report::bytes,         &Report::store_bytes, &Report::claims,      &Report::stops,
                 &Report::bound_reached, &Report::sampled,     &Report::levels,      &Report::save};

  void add(const Report& other) {
    for (const auto member : sums) this->*member += other.*member;
    largest = std::max(largest, other.largest);
  }
};

// A worker met a bug of Cohort, and the others cannot go on without it.
class TeamBroken : public InternalError {
 public:
  using InternalError::InternalError;
};

// What the whole team found, the same for every worker; the path is in the worker's own numbers.
struct TeamOutcome {
  bool complete = false;
  bool violated = false;
  bool fault = false;  // the last state of the path has a step that faults
  std::optional<model::PropertyId> property;
  std::vector<exchange::Bytes> path;  // code words, from an initial state to the one that violates
  std::uint64_t depth = 0;            // all states at most this many steps away were explored
  Report total;
  std::string trouble;  // what this worker met beside the limits: a checkpoint that cannot be written
};

// Where, for which question and how often checkpoints are made.
struct Saving {
  CheckpointFolder folder;
  std::string question;
  double seconds = 0;
};

template <class Space>
class PartitionedSearch {
 public:
  PartitionedSearch(Env& env, model::ThreadSystem& system, Space& space, StateStore& store,
                    exchange::Exchange& exchange, std::optional<Saving> saving = std::nullopt)
      : env_(env),
        system_(system),
        space_(space),
        store_(store),
        exchange_(exchange),
        saving_(std::move(saving)),
        wire_(system, exchange.size()),
        outboxes_(exchange.size()),
        path_steps_(exchange.size()),
        gone_(exchange.size(), false) {
    COHORT_EXPECT(exchange.size() <= UINT16_MAX, "workers have numbers of 16 bits");
    COHORT_EXPECT(!space.violation().deadlock(), "deadlocks need the graph of states, which no worker has");
  }

  // All workers call it, with the same program.
  TeamOutcome run() {
    try {
      Report total = start();
      COHORT_EXPECT(total.stops > 0 || total.levels == levels_.size() * exchange_.size(),
                    "all workers begin with the same levels");
      while (total.open > 0 && total.claims == 0 && total.stops == 0) {
        guarded([&] { expand_level(); });
        total = end_level();
        if (total.stops == 0) ++outcome_.depth;
        if (total.open > 0 && total.claims == 0 && total.stops == 0 && total.save > 0) total = save();
      }
      outcome_.complete = total.open == 0 && total.claims == 0 && total.stops == 0;
      outcome_.violated = total.claims > 0 && collect_path();
      outcome_.total = total;
      outcome_.trouble = trouble_;
      return outcome_;
    } catch (const TeamBroken&) {
      throw;
    } catch (const exchange::RankLost&) {
      throw;  // the others miss it, too
    } catch (const std::exception& error) {
      tell_failure(error.what());
      throw;
    }
  }

  // After a complete search: hands every state of every worker to visit(StateView), at worker 0 and in its numbers.
  template <class Visit>
  void gather(Visit&& visit) {
    COHORT_EXPECT(outcome_.complete, "what is gathered are all states");
    for (StateStore::Ref ref = store_.begin(); ref != store_.end();) {
      const std::uint8_t* word = store_.bytes(ref);
      ref = store_.next(ref, static_cast<std::size_t>(space_.load(word) - word));
      const StateView state{space_.shared(), space_.members()};
      if (exchange_.self() == 0) {
        visit(state);
      } else {
        wire_.write(0, outboxes_[0], Record::Gathered, state, [](auto&) {});
        if (outboxes_[0].size() >= batch_bytes) flush(0);
      }
    }
    synchronize();
    for (const Gathered& state : gathered_) visit(StateView{state.shared, state.members});
  }

 private:
  static constexpr std::size_t batch_bytes = 16 << 10U;
  static constexpr std::uint32_t expansions_between_looks = 32;

  struct Marks {
    std::uint32_t arrived = 0;
    std::vector<bool> from;  // who has sent one
    Report sum;
    std::uint32_t lowest_claim = UINT32_MAX;
  };
  struct Violation {
    StateStore::Ref ref = StateStore::none;
    bool fault = false;
    std::optional<model::PropertyId> property;
  };
  struct Gathered {
    model::SharedId shared = 0;
    std::vector<Cell> members;
  };
  struct PathStep {
    bool fault = false;
    std::optional<model::PropertyId> property;
    std::uint64_t level = 0;
    std::uint32_t parent_worker = 0;
    StateStore::Ref parent = StateStore::none;
    exchange::Bytes word;
  };

  std::uint32_t self() const { return exchange_.self(); }

  // A limit that is met here ends the part of the work that it was met in; the marks tell the others.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const Stopped&) {
      stopped_ = true;
    } catch (const std::bad_alloc&) {
      stopped_ = true;
    }
  }

  // Level 0, or what a checkpoint has.
  Report start() {
    if (saving_) {
      if (auto manifest = saving_->folder.read(saving_->question)) {
        guarded([&] { resume(*manifest); });
        synchronize();  // as many as at the end of level 0: who has not seen the checkpoint is found out, not lost
        return synchronize();
      }
    }
    guarded([&] { seed(); });
    return end_level();
  }

  void seed() {
    space_.for_each_initial([&] {
      if (wire_.owner({space_.next_shared(), space_.next_members()}) == self()) admit(self(), StateStore::none);
    });
  }

  void expand_level() {
    COHORT_EXPECT(levels_.size() >= 2, "a level begins and ends");
    const StateStore::Ref end = levels_.back();
    std::uint32_t until_look = expansions_between_looks;
    for (StateStore::Ref ref = levels_[levels_.size() - 2]; ref != end && !halted();) {
      if (env_.stop_requested("partitioned-search")) {
        stopped_ = true;
        return;
      }
      const std::uint8_t* word = store_.bytes(ref);
      const std::size_t length = static_cast<std::size_t>(space_.load(word) - word);
      expand(ref);
      ref = store_.next(ref, length);
      if (--until_look == 0) {
        until_look = expansions_between_looks;
        take_messages();
        show_progress();
      }
    }
  }

  void expand(StateStore::Ref ref) {
    space_.for_each_successor([&](auto, const auto& transition) {
      ++transitions_;
      if (transition.faults) {
        if (!violation_) claim({ref, true, std::nullopt});
        return false;
      }
      const StateView next{space_.next_shared(), space_.next_members()};
      const std::uint32_t owner = wire_.owner(next);
      if (owner == self()) {
        admit(self(), ref);
      } else if (!filter_.was_sent(space_.encode_next())) {
        post(owner, next, ref);
      }
      return !violation_;
    });
  }

  void claim(const Violation& violation) {
    violation_ = violation;
    claims_ = true;
  }

  // Takes in the space's next state, which this worker owns.
  void admit(std::uint32_t parent_worker, StateStore::Ref parent) {
    const auto [ref, fresh] = store_.insert(space_.encode_next(), parent);
    if (!fresh) return;
    // A record has at least two words.
    const std::size_t place = ref / 2;
    if (parent_workers_.size() <= place) parent_workers_.resize(place + 1);
    parent_workers_[place] = static_cast<std::uint16_t>(parent_worker);
    if (violation_) return;
    if (const auto property = space_.violated_by_next()) claim({ref, false, property});
  }

  void post(std::uint32_t to, const StateView& state, StateStore::Ref parent) {
    wire_.write(to, outboxes_[to], Record::State, state, [&](exchange::Bytes& out) { put_number(out, parent); });
    if (outboxes_[to].size() >= batch_bytes) flush(to);
  }

  void flush(std::uint32_t to) {
    if (outboxes_[to].empty()) return;
    ++messages_;
    bytes_ += outboxes_[to].size();
    exchange::Bytes batch;
    batch.reserve(batch_bytes + batch_bytes / 4);
    batch.swap(outboxes_[to]);
    exchange_.send(to, std::move(batch));
  }

  // All expansions of a level are done, everywhere, when it returns; then the next level is known.
  Report end_level() {
    synchronize();
    open_ = store_.size() - size_before_;
    size_before_ = store_.size();
    levels_.push_back(store_.end());
    return synchronize();
  }

  // Sends a mark to everybody, and takes messages until everybody's mark is here.
  Report synchronize() {
    const std::uint64_t round = round_++;
    const Report own = report();
    for (std::uint32_t to = 0; to < exchange_.size(); ++to) {
      if (to == self()) continue;
      exchange::Bytes& out = outboxes_[to];
      out.push_back(static_cast<std::uint8_t>(Record::Mark));
      put_number(out, round);
      for (const auto member : Report::sums) put_number(out, own.*member);
      put_number(out, own.largest);
      flush(to);
    }
    Marks& marks = marks_[round % 2];
    while (marks.arrived + 1 < exchange_.size()) {
      if (take_messages()) continue;
      for (std::uint32_t other = 0; other < exchange_.size(); ++other) {
        if (gone_[other] && !(other < marks.from.size() && marks.from[other])) miss(other);
      }
      exchange_.wait();
    }
    Report sum = marks.sum;
    lowest_claim_ = claims_ ? std::min(marks.lowest_claim, self()) : marks.lowest_claim;
    marks = {};
    sum.add(own);
    return sum;
  }

  Report report() const {
    Report own;
    own.open = open_;
    own.states = store_.size();
    own.largest = store_.size();
    own.transitions = transitions_;
    own.messages = messages_;
    own.bytes = bytes_;
    own.store_bytes = store_.memory() + parent_workers_.capacity() * sizeof(std::uint16_t);
    own.claims = claims_ ? 1 : 0;
    own.levels = levels_.size();
    own.stops = stopped_ ? 1 : 0;
    if constexpr (requires { space_.bound_reached(); }) own.bound_reached = space_.bound_reached() ? 1 : 0;
    own.sampled = system_.stepper().has_sampled() ? 1 : 0;
    own.bound_reached += resumed_.bound_reached;
    own.sampled += resumed_.sampled;
    own.save = self() == 0 && saving_ && env_.limits.elapsed_seconds() - saved_at_ >= saving_->seconds ? 1 : 0;
    return own;
  }

  bool halted() const { return halted_ || stopped_ || violation_.has_value(); }

  // False if there was none.
  bool take_messages() {
    bool some = false;
    while (auto message = exchange_.receive()) {
      some = true;
      take(*message);
    }
    return some;
  }

  // A worker that has left is missed only by who waits for it: what it sent before has come.
  [[noreturn]] void miss(std::uint32_t worker) const {
    throw exchange::RankLost("worker " + std::to_string(worker) + " has left the search");
  }

  void take(const exchange::Message& message) {
    if (message.bytes.empty()) gone_[message.from] = true;
    WireReader in(message.bytes);
    while (!in.at_end()) {
      const auto kind = static_cast<Record>(in.number());
      switch (kind) {
        case Record::SharedState:
        case Record::LocalState: wire_.read_definition(message.from, kind, in); break;
        case Record::State: take_state(message.from, in); break;
        case Record::Mark: take_mark(message.from, in); break;
        case Record::Path: take_path(message.from, in); break;
        case Record::Gathered: take_gathered(wire_.read(message.from, in)); break;
        case Record::Failure: throw TeamBroken("a worker of the search failed: " + in.text());
        default: COHORT_UNREACHABLE("messages have known records");
      }
    }
  }

  // What comes after a limit was met here is not kept: the answer is UNKNOWN, and memory may be short.
  void take_state(std::uint32_t from, WireReader& in) {
    const auto parent = static_cast<StateStore::Ref>(in.number());
    const StateView state = wire_.read(from, in);
    if (stopped_) return;
    space_.set_next(state.shared, state.members);
    guarded([&] { admit(from, parent); });
  }

  // Others may have come to the end before this worker has.
  void take_gathered(const StateView& state) {
    COHORT_EXPECT(self() == 0, "states are gathered at the first worker");
    gathered_.push_back({state.shared, {state.members.begin(), state.members.end()}});
  }

  void take_mark(std::uint32_t from, WireReader& in) {
    const std::uint64_t round = in.number();
    COHORT_EXPECT(round == round_ || round + 1 == round_, "nobody is more than a round ahead");
    Report report;
    for (const auto member : Report::sums) report.*member = in.number();
    report.largest = in.number();
    if (report.claims > 0 || report.stops > 0) halted_ = true;
    Marks& marks = marks_[round % 2];
    ++marks.arrived;
    marks.from.resize(exchange_.size(), false);
    marks.from[from] = true;
    marks.sum.add(report);
    if (report.claims > 0) marks.lowest_claim = std::min(marks.lowest_claim, from);
  }

  // From the violation that the lowest worker found back to an initial state: whoever has the next state sends it to
  // all.  False if a limit was met on the way.
  bool collect_path() {
    std::uint32_t holder = lowest_claim_;
    StateStore::Ref ref = holder == self() ? violation_->ref : StateStore::none;
    for (bool first = true;; first = false) {
      const PathStep step = holder == self() ? send_path(ref, first) : await_path(holder);
      if (first) {
        outcome_.fault = step.fault;
        outcome_.property = step.property;
      }
      outcome_.path.push_back(step.word);
      if (step.level == 0) break;
      holder = step.parent_worker;
      ref = step.parent;
      if (ref != StateStore::none) continue;
      ref = find_parent(step.word, step.level - 1);
      claims_ = ref != StateStore::none;
      if (synchronize().stops > 0) return false;
      holder = lowest_claim_;
      COHORT_EXPECT(holder != UINT32_MAX, "each state of a level has a predecessor in the level before");
    }
    std::reverse(outcome_.path.begin(), outcome_.path.end());
    return true;
  }

  // A state of this worker in `level` that has a step to the state with this code word.
  StateStore::Ref find_parent(const exchange::Bytes& word, std::size_t level) {
    for (StateStore::Ref ref = levels_[level]; ref != levels_[level + 1];) {
      if (env_.stop_requested("partitioned-search")) {
        stopped_ = true;
        return StateStore::none;
      }
      const std::uint8_t* stored = store_.bytes(ref);
      const std::size_t length = static_cast<std::size_t>(space_.load(stored) - stored);
      const bool leads_there = !space_.for_each_successor([&](auto, const auto& transition) {
        if (transition.faults) return true;
        const auto next = space_.encode_next();
        return !std::equal(next.begin(), next.end(), word.begin(), word.end());
      });
      if (leads_there) return ref;
      ref = store_.next(ref, length);
    }
    return StateStore::none;
  }

  std::size_t level_of(StateStore::Ref ref) const {
    const auto after = std::upper_bound(levels_.begin(), levels_.end(), ref);
    COHORT_EXPECT(after != levels_.begin(), "the first level begins with the first state");
    return static_cast<std::size_t>(after - levels_.begin()) - 1;
  }

  PathStep send_path(StateStore::Ref ref, bool first) {
    COHORT_EXPECT(violation_ || !first, "a path begins with a violation");
    const std::uint8_t* word = store_.bytes(ref);
    const std::uint8_t* end = space_.load(word);
    PathStep step{.parent_worker = parent_workers_[ref / 2], .parent = store_.parent(ref), .word = {word, end}};
    step.level = level_of(ref);
    if (first) {
      step.fault = violation_->fault;
      step.property = violation_->property;
    }
    for (std::uint32_t to = 0; to < exchange_.size(); ++to) {
      if (to == self()) continue;
      wire_.write(to, outboxes_[to], Record::Path, {space_.shared(), space_.members()}, [&](exchange::Bytes& out) {
        put_number(out, step.fault ? 1 : 0);
        put_number(out, step.property ? std::uint64_t{step.property->value} + 1 : 0);
        put_number(out, step.level);
        put_number(out, step.parent_worker);
        put_number(out, step.parent);
      });
      flush(to);
    }
    return step;
  }

  void take_path(std::uint32_t from, WireReader& in) {
    PathStep step;
    step.fault = in.number() != 0;
    if (const std::uint64_t property = in.number(); property != 0) step.property = model::PropertyId(property - 1);
    step.level = in.number();
    step.parent_worker = static_cast<std::uint32_t>(in.number());
    step.parent = static_cast<StateStore::Ref>(in.number());
    const StateView state = wire_.read(from, in);
    space_.set_next(state.shared, state.members);
    const auto word = space_.encode_next();
    step.word.assign(word.begin(), word.end());
    path_steps_[from].push_back(std::move(step));
  }

  // Steps of different workers may come in any order.
  PathStep await_path(std::uint32_t holder) {
    std::deque<PathStep>& steps = path_steps_[holder];
    while (steps.empty()) {
      if (take_messages()) continue;
      if (gone_[holder]) miss(holder);
      exchange_.wait();
    }
    PathStep step = std::move(steps.front());
    steps.pop_front();
    return step;
  }

  // Writes the levels since the last checkpoint; the manifest follows when everybody has done so.
  Report save() {
    COHORT_EXPECT(saving_ && levels_.size() >= 2, "there are levels to save");
    Manifest manifest = manifest_;
    manifest.generations.push_back({exchange_.size(), manifest_.levels(), levels_.size() - 1});
    try_to_save([&] { write_part(manifest.generations.size() - 1, manifest_.levels()); });
    Report total = synchronize();
    manifest.question = saving_->question;
    manifest.transitions = total.transitions;
    manifest.bound_reached = total.bound_reached;
    manifest.sampled = total.sampled;
    if (total.stops > 0) return total;
    if (self() == 0) try_to_save([&] { saving_->folder.write(manifest); });
    manifest_ = std::move(manifest);
    saved_at_ = env_.limits.elapsed_seconds();
    return synchronize();
  }

  template <class Work>
  void try_to_save(Work&& work) {
    try {
      work();
    } catch (const CheckpointError& error) {
      trouble_ = error.what();
      stopped_ = true;
    }
  }

  void write_part(std::size_t generation, std::size_t first_level) {
    PartWriter writer(saving_->folder.part(generation, self()));
    Wire disk(system_, 1);
    exchange::Bytes buffer;
    for (std::size_t level = first_level; level + 1 < levels_.size(); ++level) {
      buffer.push_back(static_cast<std::uint8_t>(Record::Mark));
      put_number(buffer, level);
      for (StateStore::Ref ref = levels_[level]; ref != levels_[level + 1];) {
        const std::uint8_t* word = store_.bytes(ref);
        ref = store_.next(ref, static_cast<std::size_t>(space_.load(word) - word));
        disk.write(0, buffer, Record::Gathered, {space_.shared(), space_.members()}, [](auto&) {});
        if (buffer.size() >= batch_bytes) writer.write(buffer);
      }
    }
    writer.write(buffer);
    writer.finish();
  }

  // Every worker reads all parts, whoever wrote them, and keeps what it owns.
  void resume(const Manifest& manifest) {
    for (std::size_t number = 0; number < manifest.generations.size(); ++number) {
      const Generation& generation = manifest.generations[number];
      std::vector<SavedPart> parts;
      parts.reserve(generation.parts);
      for (std::uint32_t part = 0; part < generation.parts; ++part)
        parts.emplace_back(saving_->folder.part(number, part), system_);
      for (std::uint64_t level = generation.first_level; level < generation.end_level; ++level) {
        for (SavedPart& part : parts) read_level(part, level);
        open_ = store_.size() - size_before_;
        size_before_ = store_.size();
        levels_.push_back(store_.end());
      }
    }
    manifest_ = manifest;
    outcome_.depth = manifest.levels() - 1;
    if (self() != 0) return;
    transitions_ = manifest.transitions;
    resumed_.bound_reached = manifest.bound_reached;
    resumed_.sampled = manifest.sampled;
  }

  struct SavedPart {
    SavedPart(const std::string& path, model::ThreadSystem& system) : file(path), wire(system, 1), in(file.bytes()) {}

    MappedPart file;
    Wire wire;
    WireReader in;
  };

  void read_level(SavedPart& part, std::uint64_t level) {
    COHORT_EXPECT(
        !part.in.at_end() && static_cast<Record>(part.in.number()) == Record::Mark && part.in.number() == level,
        "a part has its levels one after the other");
    while (!part.in.at_end() && static_cast<Record>(part.in.peek()) != Record::Mark) {
      env_.poll("partitioned-search");
      const auto kind = static_cast<Record>(part.in.number());
      if (kind != Record::Gathered) {
        part.wire.read_definition(0, kind, part.in);
        continue;
      }
      const StateView state = part.wire.read(0, part.in);
      if (wire_.owner(state) != self()) continue;
      space_.set_next(state.shared, state.members);
      store_.insert(space_.encode_next(), StateStore::none);
      if (parent_workers_.size() <= store_.end() / 2) parent_workers_.resize(store_.end() / 2 + 1);
    }
  }

  // The others wait for this worker: they must hear that it is gone.
  void tell_failure(const std::string& text) {
    for (std::uint32_t to = 0; to < exchange_.size(); ++to) {
      if (to == self()) continue;
      exchange::Bytes message{static_cast<std::uint8_t>(Record::Failure)};
      put_number(message, text.size());
      message.insert(message.end(), text.begin(), text.end());
      exchange_.send(to, std::move(message));
    }
  }

  void show_progress() {
    env_.report_progress([&] {
      return std::to_string(exchange_.size()) + " workers, " + std::to_string(store_.size()) +
             " states of the first one, " + std::to_string(outcome_.depth) + " levels";
    });
  }

  Env& env_;
  model::ThreadSystem& system_;
  Space& space_;
  StateStore& store_;
  exchange::Exchange& exchange_;
  std::optional<Saving> saving_;
  Manifest manifest_;    // of the last checkpoint
  Report resumed_;       // what earlier workers said
  double saved_at_ = 0;  // seconds since the start
  std::string trouble_;
  Wire wire_;
  SentFilter filter_;
  std::vector<exchange::Bytes> outboxes_;      // by receiver: the batch that is being filled
  std::vector<std::uint16_t> parent_workers_;  // by reference / 2
  std::vector<StateStore::Ref> levels_ = {0};  // where each level begins, and where the last one ends
  std::uint64_t size_before_ = 0;              // states of earlier levels
  std::uint64_t open_ = 0;
  std::uint64_t round_ = 0;
  std::array<Marks, 2> marks_;                    // by the parity of the round
  std::uint32_t lowest_claim_ = UINT32_MAX;       // of the last marks
  std::optional<Violation> violation_;            // found here
  bool claims_ = false;                           // what marks say of this worker
  std::vector<std::deque<PathStep>> path_steps_;  // by sender: those that have come
  std::vector<bool> gone_;                        // by worker: it has left
  bool stopped_ = false;                          // a limit was met here
  bool halted_ = false;                           // somebody else has found a violation or met a limit
  std::uint64_t transitions_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<Gathered> gathered_;  // states of the others
  TeamOutcome outcome_;
};

}  // namespace cohort::engine::explicit_
