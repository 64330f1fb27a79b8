// Reading PNML.  Only what a place/transition net is made of has a meaning here: places with initial markings,
// transitions, arcs with weights, on any number of pages, with reference nodes resolved.  Graphics and tool information
// are skipped; an element that would change the behaviour (arc types, capacities, colours, time) is refused where it
// stands.
#include "frontend/pnml/pnml.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>
#include <pugixml.hpp>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/net.hpp"
#include "frontend/pnml/net_parts.hpp"

namespace cohort::frontend::pnml {

namespace {

using Place = NetBuilder::Place;

// Pages are read by recursion, and no drawing tool makes more.
constexpr int max_page_depth = 1000;

// Names with their namespace prefix cut off.
std::string_view local_name(const pugi::xml_node& node) {
  std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

bool is_ignored(std::string_view name) {
  static constexpr std::string_view ignored[] = {"name", "graphics", "toolspecific", "documentation"};
  return std::find(std::begin(ignored), std::end(ignored), name) != std::end(ignored);
}

bool is_element(const pugi::xml_node& node) {
  return node.type() == pugi::node_element;
}

class Reader {
 public:
  Reader(const SourceFilePtr& file, Env* env) : file_(file), env_(env), net_{NetBuilder(file->name(), env)} {}

  NetParts read();

 private:
  using Transition = NetParts::Transition;

  pugi::xml_node parse();
  void read_nodes(const pugi::xml_node& page, int depth);
  void read_place(const pugi::xml_node& node);
  void read_transition(const pugi::xml_node& node);
  void read_arcs(const pugi::xml_node& page);
  void read_arc(const pugi::xml_node& node);

  SourceSpan place_of(const pugi::xml_node& node) const;
  std::string id_of(const pugi::xml_node& node);
  // The text in the <text> child, trimmed; nothing when there is none.
  std::optional<std::string> text_of(const pugi::xml_node& node) const;
  std::uint64_t count_of(const pugi::xml_node& node, std::uint64_t most, const char* what) const;
  std::string resolve(std::string id, const SourceSpan& span) const;
  NetBuilder::Effect& effect_of(Transition& transition, Place place);

  SourceFilePtr file_;
  Env* env_;
  NetParts net_;
  pugi::xml_document document_;
  std::unordered_map<std::string, SourceSpan> ids_;
  std::unordered_map<std::string, std::string> references_;
};

NetParts Reader::read() {
  const pugi::xml_node net = parse();
  read_nodes(net, 0);
  read_arcs(net);
  return std::move(net_);
}

pugi::xml_node Reader::parse() {
  const std::string& text = file_->text();
  const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
  if (!result) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
    throw_malformed(span_at(file_, offset), fmt::format("this is no XML: {}", result.description()));
  }
  const pugi::xml_node root = document_.document_element();
  if (local_name(root) != "pnml") throw_malformed(place_of(root), "expected the element <pnml>");
  pugi::xml_node net;
  for (const pugi::xml_node& child : root.children()) {
    if (!is_element(child) || is_ignored(local_name(child))) continue;
    if (local_name(child) != "net")
      throw_malformed(place_of(child), fmt::format("expected <net>, found <{}>", child.name()));
    if (net) throw_unsupported(place_of(child), "a second net in the same file");
    net = child;
  }
  if (!net) throw_malformed(place_of(root), "there is no <net>");
  const std::string_view type = net.attribute("type").value();
  for (const std::string_view other : {"symmetricnet", "highlevelnet", "pt-hlpng", "hlcore", "core-timed", "tpn"}) {
    if (type.find(other) != std::string_view::npos) {
      throw_unsupported(place_of(net),
                        fmt::format("nets of type '{}' are not supported, only place/transition nets", type));
    }
  }
  return net;
}

void Reader::read_nodes(const pugi::xml_node& page, int depth) {
  if (depth > max_page_depth) throw_malformed(place_of(page), "pages are nested too deeply");
  for (const pugi::xml_node& node : page.children()) {
    poll(env_, "read-pnml");
    if (!is_element(node)) continue;
    const std::string_view name = local_name(node);
    if (name == "page") {
      read_nodes(node, depth + 1);
    } else if (name == "place") {
      read_place(node);
    } else if (name == "transition") {
      read_transition(node);
    } else if (name == "referencePlace" || name == "referenceTransition") {
      const std::string ref = node.attribute("ref").value();
      if (ref.empty()) throw_malformed(place_of(node), fmt::format("<{}> without attribute 'ref'", node.name()));
      references_[id_of(node)] = ref;
    } else if (name != "arc" && !is_ignored(name)) {
      throw_unsupported(place_of(node), fmt::format("element <{}> is not part of a place/transition net", node.name()));
    }
  }
}

std::string Reader::id_of(const pugi::xml_node& node) {
  std::string id = node.attribute("id").value();
  if (id.empty()) throw_malformed(place_of(node), fmt::format("<{}> without attribute 'id'", node.name()));
  if (!ids_.emplace(id, place_of(node)).second)
    throw_malformed(place_of(node), fmt::format("the id '{}' is used twice", id));
  return id;
}

void Reader::read_place(const pugi::xml_node& node) {
  const std::string id = id_of(node);
  std::uint64_t tokens = 0;
  bool marked = false;
  for (const pugi::xml_node& child : node.children()) {
    if (!is_element(child) || is_ignored(local_name(child))) continue;
    if (local_name(child) != "initialMarking") {
      throw_unsupported(place_of(child), fmt::format("element <{}> of a place is not supported", child.name()));
    }
    if (marked) throw_malformed(place_of(child), "a second initial marking");
    marked = true;
    tokens = count_of(child, NetBuilder::max_tokens, "the initial marking");
  }
  const std::string label = text_of(node.child("name")).value_or(id);
  const Place place = net_.builder.add_place(label.empty() ? id : label, place_of(node));
  net_.places.emplace(id, place);
  net_.named[label].push_back(place);
  net_.builder.set_initial(place, tokens, true);
  net_.tokens.push_back(tokens);
}

void Reader::read_transition(const pugi::xml_node& node) {
  const std::string id = id_of(node);
  for (const pugi::xml_node& child : node.children()) {
    if (!is_element(child) || is_ignored(local_name(child))) continue;
    throw_unsupported(place_of(child), fmt::format("element <{}> of a transition is not supported", child.name()));
  }
  net_.transition_ids.emplace(id, net_.transitions.size());
  net_.transitions.push_back({text_of(node.child("name")).value_or(id), place_of(node), {}});
}

void Reader::read_arcs(const pugi::xml_node& page) {
  for (const pugi::xml_node& node : page.children()) {
    if (!is_element(node)) continue;
    if (local_name(node) == "page") read_arcs(node);
    if (local_name(node) == "arc") read_arc(node);
  }
}

void Reader::read_arc(const pugi::xml_node& node) {
  const SourceSpan span = place_of(node);
  std::uint64_t weight = 1;
  for (const pugi::xml_node& child : node.children()) {
    const std::string_view name = local_name(child);
    if (!is_element(child) || is_ignored(name)) continue;
    if (name == "inscription") {
      weight = count_of(child, NetBuilder::max_weight, "the weight of an arc");
    } else if (name == "type") {
      const std::string_view value = child.attribute("value").value();
      if (value != "normal") {
        throw_unsupported(place_of(child), fmt::format("arcs of type '{}' are not supported, only normal ones", value));
      }
    } else {
      throw_unsupported(place_of(child), fmt::format("element <{}> of an arc is not supported", child.name()));
    }
  }
  const std::string source = resolve(node.attribute("source").value(), span);
  const std::string target = resolve(node.attribute("target").value(), span);
  const bool consumes = net_.places.contains(source);
  const std::string& place = consumes ? source : target;
  const std::string& transition = consumes ? target : source;
  if (!net_.places.contains(place) || !net_.transition_ids.contains(transition)) {
    throw_malformed(span, "an arc must lead from a place to a transition or back");
  }
  NetBuilder::Effect& effect = effect_of(net_.transitions[net_.transition_ids.at(transition)], net_.places.at(place));
  std::uint64_t& total = consumes ? effect.needs : effect.adds;
  total += weight;
  if (total > NetBuilder::max_weight) {
    throw_unsupported(span, fmt::format("weights above {} are not supported", NetBuilder::max_weight));
  }
  effect.removes = effect.needs;
}

NetBuilder::Effect& Reader::effect_of(Transition& transition, Place place) {
  for (NetBuilder::Effect& effect : transition.effects) {
    if (effect.place == place) return effect;
  }
  transition.effects.push_back({.place = place, .needs = 0, .removes = 0, .adds = 0, .empties_into = {}});
  return transition.effects.back();
}

std::string Reader::resolve(std::string id, const SourceSpan& span) const {
  // A chain of references that is longer than there are references runs in a circle.
  for (std::size_t steps = 0; steps <= references_.size(); ++steps) {
    const auto next = references_.find(id);
    if (next == references_.end()) return id;
    id = next->second;
  }
  throw_malformed(span, fmt::format("the reference '{}' leads back to itself", id));
}

std::optional<std::string> Reader::text_of(const pugi::xml_node& node) const {
  for (const pugi::xml_node& child : node.children()) {
    if (local_name(child) != "text") continue;
    const std::string_view text = child.text().get();
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::nullopt;
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
  }
  return std::nullopt;
}

std::uint64_t Reader::count_of(const pugi::xml_node& node, std::uint64_t most, const char* what) const {
  const std::string text = text_of(node).value_or("");
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::result_out_of_range || (error == std::errc{} && count > most)) {
    throw_unsupported(place_of(node), fmt::format("{} is larger than {}", what, most));
  }
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw_malformed(place_of(node), fmt::format("expected a number in <{}>, found '{}'", node.name(), text));
  }
  return count;
}

SourceSpan Reader::place_of(const pugi::xml_node& node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  return offset > 0 ? span_at(file_, static_cast<std::size_t>(offset)) : SourceSpan{file_, 0, 0};
}

void set_target(NetParts& net, const std::string& target) {
  const auto text = std::make_shared<const SourceFile>("--target", target);
  NetBuilder::Tokens tokens;
  for (const TargetTerm& term : parse_target_terms(text)) {
    const auto by_id = net.places.find(term.place);
    const auto by_name = net.named.find(term.place);
    if (by_id == net.places.end() && by_name == net.named.end()) {
      throw_malformed(term.span, fmt::format("there is no place '{}'", term.place));
    }
    if (by_id == net.places.end() && by_name->second.size() > 1) {
      throw_malformed(term.span, fmt::format("several places are named '{}'; give the id", term.place));
    }
    const Place place = by_id != net.places.end() ? by_id->second : by_name->second.front();
    for (const auto& [other, count] : tokens) {
      if (other == place) throw_malformed(term.span, fmt::format("'{}' is a place listed before", term.place));
    }
    if (term.count > 0) tokens.emplace_back(place, term.count);
  }
  net.builder.add_target(tokens, {text, 1, 1}, target);
}

}  // namespace

SourceSpan span_at(const SourceFilePtr& file, std::size_t offset) {
  const std::string_view before = std::string_view(file->text()).substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, line, static_cast<std::uint32_t>(before.size() - start) + 1};
}

NetParts read_parts(const SourceFilePtr& file, Env* env) {
  COHORT_EXPECT(file != nullptr, "a file to read");
  return Reader(file, env).read();
}

model::Program load(const SourceFilePtr& file, const Options& options, Env* env) {
  NetParts net = read_parts(file, env);
  for (NetParts::Transition& transition : net.transitions) {
    net.builder.add_transition(transition.effects, transition.span, std::move(transition.label));
  }
  if (options.target) set_target(net, *options.target);
  return net.builder.finish();
}

}  // namespace cohort::frontend::pnml
