#include "base/stop_signals.h"

namespace berth {

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::string_view StopSignals::Wait() const {
  int signal = 0;
  sigwait(&signals_, &signal);
  return signal == SIGINT ? "SIGINT" : "SIGTERM";
}

}  // namespace berth
