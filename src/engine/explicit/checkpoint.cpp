#include "engine/explicit/checkpoint.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/contract.hpp"

namespace cohort::engine::explicit_ {

namespace {

constexpr std::uint64_t format_version = 1;

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw CheckpointError(fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

// On disk when it returns true.
bool close_durably(std::FILE* file) {
  const bool written = std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  return std::fclose(file) == 0 && written;
}

// Numbers of a manifest are whole and not negative; everything else is damage.
std::uint64_t number_in(const nlohmann::json& object, const char* name) {
  const auto it = object.find(name);
  if (it == object.end() || !it->is_number_unsigned()) throw CheckpointError(fmt::format("'{}' is no number", name));
  return it->get<std::uint64_t>();
}

Manifest parse(const nlohmann::json& document) {
  if (!document.is_object() || number_in(document, "version") != format_version)
    throw CheckpointError("it was written by another version");
  Manifest manifest;
  if (!document.contains("question") || !document["question"].is_string()) throw CheckpointError("it has no question");
  manifest.question = document["question"].get<std::string>();
  manifest.transitions = number_in(document, "transitions");
  manifest.bound_reached = number_in(document, "bound_reached");
  manifest.sampled = number_in(document, "sampled");
  if (!document.contains("generations") || !document["generations"].is_array())
    throw CheckpointError("it has no generations");
  for (const nlohmann::json& entry : document["generations"]) {
    if (!entry.is_object()) throw CheckpointError("a generation is no object");
    const Generation generation{static_cast<std::uint32_t>(number_in(entry, "parts")), number_in(entry, "first_level"),
                                number_in(entry, "end_level")};
    if (generation.parts == 0 || generation.first_level != manifest.levels() ||
        generation.end_level <= generation.first_level)
      throw CheckpointError("its generations do not follow each other");
    manifest.generations.push_back(generation);
  }
  return manifest;
}

}  // namespace

struct PartWriter::Sum {
  XXH3_state_t state;
};

PartWriter::PartWriter(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")), sum_(std::make_unique<Sum>()) {
  if (file_ == nullptr) fail("cannot write", path_);
  XXH3_64bits_reset(&sum_->state);
}

PartWriter::~PartWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void PartWriter::write(exchange::Bytes& buffer) {
  COHORT_EXPECT(file_ != nullptr, "a part is written before it is finished");
  if (std::fwrite(buffer.data(), 1, buffer.size(), file_) != buffer.size()) fail("cannot write", path_);
  XXH3_64bits_update(&sum_->state, buffer.data(), buffer.size());
  buffer.clear();
}

void PartWriter::finish() {
  COHORT_EXPECT(file_ != nullptr, "a part is finished once");
  const std::uint64_t sum = XXH3_64bits_digest(&sum_->state);
  const bool summed = std::fwrite(&sum, sizeof sum, 1, file_) == 1;
  if (!close_durably(std::exchange(file_, nullptr)) || !summed) fail("cannot write", path_);
}

MappedPart::MappedPart(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("cannot read", path);
  struct stat facts {};
  const bool known = fstat(file, &facts) == 0;
  size_ = known ? static_cast<std::size_t>(facts.st_size) : 0;
  if (size_ > 0) memory_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (!known || memory_ == MAP_FAILED) fail("cannot read", path);
  std::uint64_t sum = 0;
  const bool whole = size_ >= sizeof sum;
  if (whole) std::memcpy(&sum, static_cast<const char*>(memory_) + size_ - sizeof sum, sizeof sum);
  if (!whole || XXH3_64bits(memory_, size_ - sizeof sum) != sum) {
    if (memory_ != nullptr) munmap(memory_, size_);
    throw CheckpointError(path + " is damaged");
  }
}

std::span<const std::uint8_t> MappedPart::bytes() const {
  return {static_cast<const std::uint8_t*>(memory_), size_ - sizeof(std::uint64_t)};
}

MappedPart::MappedPart(MappedPart&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedPart::~MappedPart() {
  if (memory_ != nullptr) munmap(memory_, size_);
}

CheckpointFolder::CheckpointFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw CheckpointError(fmt::format("cannot make the folder {}: {}", path_, error.message()));
}

std::optional<Manifest> CheckpointFolder::read(const std::string& question) const {
  const std::string path = path_ + "/manifest.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  std::ifstream file(path);
  try {
    const nlohmann::json document = nlohmann::json::parse(file, nullptr, false);
    if (document.is_discarded()) throw CheckpointError("it is no JSON document");
    Manifest manifest = parse(document);
    if (manifest.question != question) throw CheckpointError("it belongs to another program or other options");
    return manifest;
  } catch (const CheckpointError& error) {
    throw CheckpointError(fmt::format("{} cannot be resumed: {}", path, error.what()));
  }
}

void CheckpointFolder::write(const Manifest& manifest) const {
  nlohmann::ordered_json document = {
      {"version", format_version},           {"question", manifest.question},
      {"transitions", manifest.transitions}, {"bound_reached", manifest.bound_reached},
      {"sampled", manifest.sampled},         {"generations", nlohmann::ordered_json::array()}};
  for (const Generation& generation : manifest.generations) {
    document["generations"].push_back(
        {{"parts", generation.parts}, {"first_level", generation.first_level}, {"end_level", generation.end_level}});
  }
  const std::string text = document.dump(2) + "\n";
  const std::string path = path_ + "/manifest.json";
  std::FILE* file = std::fopen((path + ".new").c_str(), "wb");
  if (file == nullptr) fail("cannot write", path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (!close_durably(file) || !written) fail("cannot write", path);
  if (std::rename((path + ".new").c_str(), path.c_str()) != 0) fail("cannot write", path);
}

std::string CheckpointFolder::part(std::size_t generation, std::uint32_t worker) const {
  return fmt::format("{}/generation-{}.{}", path_, generation, worker);
}

}  // namespace cohort::engine::explicit_
