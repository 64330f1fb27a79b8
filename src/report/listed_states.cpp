#include "report/listed_states.hpp"

#include <string>

namespace cohort::report {

namespace {

using nlohmann::json;
using Configuration = ListedStates::Configuration;

// [shared, local, count, local, count, ...]
Configuration of_word(const json& word) {
  Configuration configuration{.shared = word.at(0).get<std::size_t>(), .threads = {}};
  for (std::size_t i = 1; i + 1 < word.size(); i += 2) {
    configuration.threads.emplace_back(word[i].get<std::size_t>(), word[i + 1].get<std::uint64_t>());
  }
  return configuration;
}

// {"shared": ..., "threads": [[local, count or "omega"], ...]}
Configuration of_pairs(const json& object) {
  Configuration configuration{.shared = object.at("shared").get<std::size_t>(), .threads = {}};
  for (const json& pair : object.at("threads")) {
    const json& count = pair.at(1);
    configuration.threads.emplace_back(pair.at(0).get<std::size_t>(), count.is_number()
                                                                          ? std::optional(count.get<std::uint64_t>())
                                                                          : std::optional<std::uint64_t>());
  }
  return configuration;
}

// {"shared": ..., "threads": [local, ...], "possible": [local, ...]}
Configuration of_control(const json& object) {
  Configuration configuration{.shared = object.at("shared").get<std::size_t>(), .threads = {}};
  for (const json& local : object.at("threads")) configuration.threads.emplace_back(local.get<std::size_t>(), 1);
  for (const json& local : object.at("possible")) {
    configuration.threads.emplace_back(local.get<std::size_t>(), std::nullopt);
  }
  return configuration;
}

}  // namespace

std::optional<ListedStates> listed_states(const json& certificate) {
  const auto kind = certificate.at("kind").get<std::string>();
  ListedStates listed;
  const auto read = [&](const char* member, Configuration (*one)(const json&)) {
    for (const json& entry : certificate.at(member)) listed.configurations.push_back(one(entry));
  };
  if (kind == "counter-set" || kind == "symbolic-set") {
    read("states", of_word);
  } else if (kind == "omega-set") {
    read("configurations", of_pairs);
  } else if (kind == "symbolic-omega-set") {
    read("labels", of_pairs);
  } else if (kind == "upward-set" || kind == "marking-equation") {
    read("controls", of_control);
    listed.is_complete = false;
  } else {
    return std::nullopt;
  }
  listed.has_cubes = kind.starts_with("symbolic");
  listed.shared = certificate.at("shared");
  listed.locals = certificate.at("locals");
  return listed;
}

}  // namespace cohort::report
