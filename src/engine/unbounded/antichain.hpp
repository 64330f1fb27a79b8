// An index over configurations for the question that coverability searches ask all the time: is one of those stored at
// least (or at most) this one?  Entries lie in one array for each control state, with two words that summarise the
// occupied places and those that are omega; most comparisons end at these words.  A tree over places was tried on paper
// and left out: entries per control state are few, and the scan runs at memory speed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "engine/unbounded/configuration.hpp"
#include "model/pair_table.hpp"

namespace cohort::engine::unbounded {

class Antichain {
 public:
  struct Entry {
    Summary summary;
    std::uint32_t item = 0;
  };

  void insert(ControlId control, const Summary& summary, std::uint32_t item) {
    if (control >= entries_.size()) entries_.resize(control + 1);
    entries_[control].push_back({summary, item});
    ++size_;
  }

  std::size_t size() const { return size_; }

  // Calls visit(item) for the entries whose summary may cover `summary` (or be covered by it) until it returns true;
  // then returns true.
  // Going up, what answered is put first: the labels that a search asks about one after the other are alike.
  template <class Visit>
  bool any_above(ControlId control, const Summary& summary, Visit&& visit) {
    if (control >= entries_.size()) return false;
    auto& list = entries_[control];
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].summary.may_cover(summary) || !visit(list[i].item)) continue;
      std::swap(list[i], list[i / 2]);
      return true;
    }
    return false;
  }
  template <class Visit>
  bool any_below(ControlId control, const Summary& summary, Visit&& visit) const {
    if (control >= entries_.size()) return false;
    for (const Entry& entry : entries_[control]) {
      if (summary.may_cover(entry.summary) && visit(entry.item)) return true;
    }
    return false;
  }

  // Removes the entries below `summary` for which `drop(item)` says so.
  template <class Drop>
  void remove_below(ControlId control, const Summary& summary, Drop&& drop) {
    if (control >= entries_.size()) return;
    auto& list = entries_[control];
    for (std::size_t i = 0; i < list.size();) {
      if (summary.may_cover(list[i].summary) && drop(list[i].item)) {
        list[i] = list.back();
        list.pop_back();
        --size_;
      } else {
        ++i;
      }
    }
  }
  // Removes the entries for which `drop(item)` says so, wherever they are among those of `control`.
  template <class Drop>
  void remove_if(ControlId control, Drop&& drop) {
    remove_below(control, {~std::uint64_t{0}, ~std::uint64_t{0}}, drop);
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& list : entries_) {
      for (const Entry& entry : list) visit(entry.item);
    }
  }

 private:
  std::vector<std::vector<Entry>> entries_;
  std::size_t size_ = 0;
};

// The same for the small configurations of a backward search, where the question is whether one stored is at most this
// one: entries are filed under their last place, and only those filed under a place of the configuration asked about
// are looked at.
class FiledAntichain {
 public:
  void insert(ControlId control, TokenView tokens, std::uint32_t item) {
    files_[file_of(control, key_of(tokens))].push_back({Summary::of(tokens), item});
    ++size_;
  }

  std::size_t size() const { return size_; }

  // Calls visit(item) for the entries that may be at most `tokens` until it returns true; then returns true.
  template <class Visit>
  bool any_below(ControlId control, TokenView tokens, Visit&& visit) const {
    const Summary summary = Summary::of(tokens);
    if (any_in(control, no_place, summary, visit)) return true;
    for (const Token& token : tokens) {
      if (any_in(control, token.place, summary, visit)) return true;
    }
    return false;
  }

  // Removes the entries that may be at least `tokens` and for which `drop(item)` says so.
  template <class Drop>
  void remove_above(ControlId control, TokenView tokens, Drop&& drop) {
    if (control >= keys_.size()) return;
    const Summary summary = Summary::of(tokens);
    const Place least = key_of(tokens);
    for (const Place key : keys_[control]) {
      if (least != no_place && (key == no_place || key < least)) continue;
      auto& file = files_[index_.find(control, key)];
      for (std::size_t i = 0; i < file.size();) {
        if (file[i].summary.may_cover(summary) && drop(file[i].item)) {
          file[i] = file.back();
          file.pop_back();
          --size_;
        } else {
          ++i;
        }
      }
    }
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& file : files_) {
      for (const Antichain::Entry& entry : file) visit(entry.item);
    }
  }

 private:
  static constexpr Place no_place = UINT32_MAX;
  static Place key_of(TokenView tokens) { return tokens.empty() ? no_place : tokens.back().place; }

  std::uint32_t file_of(ControlId control, Place key) {
    std::uint32_t file = index_.find(control, key);
    if (file == model::PairTable::absent) {
      file = static_cast<std::uint32_t>(files_.size());
      index_.insert(control, key, file);
      files_.emplace_back();
      if (control >= keys_.size()) keys_.resize(control + 1);
      keys_[control].push_back(key);
    }
    return file;
  }

  template <class Visit>
  bool any_in(ControlId control, Place key, const Summary& summary, Visit& visit) const {
    const std::uint32_t file = index_.find(control, key);
    if (file == model::PairTable::absent) return false;
    for (const Antichain::Entry& entry : files_[file]) {
      if (summary.may_cover(entry.summary) && visit(entry.item)) return true;
    }
    return false;
  }

  model::PairTable index_;  // (control, last place) to an index in files_
  std::vector<std::vector<Antichain::Entry>> files_;
  std::vector<std::vector<Place>> keys_;
  std::size_t size_ = 0;
};

}  // namespace cohort::engine::unbounded
