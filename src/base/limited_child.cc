#include "base/limited_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace berth {
namespace {

using How = ChildEnd::How;

Status NoChild(std::string_view call, int error) {
  return absl::UnavailableError(
      fmt::format("cannot start a child process: {}: {}", call, std::strerror(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close() {
    if (is_open()) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

// posix_spawn and not fork: a fork of a process in which OpenMP has run may hang.
class SpawnSettings {
 public:
  // The child's standard input and output are `socket`; nothing else of ours is open in it.
  explicit SpawnSettings(int socket) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);  // a Ctrl-C is for us, who end it in order
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

Result<pid_t> Spawn(const std::vector<std::string>& command,
                    const std::vector<std::string>& variables, int socket) {
  const SpawnSettings settings(socket);
  std::vector<char*> arguments, environment;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  for (const std::string& each : variables) environment.push_back(const_cast<char*>(each.c_str()));
  for (char** each = environ; *each != nullptr; ++each) environment.push_back(*each);
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, arguments[0], settings.actions(), settings.attributes(),
                                arguments.data(), environment.data());
  if (error != 0) return NoChild(command.front(), error);
  return pid;
}

Status Limit(pid_t pid, const ChildLimits& limits) {
  const auto cpu = static_cast<rlim_t>(limits.cpu.count());
  const std::pair<__rlimit_resource, rlimit> all[] = {
      {RLIMIT_AS, {limits.memory_bytes, limits.memory_bytes}},
      {RLIMIT_CPU, {cpu, cpu + 1}},  // SIGXCPU, and SIGKILL when that was of no use
      {RLIMIT_FSIZE, {0, 0}},
      {RLIMIT_CORE, {0, 0}},
  };
  for (const auto& [resource, limit] : all) {
    if (prlimit(pid, resource, &limit, nullptr) != 0) return NoChild("prlimit", errno);
  }
  return absl::OkStatus();
}

// The child's process and the time it has left, as descriptors to wait on.
class Child {
 public:
  Child(pid_t pid, std::chrono::seconds time)
      : pid_(pid),
        process_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),  // glibc 2.36 has it in C only
        timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)) {
    const itimerspec once = {.it_interval = {}, .it_value = {.tv_sec = time.count(), .tv_nsec = 0}};
    timerfd_settime(timer_.get(), 0, &once, nullptr);
  }
  ~Child() {
    if (pid_ > 0) End();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool is_watched() const { return process_.is_open() && timer_.is_open(); }
  int process() const { return process_.get(); }
  int timer() const { return timer_.get(); }

  // Kills it, and whatever it started, if that is still there; returns what waitpid says.
  int End() {
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
  const Descriptor process_;
  const Descriptor timer_;
};

// Sends what the child takes of `input`, and takes that off; closes our half after the last byte.
void Send(int socket, std::string_view& input) {
  const ssize_t sent = send(socket, input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) {
    input.remove_prefix(static_cast<size_t>(sent));
  } else if (errno != EAGAIN && errno != EINTR) {
    input = {};  // the child is gone, or reads no more
  }
  if (input.empty()) shutdown(socket, SHUT_WR);
}

// Adds what is there to `output`, until that has more than `most`. Closes the socket at its end.
void Receive(Descriptor& socket, size_t most, std::string& output) {
  std::array<char, 4096> buffer;
  while (socket.is_open() && output.size() <= most) {
    const ssize_t got = recv(socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
      output.append(buffer.data(), static_cast<size_t>(got));
    } else if (got < 0 && errno == EAGAIN) {
      return;
    } else if (got == 0 || errno != EINTR) {
      socket.Close();
    }
  }
}

// Until the child is over or has used up something. A closed socket is one that poll passes over.
How Attend(const Child& child, Descriptor& socket, std::string_view input, size_t most_output,
           std::string& output) {
  if (input.empty()) shutdown(socket.get(), SHUT_WR);
  while (true) {
    const auto events = static_cast<short>(input.empty() ? POLLIN : POLLIN | POLLOUT);
    std::array<pollfd, 3> ready = {
        pollfd{socket.get(), events, 0}, {child.process(), POLLIN, 0}, {child.timer(), POLLIN, 0}};
    if (poll(ready.data(), ready.size(), -1) < 0) continue;  // interrupted
    if ((ready[0].revents & POLLOUT) != 0) Send(socket.get(), input);
    Receive(socket, most_output, output);
    if (output.size() > most_output) return How::kTooMuchOutput;
    if (ready[1].revents != 0) return How::kExited;
    if (ready[2].revents != 0) return How::kOutOfTime;
  }
}

ChildEnd EndOf(int status, std::string output) {
  if (WIFEXITED(status)) return {How::kExited, WEXITSTATUS(status), std::move(output)};
  const int signal = WTERMSIG(status);
  return {signal == SIGXCPU ? How::kOutOfCpu : How::kSignalled, signal, std::move(output)};
}

}  // namespace

Result<ChildEnd> RunLimited(const std::vector<std::string>& command,
                            const std::vector<std::string>& variables, std::string_view input,
                            const ChildLimits& limits) {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return NoChild("socketpair", errno);
  }
  Descriptor ours(ends[0]), theirs(ends[1]);
  const Result<pid_t> pid = Spawn(command, variables, theirs.get());
  if (!pid.ok()) return pid.status();
  theirs.Close();
  Child child(*pid, limits.time);
  if (!child.is_watched()) return NoChild("pidfd_open or timerfd_create", errno);
  if (Status limited = Limit(*pid, limits); !limited.ok()) return limited;
  std::string output;
  const How how = Attend(child, ours, input, limits.output_bytes, output);
  const int status = child.End();
  if (how == How::kExited) return EndOf(status, std::move(output));
  return ChildEnd{how, SIGKILL, std::move(output)};
}

Status OpenNothingMore() {
  const rlimit none = {0, 0};
  if (setrlimit(RLIMIT_NOFILE, &none) == 0) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("setrlimit: {}", std::strerror(errno)));
}

}  // namespace berth
