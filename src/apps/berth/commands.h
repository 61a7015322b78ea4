#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace berth {

// What the command line asks for; returns the exit status of the program.
using Command = std::function<int()>;

// The subcommands of `berth`, one file each. Each function adds one to `app`, with its options and
// help, and sets `chosen` when the command line names it. `chosen` outlives the parsing.
void AddServe(CLI::App& app, Command& chosen);
void AddExplain(CLI::App& app, Command& chosen);
void AddPolicy(CLI::App& app, Command& chosen);
void AddEvaluate(CLI::App& app, Command& chosen);
void AddSimulate(CLI::App& app, Command& chosen);
void AddTrain(CLI::App& app, Command& chosen);

}  // namespace berth
