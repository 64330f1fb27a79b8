// A divided search on disk, so that it can be taken up again after it was killed, by any number of workers.
//
// A checkpoint is made where a level ends.  It adds a *generation* to a folder: for each worker a part, a file with the
// states of the levels since the last one, level by level, as they go over the wire (wire.hpp).  Then the first worker
// puts a new manifest in the place of the old one, by renaming: whatever happens, the folder holds the last checkpoint
// that was finished, and what is written later never touches what was written earlier.  Parents are not kept; after a
// resumption they are looked for where a run is wanted.
//
// A manifest names the question by a hash of the program and of what the search depends on; a folder that belongs to
// another question, or a part that does not fit its checksum, is refused.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "exchange/exchange.hpp"

namespace cohort::engine::explicit_ {

// The folder cannot be written or read; what() says why, and where.
class CheckpointError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Generation {
  std::uint32_t parts = 0;
  std::uint64_t first_level = 0;
  std::uint64_t end_level = 0;  // the level after its last one

  bool operator==(const Generation&) const = default;
};

struct Manifest {
  std::string question;
  std::vector<Generation> generations;
  std::uint64_t transitions = 0;
  std::uint64_t bound_reached = 0;
  std::uint64_t sampled = 0;

  std::uint64_t levels() const { return generations.empty() ? 0 : generations.back().end_level; }
};

// Writes one part, with a checksum at the end.  A part that is not finished is no part of anything.
class PartWriter {
 public:
  explicit PartWriter(std::string path);
  ~PartWriter();
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  // Takes the bytes away from `buffer`.
  void write(exchange::Bytes& buffer);
  // On disk when it returns.
  void finish();

 private:
  struct Sum;

  std::string path_;
  std::FILE* file_;
  std::unique_ptr<Sum> sum_;
};

// A part as memory; what does not fit its checksum is refused.
class MappedPart {
 public:
  explicit MappedPart(const std::string& path);
  ~MappedPart();
  MappedPart(MappedPart&& other) noexcept;
  MappedPart& operator=(MappedPart&&) = delete;

  std::span<const std::uint8_t> bytes() const;

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

class CheckpointFolder {
 public:
  // Makes the folder if it is not there.
  explicit CheckpointFolder(std::string path);

  // None: nothing has been finished here.  Throws CheckpointError if it belongs to another question, or is damaged.
  std::optional<Manifest> read(const std::string& question) const;
  void write(const Manifest& manifest) const;
  std::string part(std::size_t generation, std::uint32_t worker) const;

 private:
  std::string path_;
};

}  // namespace cohort::engine::explicit_
