#pragma once

#include <csignal>
#include <string_view>

namespace berth {

// SIGINT and SIGTERM, which ask for an orderly end, as something to wait for. Construct it in main,
// once, before the first thread: from then on they interrupt none of ours and are kept for Wait.
// Also ignores SIGPIPE, so that a peer that went away is an error to the writer and not the end of
// the program.
class StopSignals {
 public:
  StopSignals();

  // Blocks until one of them arrives; returns its name. REQUIRES: the thread that constructed it.
  std::string_view Wait() const;

 private:
  sigset_t signals_;
};

}  // namespace berth
