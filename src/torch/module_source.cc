#include "torch/module_source.h"

#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <torch/csrc/jit/frontend/lexer.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/frontend/tree_views.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string_view>

#include "base/log.h"
#include "torch/guarded.h"
#include "torch/source_line.h"

namespace berth {
namespace {

namespace jit = torch::jit;

using Archive = caffe2::serialize::PyTorchStreamReader;

Status RunsWhenLoaded(std::string_view what, const jit::SourceRange& where,
                      std::string_view mending) {
  return absl::FailedPreconditionError(
      fmt::format("{} ({}) would run when the file is loaded: {}", what, LineOf(where), mending));
}

bool HasCall(const jit::TreeRef& tree) {
  if (tree->isAtom()) return false;
  return tree->kind() == jit::TK_APPLY || std::ranges::any_of(tree->trees(), HasCall);
}

Status CheckFunction(const jit::Def& function) {
  const std::string& name = function.name().name();
  if (name == "__setstate__") {
    return RunsWhenLoaded("__setstate__", function.range(), "export the module without it");
  }
  for (const jit::Param& parameter : function.decl().params()) {
    if (!HasCall(parameter.defaultValue())) continue;
    return RunsWhenLoaded(fmt::format("a call in a default value of {}", Quoted(name)),
                          parameter.range(), "give it a number");
  }
  return absl::OkStatus();
}

Status CheckClass(const jit::ClassDef& definition) {
  for (const jit::Stmt& statement : definition.body()) {
    if (statement.kind() == jit::TK_DEF) {
      if (Status status = CheckFunction(jit::Def(statement)); !status.ok()) return status;
    } else if (HasCall(statement)) {
      return RunsWhenLoaded(
          fmt::format("a call among the attributes of {}", Quoted(definition.name().name())),
          statement.range(), "make it a buffer");
    }
  }
  return absl::OkStatus();
}

// As libtorch's importer reads a file: its head (versions, constants, imports), then definitions.
Status CheckCode(const std::string& name, const std::string& text) {
  jit::Parser parser(std::make_shared<jit::Source>(text, name, /*starting_line_no=*/1));
  jit::Lexer& lexer = parser.lexer();
  while (lexer.cur().kind != jit::TK_EOF) {
    Status status;
    if (lexer.cur().kind == jit::TK_CLASS_DEF) {
      status = CheckClass(jit::ClassDef(parser.parseClass()));
    } else if (lexer.cur().kind == jit::TK_DEF) {
      status = CheckFunction(jit::Def(parser.parseFunction(/*is_method=*/false)));
    } else {
      lexer.next();
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::string ReadRecord(Archive& archive, const std::string& name) {
  const auto [data, size] = archive.getRecord(name);
  return {static_cast<const char*>(data.get()), size};
}

// Objects of classes that are written in C++, such as those of quantized layers, read what they
// find in the file by code of their own.
Status CheckNames(const std::string& record, std::string_view contents) {
  if (contents.find("torch.classes") == contents.npos) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("{} has an object of a class in torch.classes, which would run code when the "
                  "file is loaded: export the module without quantized or packed layers",
                  Quoted(record)));
}

// libtorch finds entries whatever the case of their letters is.
bool IsLike(std::string_view name, std::string_view start, std::string_view end) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return name.size() >= start.size() + end.size() &&
         std::ranges::equal(name.substr(0, start.size()), start, same) &&
         std::ranges::equal(name.substr(name.size() - end.size()), end, same);
}

Status CheckRecord(Archive& archive, const std::string& name) {
  const bool is_code = IsLike(name, "code/", ".py");
  if (!is_code && !IsLike(name, "", ".pkl")) return absl::OkStatus();
  const std::string contents = ReadRecord(archive, name);
  Status status = CheckNames(name, contents);
  if (status.ok() && is_code) status = CheckCode(name, contents);
  return status;
}

}  // namespace

Status CheckModuleSource(const std::string& bytes) {
  const Status checked = Guarded([&]() -> Status {
    std::istringstream stream(bytes);
    Archive archive(&stream);
    if (archive.hasRecord("model.json")) {
      return absl::FailedPreconditionError(
          "is of a format that ended with PyTorch 1.1: export it again");
    }
    for (const std::string& name : archive.getAllRecords()) {
      if (Status status = CheckRecord(archive, name); !status.ok()) return status;
    }
    return absl::OkStatus();
  });
  if (!absl::IsInternal(checked)) return checked;
  return absl::InvalidArgumentError(
      fmt::format("libtorch cannot read it: {}", OneLine(std::string(checked.message()))));
}

}  // namespace berth
