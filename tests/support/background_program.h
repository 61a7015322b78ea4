#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "berth/result.h"

namespace berth {

// A program that a test or the demo runs beside itself. It ends with this object at the latest, and
// also when the thread that started it dies.
class BackgroundProgram {
 public:
  // `command` is the program's path and its arguments. Its standard error is read here, its
  // standard output dropped. A program that is not there ends at once, with status 127.
  explicit BackgroundProgram(const std::vector<std::string>& command);
  ~BackgroundProgram();

  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;

  // Waits for a line of its standard error that contains `text`, from the first on; returns it.
  // Errors: it ended, or `patience` did; the message holds the last lines.
  Result<std::string> AwaitLine(std::string_view text, std::chrono::seconds patience);

  // Asks it to end (SIGTERM), insists after ten seconds, and returns its exit status (128 + signal
  // when a signal ended it).
  int Stop();

  // The last lines of its standard error.
  std::string Tail() const;

  pid_t pid() const { return pid_; }

 private:
  void Read(int fd);

  const std::string name_;
  pid_t pid_ = -1;
  int status_ = -1;  // once it has ended
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool ended_ = false;  // its standard error is closed
  std::jthread reader_;
};

// The value of `key` in a line of logfmt (key=value or key="a value"); empty when it is not there.
std::string LogField(std::string_view line, std::string_view key);

}  // namespace berth
