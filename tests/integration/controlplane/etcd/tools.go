//go:build tools

// Package tools pins the program that build.sh builds from this module.
package tools

import _ "go.etcd.io/etcd/server/v3"
