#!/usr/bin/env python3
"""Reads every #include under src/ and include/ and fails on an arrow that the design has not.

Also: time, libtorch, gRPC and generated code appear only where they belong, and every header
belongs to a CMake target. Run by ctest; `layering_test.py DIRECTORY` checks another tree.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each module may include directly; what those may include follows from it.
ALLOWED = {
    "base": set(),
    "cluster": {"base"},
    "facts": {"cluster"},
    "policy": {"cluster"},
    "kube": {"facts"},
    "rpc": {"facts"},
    "decisions": {"policy"},
    "rollout": {"policy"},
    "torch": {"policy"},
    "sim": {"policy"},
    "ppo": {"sim"},
    "learn": {"ppo"},
    "service": {"rollout", "torch", "rpc"},
    "extender": {"kube", "rpc"},
    "apps": {"service", "extender", "decisions", "rollout", "torch", "kube", "sim", "learn"},
}

# Includes and calls that are confined to some modules, and why.
CONFINED = [
    (re.compile(r'#include\s+<(torch|ATen|c10|caffe2)/'), {"torch"}, "libtorch stops in src/torch"),
    (re.compile(r'#include\s+[<"](grpcpp|grpc)/|\.pb\.h[">]'), {"rpc", "service"},
     "gRPC and generated code stay in src/rpc and src/service"),
    (re.compile(r"#include\s+<sqlite3\.h>"), {"decisions"}, "SQLite stays in src/decisions"),
    (re.compile(r"_clock::now\("), set(), "time is a parameter (berth/clock.h)"),
]
CLOCK_FILE = "src/base/real_clock.cc"
INCLUDE = re.compile(r'#include\s+"([^"]+)"')


def reachable(module):
    found, todo = {module}, [module]
    while todo:
        for below in ALLOWED[todo.pop()] - found:
            found.add(below)
            todo.append(below)
    return found


def sources(root):
    for folder in ("src", "include"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield path, path.relative_to(root).as_posix()


def module_of(name):
    parts = name.split("/")
    return parts[1] if parts[0] == "src" else None  # include/berth: below every module


def wrong_arrows(root):
    for path, name in sources(root):
        module = module_of(name)
        allowed = reachable(module) if module else set()
        for target in INCLUDE.findall(path.read_text()):
            below = target.split("/")[0]
            if below in ALLOWED and below not in allowed:
                yield f"{name} includes {target}: {module or 'include/berth'} may not include {below}"


def misplaced(root):
    for path, name in sources(root):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for pattern, modules, why in CONFINED:
                if pattern.search(line) and module_of(name) not in modules and name != CLOCK_FILE:
                    yield f"{name}:{number}: {why}"


def owners(root, path):
    """The CMakeLists.txt beside a header; for public headers, those of every module."""
    beside = path.parent / "CMakeLists.txt"
    lists = [beside] if beside.exists() else (root / "src").rglob("CMakeLists.txt")
    return "\n".join(p.read_text() for p in lists)


def orphans(root):
    for path, name in sources(root):
        listed = re.compile(rf"(?<!\w){re.escape(path.name)}(?!\w)")
        if path.suffix == ".h" and not listed.search(owners(root, path)):
            yield f"{name} belongs to no CMake target"


class Layering(unittest.TestCase):
    def test_nothing_points_up_or_sideways(self):
        self.assertEqual(list(wrong_arrows(ROOT)), [])

    def test_time_torch_and_grpc_stay_where_they_belong(self):
        self.assertEqual(list(misplaced(ROOT)), [])

    def test_every_header_has_an_owner(self):
        self.assertEqual(list(orphans(ROOT)), [])

    def test_every_module_is_in_the_design(self):
        modules = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()}
        self.assertEqual(modules - set(ALLOWED), set())


class TheCheckItself(unittest.TestCase):
    """A check that cannot fail is worth nothing."""

    def setUp(self):
        import tempfile
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_an_arrow_up_is_found(self):
        self.write("src/cluster/books.cc", '#include "policy/ranking.h"\n')
        self.assertEqual(len(list(wrong_arrows(self.root))), 1)

    def test_an_arrow_from_the_public_headers_is_found(self):
        self.write("include/berth/node.h", '#include "base/log.h"\n')
        self.assertEqual(len(list(wrong_arrows(self.root))), 1)

    def test_an_arrow_down_through_another_module_is_fine(self):
        self.write("src/extender/verbs.cc", '#include "facts/facts.h"\n#include "base/log.h"\n')
        self.assertEqual(list(wrong_arrows(self.root)), [])

    def test_misplaced_things_are_found(self):
        self.write("src/policy/a.cc", "auto t = std::chrono::steady_clock::now();\n")
        self.write("src/kube/b.cc", "#include <grpcpp/grpcpp.h>\n")
        self.write("src/policy/c.cc", "#include <torch/script.h>\n")
        self.assertEqual(len(list(misplaced(self.root))), 3)

    def test_an_orphan_is_found(self):
        self.write("src/kube/CMakeLists.txt", "berth_library(NAME kube HDRS watch.h)\n")
        self.write("src/kube/watch.h", "")
        self.write("src/kube/lost.h", "")
        self.assertEqual(list(orphans(self.root)), ["src/kube/lost.h belongs to no CMake target"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
