#pragma once

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// A program that a test starts, and ends with the test at the latest. What it writes to standard
// output and standard error can be read as one stream.
class ChildProcess {
 public:
  // `argv[0]` is the path of the program.
  explicit ChildProcess(std::vector<std::string> argv) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& argument : argv) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    EXPECT_EQ(posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ), 0)
        << argv[0];
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }
  ~ChildProcess() {
    if (pid_ > 0) {
      Signal(SIGKILL);
      Wait();
    }
    fclose(output_);
  }

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The next line of output that contains `text`; empty when the program ends without one.
  std::string AwaitLine(std::string_view text) {
    std::string line;
    for (int c = 0; (c = std::getc(output_)) != EOF;) {
      if (c != '\n') {
        line.push_back(static_cast<char>(c));
      } else if (line.find(text) != std::string::npos) {
        return line;
      } else {
        line.clear();
      }
    }
    return "";
  }

  // All output until the program ends.
  std::string ReadAll() {
    std::string text;
    for (int c = 0; (c = std::getc(output_)) != EOF;) text.push_back(static_cast<char>(c));
    return text;
  }

  void Signal(int signal) { kill(pid_, signal); }

  // Waits for the end; gives the exit status, or minus the signal that ended it.
  int Wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
  FILE* output_ = nullptr;
};

}  // namespace berth
