#include "bench/program_usage.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace berth {
namespace {

// The number after "FIELD:" in a file of /proc, which is in KiB.
double MebibytesIn(const std::string& path, const std::string& field) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field + ":")) return std::stod(line.substr(field.size() + 1)) / 1024;
  }
  return 0;
}

// Fields 14 and 15 of /proc/PID/stat; the second field, in parentheses, may hold spaces.
double CpuSeconds(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

ProgramUsage UsageOf(pid_t pid) {
  const std::string directory = "/proc/" + std::to_string(pid);
  return {.resident_mib = MebibytesIn(directory + "/status", "VmRSS"),
          .proportional_mib = MebibytesIn(directory + "/smaps_rollup", "Pss"),
          .peak_mib = MebibytesIn(directory + "/status", "VmHWM"),
          .cpu_seconds = CpuSeconds(directory + "/stat")};
}

}  // namespace berth
