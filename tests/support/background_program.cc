#include "support/background_program.h"

#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>

#include "base/check.h"

namespace berth {
namespace {

constexpr size_t kLinesKept = 200;

// In the child, between fork and exec: only what is safe there.
[[noreturn]] void Become(char** arguments, int standard_error, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // it died in between
  setpgid(0, 0);                        // a Ctrl-C is for the parent, which ends us in order
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(open("/dev/null", O_RDWR), STDIN_FILENO);
  dup2(STDIN_FILENO, STDOUT_FILENO);
  dup2(standard_error, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

}  // namespace

BackgroundProgram::BackgroundProgram(const std::vector<std::string>& command)
    : name_(std::filesystem::path(command.front()).filename()) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  std::array<int, 2> pipe_ends;
  BERTH_CHECK(pipe2(pipe_ends.data(), O_CLOEXEC) == 0, "no pipe");
  const pid_t parent = getpid();
  pid_ = fork();
  BERTH_CHECK(pid_ >= 0, "no process");
  if (pid_ == 0) Become(arguments.data(), pipe_ends[1], parent);
  setpgid(pid_, 0);  // as the child does, whoever is first
  close(pipe_ends[1]);
  reader_ = std::jthread([this, fd = pipe_ends[0]] { Read(fd); });
}

BackgroundProgram::~BackgroundProgram() { Stop(); }

void BackgroundProgram::Read(int fd) {
  std::string rest;
  std::array<char, 4096> buffer;
  ssize_t got;
  while ((got = read(fd, buffer.data(), buffer.size())) > 0) {
    rest.append(buffer.data(), static_cast<size_t>(got));
    const std::lock_guard lock(mutex_);
    for (size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
      lines_.push_back(rest.substr(0, end));
      if (lines_.size() > kLinesKept) lines_.pop_front();
    }
    changed_.notify_all();
  }
  close(fd);
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Result<std::string> BackgroundProgram::AwaitLine(std::string_view text,
                                                 std::chrono::seconds patience) {
  std::string found;
  const auto there = [&] {
    const auto line = std::ranges::find_if(
        lines_, [&](const std::string& each) { return each.find(text) != std::string::npos; });
    if (line != lines_.end()) found = *line;
    return !found.empty() || ended_;
  };
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, there);
  }
  if (!found.empty()) return found;
  return absl::UnavailableError(
      absl::StrCat(name_, " did not say ", std::string(text), "; its last lines:\n", Tail()));
}

int BackgroundProgram::Stop() {
  constexpr std::chrono::seconds kPatience{10};
  if (status_ >= 0) return status_;
  kill(-pid_, SIGTERM);  // and whatever it started
  {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kPatience, [this] { return ended_; })) kill(-pid_, SIGKILL);
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return status_;
}

std::string BackgroundProgram::Tail() const {
  constexpr size_t kLines = 20;
  const std::lock_guard lock(mutex_);
  std::string tail;
  for (size_t i = lines_.size() - std::min(lines_.size(), kLines); i < lines_.size(); ++i) {
    absl::StrAppend(&tail, lines_[i], "\n");
  }
  return tail;
}

std::string LogField(std::string_view line, std::string_view key) {
  const std::string mark = " " + std::string(key) + "=";
  const size_t at = line.find(mark);
  if (at == std::string_view::npos) return "";
  const std::string_view value = line.substr(at + mark.size());
  if (value.starts_with('"')) return std::string(value.substr(1, value.find('"', 1) - 1));
  return std::string(value.substr(0, value.find(' ')));
}

}  // namespace berth
