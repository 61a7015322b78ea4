#!/usr/bin/env bash
# Builds the control plane that the integration tests run against, from pinned Go modules:
#
#   build.sh                 etcd, kube-apiserver and kube-scheduler
#   build.sh PROGRAM...      just these (kubectl is there as well)
#
# The last line on stdout is the folder that holds them, outside the source tree:
# $BERTH_CACHE, or else berth/ in the user's cache. The first build takes minutes, later
# calls return at once. Exits with 77, the convention for a skipped test, where no Go can be had
# (.ci/find-go).
set -euo pipefail

readonly here=$(cd "$(dirname "$0")" && pwd)
readonly cache=${BERTH_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or BERTH_CACHE}/.cache}/berth}

say() { echo "controlplane: $*" >&2; }

# The version that MODULE's go.mod requires, for example v1.37.2.
pinned() { # FOLDER MODULE
  sed -n "s|^require $2 \(v[0-9.]*\)\$|\1|p" "$here/$1/go.mod"
}

# Changes with whatever decides what is built, so that an old build is never taken for a new one.
fingerprint() {
  cat "$here"/{kubernetes,etcd}/go.{mod,sum} "$here/build.sh" | sha256sum | cut -c1-12
}

# The linker writes to a file beside the target, which is then renamed: a program that is there is whole.
build() { # GO PROGRAM
  local go=$1 program=$2 folder=kubernetes package=k8s.io/kubernetes/cmd/$2
  local partial=$bin/.$program.partial ldflags
  if [[ $program == etcd ]]; then
    folder=etcd package=go.etcd.io/etcd/server/v3
  fi
  local version=k8s.io/component-base/version
  local major_minor=${kubernetes#v}
  ldflags="-s -w -X $version.gitVersion=$kubernetes -X $version.gitMajor=${major_minor%%.*}"
  ldflags+=" -X $version.gitMinor=$(cut -d. -f2 <<<"$major_minor")"

  say "building $program (log: $bin/$program.log)"
  (cd "$here/$folder" &&
    CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS= nice "$go" build -mod=readonly -trimpath -buildvcs=false \
      -ldflags "$ldflags" -o "$partial" "$package") >"$bin/$program.log" 2>&1 || {
    tail -n 20 "$bin/$program.log" >&2
    say "could not build $program; see $bin/$program.log"
    return 1
  }
  mv "$partial" "$bin/$program"
}

missing() { # PROGRAM...
  local program
  for program; do
    [[ -x $bin/$program ]] || echo "$program"
  done
}

(($#)) || set -- etcd kube-apiserver kube-scheduler
readonly kubernetes=$(pinned kubernetes k8s.io/kubernetes)
readonly etcd=$(pinned etcd go.etcd.io/etcd/server/v3)
readonly bin=$cache/controlplane/kubernetes-$kubernetes-etcd-$etcd-$(fingerprint)
mkdir -p "$bin"

if [[ -n $(missing "$@") ]]; then
  exec {lock}>"$cache/controlplane/lock"
  flock "$lock" # another call may be building the same
  go=$("$here/../../../.ci/find-go")
  for program in $(missing "$@"); do
    build "$go" "$program"
  done
fi
echo "$bin"
