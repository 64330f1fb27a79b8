// What both forms of witnesses say of the task.
#pragma once

#include <string>

namespace cohort::witness {

// "2026-11-17T05:42:39Z".
std::string time_now();
// As RFC 4122 has random ones.
std::string random_uuid();

}  // namespace cohort::witness
