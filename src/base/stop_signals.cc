#include "base/stop_signals.h"

#include <pthread.h>
#include <signal.h>

namespace berth {
namespace {

pthread_t waiter;

// Runs in threads that do not block the signals: those that libraries start before main (OpenBLAS
// does). Unless Wait is there already, they are given the signal, and it would end the program.
void PassOn(int signal) { pthread_kill(waiter, signal); }

}  // namespace

StopSignals::StopSignals() {
  waiter = pthread_self();
  std::signal(SIGINT, PassOn);
  std::signal(SIGTERM, PassOn);
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
