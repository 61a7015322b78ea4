#pragma once

#include <sys/types.h>

namespace berth {

// What another program has used so far, as the kernel counts it; 0 where it does not tell.
struct ProgramUsage {
  double resident_mib = 0;      // pages in memory
  double proportional_mib = 0;  // the same, pages shared with other programs counted in part
  double peak_mib = 0;          // the most that was ever resident
  double cpu_seconds = 0;       // of all its threads
};

ProgramUsage UsageOf(pid_t pid);

}  // namespace berth
